#include "blocks/surface/potential_tension.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "blocks/solids/body_loads.h"
#include "blocks/solids/boundary_particles.h"
#include "core/promises.h"
#include "neighbors/nearest_image.h"

namespace treacle {

template <class S>
PotentialTension<S>::PotentialTension(double radius, double spacing, std::vector<Real> tension)
    : radius_(static_cast<Real>(radius)), spacing_(static_cast<Real>(spacing)), tension_(std::move(tension)) {
    const auto potential = [&](double r) {
        return r < radius ? (r - 1.5 * spacing + 0.5 * radius) * (r - radius) * (r - radius) / 3 : 0.0;
    };
    const int reach = static_cast<int>(std::ceil(radius / spacing));
    const int deep = S::dim == 3 ? reach : 0;
    double sum = 0;
    for (int up = 1; up <= reach; ++up) {
        double layer = 0;
        for (int y = -deep; y <= deep; ++y) {
            for (int x = -reach; x <= reach; ++x) {
                layer += potential(spacing * std::sqrt(static_cast<double>(x * x + y * y + up * up)));
            }
        }
        sum += up * layer;  // as many pairs of a place below the plane and one above it are this far apart
    }
    per_tension_ = static_cast<Real>(2 * cell_volume(S::dim, spacing) / spacing / sum);
}

template <class S>
bool PotentialTension<S>::active() const {
    return std::any_of(tension_.begin(), tension_.end(), [](Real tension) { return tension > 0; });
}

template <class S>
void PotentialTension<S>::apply(const FluidView<S>& fluid, const BlockContext<S>& context,
                                const ParticleSizes<S>& sizes, std::span<Row> acceleration) const {
    assert(promises::sized(fluid.size(), context.neighbors, fluid.mass, fluid.material, acceleration));
    assert(promises::sized_or_empty(fluid.size(), sizes) && promises::reaching(radius_, context.neighbors));
    assert(context.boundary && context.boundary->fluid_size() == fluid.size());
    assert(promises::within(context.bodies.size(), context.boundary->body()));
    assert(promises::within(tension_.size(), fluid.material) && promises::finite(fluid.position));
    assert(promises::positive(fluid.mass) && context.dt >= 0);
    const auto stage = context.timer.stage("surface tension");
    const BoundaryParticles<S>& boundary = *context.boundary;
    const double dt = context.dt;
    const Vec period = cast<Real>(context.period);
    Bodies& bodies = context.bodies;
    const auto push = [&](std::size_t i, BodyLoads& loads) {
        const Vec x = fluid.position[i].xyz();
        const Real own = tension_[fluid.material[i]];
        Vec sum{};
        for (const std::uint32_t j : context.neighbors.row(i)) {
            const Vec r = nearest_image(fluid.position[j].xyz() - x, period);
            const Real distance = length(r);
            const PairSize<Real> size = sizes.pair(i, j);
            const Real pull = of_pair(size) * strength(distance * size.shrink);
            if (distance > 0) sum += (Real(0.5) * (own + tension_[fluid.material[j]]) * pull / distance) * r;
        }
        sum *= per_tension_;
        boundary.for_each_pair(i, x, [&](const BoundaryPair<S>& pair) {
            const std::uint32_t b = boundary.body()[pair.k];
            if (bodies[b].adhesion == 0 || pair.distance == 0) return;
            const PairSize<Real> size = sizes.with_wall(i);
            const Real pull = static_cast<Real>(bodies[b].adhesion) * per_tension_ * own * of_pair(size) *
                              strength(pair.distance * size.shrink);
            const Vec force = (-pull / pair.distance) * pair.offset;
            sum += force;
            loads.add(b, bodies[b], cast<double>(x), dt * cast<double>(-force));
        });
        acceleration[i] = acceleration[i].xyz() + (1 / fluid.mass[i]) * sum;
    };
    push_bodies(fluid.rows(), dt > 0 ? dt : 1, context.parallel, bodies, push);
}

template class PotentialTension<Space2d>;
template class PotentialTension<Space3d>;

}  // namespace treacle
