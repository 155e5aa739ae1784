#include "blocks/surface/potential_tension.h"

#include <cassert>
#include <cmath>

#include "blocks/solids/body_loads.h"
#include "core/promises.h"
#include "neighbors/nearest_image.h"

namespace treacle {

template <class S>
PotentialTension<S>::PotentialTension(double radius, double spacing)
    : radius_(static_cast<Real>(radius)), spacing_(static_cast<Real>(spacing)) {
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
void PotentialTension<S>::apply(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary,
                                std::span<const Row> position, const ParticleSizes<S>& sizes,
                                std::span<const Real> mass, std::span<const Real> tension, double dt, Vec3d period,
                                const Parallel& parallel, std::span<Row> acceleration, Bodies& bodies) const {
    assert(promises::sized(neighbors.size(), position, mass, tension, acceleration));
    assert(promises::sized_or_empty(neighbors.size(), sizes) && promises::reaching(radius_, neighbors));
    assert(boundary.fluid_size() == neighbors.size() && promises::within(bodies.size(), boundary.body()));
    assert(promises::finite(position) && promises::positive(mass) && dt >= 0);
    const Vec repeats = cast<Real>(period);
    push_bodies(Rows::of(position.size()), dt > 0 ? dt : 1, parallel, bodies, [&](std::size_t i, BodyLoads& loads) {
        Vec sum{};
        for (const std::uint32_t j : neighbors.row(i)) {
            const Vec r = nearest_image(position[j].xyz() - position[i].xyz(), repeats);
            const Real distance = length(r);
            const PairSize<Real> size = sizes.pair(i, j);
            const Real pull = of_pair(size) * strength(distance * size.shrink);
            if (distance > 0) sum += (Real(0.5) * (tension[i] + tension[j]) * pull / distance) * r;
        }
        sum *= per_tension_;
        boundary.for_each_pair(i, position[i].xyz(), [&](const BoundaryPair<S>& pair) {
            const std::uint32_t b = boundary.body()[pair.k];
            if (bodies[b].adhesion == 0 || pair.distance == 0) return;
            const PairSize<Real> size = sizes.with_wall(i);
            const Real pull = static_cast<Real>(bodies[b].adhesion) * per_tension_ * tension[i] * of_pair(size) *
                              strength(pair.distance * size.shrink);
            const Vec force = (-pull / pair.distance) * pair.offset;
            sum += force;
            loads.add(b, bodies[b], cast<double>(position[i].xyz()), dt * cast<double>(-force));
        });
        acceleration[i] = acceleration[i].xyz() + (1 / mass[i]) * sum;
    });
}

template class PotentialTension<Space2d>;
template class PotentialTension<Space3d>;

}  // namespace treacle
