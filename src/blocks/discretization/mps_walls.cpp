#include "blocks/discretization/mps_walls.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>

#include "blocks/solids/boundary_particles.h"
#include "blocks/solids/walls.h"
#include "core/promises.h"

namespace treacle {

namespace {

/// The faces of one body around a particle.
struct FacesNear {
    static constexpr std::size_t most = 8, unused = std::numeric_limits<std::size_t>::max();

    std::array<SurfacePoint, most> face;
    std::array<std::size_t, most> contact;  ///< of each face
    std::size_t count = 0;

    FacesNear(const BodyFaces& faces, Vec3d x) {
        contact.fill(unused);
        faces.for_each(x, std::numeric_limits<double>::infinity(), [&](double distance, Vec3d normal) {
            face[count++] = {distance, normal};
        });
    }

    /// That which a point inside the solid lies deepest behind.
    std::size_t in_front_of(const BodyFaces& faces, Vec3d point) const {
        if (count == 1) return 0;
        std::size_t at = 0, deepest = 0;
        double least = std::numeric_limits<double>::infinity();
        faces.for_each(point, std::numeric_limits<double>::infinity(), [&](double distance, Vec3d) {
            if (distance < least) least = distance, deepest = at;
            ++at;
        });
        return std::min(deepest, count - 1);
    }
};

/// One particle of a solid in the sums of its face.
template <class S, class Contact>
void add(const BoundaryPair<S>& pair, std::uint8_t layer, const PairSize<typename S::Real>& size,
         const MpsWeights<S>& weights, Contact& contact) {
    using Real = typename S::Real;
    const Real spacing = static_cast<Real>(weights.spacing), nearest = Real(0.5) * spacing;
    const Real depth = spacing * (Real(layer) + Real(0.5));
    const Real grow = 1 + depth / std::max(contact.distance, nearest);
    const Real square = std::max(pair.distance * pair.distance, nearest * nearest * Real(0.04));
    const auto r = -pair.offset, unit = (1 / std::sqrt(square)) * r;
    const Real far = pair.distance * size.shrink;
    const Real w = size.share * weights.close(far), wide_w = size.share * weights.wide(far),
               viscous = size.share * weights.dashpot(far);
    const Real drag = grow * (viscous * (size.shrink * size.shrink));
    contact.close_sum += w;
    contact.dashpot_sum += viscous;
    contact.smooth_sum += size.share * weights.smooth.value(far / weights.smooth.support_radius());
    contact.close_side += w * unit;
    contact.wide_side += wide_w * unit;
    contact.spread.add_square(w / square, r);
    contact.pull += (grow * w / square) * r;
    if (!contact.slips) return contact.drag.add_square(drag, unit);
    const Real across = dot(unit, contact.normal);
    contact.drag.add_square(drag * across * across, contact.normal);
    contact.rub.add_square(drag, unit - across * contact.normal);
}

}  // namespace

template <class S>
void MpsWalls<S>::update(const FluidView<S>& fluid, const BlockContext<S>& context, const ParticleSizes<S>& sizes,
                         const MpsWeights<S>& weights) {
    assert(context.boundary && context.boundary->fluid_size() == fluid.size());
    assert(promises::within(context.bodies.size(), context.boundary->body()));
    assert(promises::sized_or_empty(fluid.size(), sizes) && promises::finite(fluid.position) && weights.spacing > 0);
    const BoundaryParticles<S>& boundary = *context.boundary;
    const Bodies& bodies = context.bodies;
    const std::vector<BodyFaces> faces(bodies.begin(), bodies.end());
    row_end_.resize(fluid.size());
    block_entries_.resize((fluid.size() + block_size - 1) / block_size);
    const auto contact_with = [&](std::uint32_t b, const SurfacePoint& at) {
        const double friction = bodies[b].friction;
        const bool slips = friction == 0 || (!weights.sticks && std::isfinite(friction));
        return Contact{.body = b,
                       .slips = slips,
                       .friction = slips ? static_cast<Real>(friction) : Real(0),
                       .distance = static_cast<Real>(at.distance),
                       .normal = cast<Real>(at.normal)};
    };
    context.parallel.for_blocks(
        fluid.rows().own, block_size, [&](std::size_t first, std::size_t last, std::size_t block) {
            auto& contacts = block_entries_[block];
            contacts.clear();
            for (std::size_t i = first; i < last; ++i) {
                const Vec x = fluid.position[i].xyz();
                const PairSize<Real> size = sizes.with_wall(i);
                std::uint32_t body = std::numeric_limits<std::uint32_t>::max();
                std::optional<FacesNear> near;
                boundary.for_each_pair(i, x, [&](const BoundaryPair<S>& pair) {
                    const std::uint32_t b = boundary.body()[pair.k];
                    if (b != body) near.emplace(faces[b], cast<double>(x)), body = b;  // samples come body by body
                    const Vec3d sample = cast<double>(boundary.position()[pair.k].xyz());
                    const std::size_t face = near->in_front_of(faces[b], sample);
                    if (near->contact[face] == FacesNear::unused) {
                        near->contact[face] = contacts.size();
                        contacts.push_back(contact_with(b, near->face[face]));
                    }
                    add<S>(pair, boundary.layer()[pair.k], size, weights, contacts[near->contact[face]]);
                });
                row_end_[i] = static_cast<std::uint32_t>(contacts.size());
            }
        });
}

template class MpsWalls<Space2d>;
template class MpsWalls<Space3d>;

}  // namespace treacle
