#include "blocks/discretization/mps_walls.h"

#include <algorithm>
#include <cassert>

#include "blocks/solids/boundary_particles.h"
#include "core/promises.h"

namespace treacle {

template <class S>
void MpsWalls<S>::update(const FluidView<S>& fluid, const BlockContext<S>& context, const ParticleSizes<S>& sizes,
                         const MpsWeights<S>& weights) {
    assert(context.boundary && context.boundary->fluid_size() == fluid.size());
    assert(promises::within(context.bodies.size(), context.boundary->body()));
    assert(promises::sized_or_empty(fluid.size(), sizes) && promises::finite(fluid.position) && weights.spacing > 0);
    const BoundaryParticles<S>& boundary = *context.boundary;
    const Bodies& bodies = context.bodies;
    row_end_.resize(fluid.size());
    block_entries_.resize((fluid.size() + block_size - 1) / block_size);
    const Real nearest = static_cast<Real>(0.5 * weights.spacing);
    context.parallel.for_blocks(
        fluid.rows().own, block_size, [&](std::size_t first, std::size_t last, std::size_t block) {
            auto& contacts = block_entries_[block];
            contacts.clear();
            for (std::size_t i = first; i < last; ++i) {
                const std::size_t begin = contacts.size();
                const Vec x = fluid.position[i].xyz();
                const PairSize<Real> size = sizes.with_wall(i);
                boundary.for_each_pair(i, x, [&](const BoundaryPair<S>& pair) {
                    const std::uint32_t b = boundary.body()[pair.k];
                    if (contacts.size() == begin || contacts.back().body != b) {  // samples come body by body
                        const SurfacePoint at = bodies[b].surface_at(cast<double>(x));
                        contacts.push_back({.body = b,
                                            .slips = bodies[b].friction == 0,
                                            .distance = static_cast<Real>(at.distance),
                                            .normal = cast<Real>(at.normal)});
                    }
                    Contact& contact = contacts.back();
                    const Real depth =
                        static_cast<Real>(weights.spacing) * (Real(boundary.layer()[pair.k]) + Real(0.5));
                    const Real grow = 1 + depth / std::max(contact.distance, nearest);
                    const Real square = std::max(pair.distance * pair.distance, nearest * nearest * Real(0.04));
                    const Vec r = -pair.offset, unit = (1 / std::sqrt(square)) * r;
                    const Real far = pair.distance * size.shrink;
                    const Real w = size.share * weights.close(far), wide_w = size.share * weights.wide(far),
                               viscous = size.share * weights.dashpot(far);
                    const Real drag = viscous * (size.shrink * size.shrink);
                    contact.close_sum += w;
                    contact.dashpot_sum += viscous;
                    contact.smooth_sum += size.share * weights.smooth.value(far / weights.smooth.support_radius());
                    contact.close_side += w * unit;
                    contact.wide_side += wide_w * unit;
                    contact.spread.add_square(w / square, r);
                    contact.pull += (grow * w / square) * r;
                    if (contact.slips) {
                        const Real across = dot(unit, contact.normal);
                        contact.drag.add_square(grow * drag * across * across, contact.normal);
                    } else {
                        contact.drag.add_square(grow * drag, unit);
                    }
                });
                row_end_[i] = static_cast<std::uint32_t>(contacts.size());
            }
        });
}

template class MpsWalls<Space2d>;
template class MpsWalls<Space3d>;

}  // namespace treacle
