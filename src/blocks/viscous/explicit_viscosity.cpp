#include "blocks/viscous/explicit_viscosity.h"

#include <cassert>

#include "blocks/pair_pack.h"
#include "blocks/viscous/viscous_pair.h"
#include "core/promises.h"

namespace treacle {

template <class S>
void ExplicitViscosity<S>::add(const Neighbors<S>& neighbors, std::span<const Row> position,
                               std::span<const Row> velocity, std::span<const Real> mass, std::span<const Real> volume,
                               std::span<const Real> viscosity, const Parallel& parallel,
                               std::span<Row> acceleration) const {
    assert(promises::sized(neighbors.size(), position, velocity, mass, volume, viscosity, acceleration));
    assert(promises::finite(position) && promises::positive(mass, volume));  // velocities run away in too long steps
    const ViscousPair<S> viscous{CubicSpline<S>(support_radius)};
    const Real h = viscous.kernel.support_radius();
    const std::size_t count = position.size();
    const MaybeUniform<Real> viscosities(viscosity), volumes(volume);
    simd::for_each<Real>(parallel, count, [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        const auto v_i = velocity[i].xyz();
        Vec3<P> force{};
        for_each_pair_pack<S, P>(
            i, neighbors.row(i), position, {}, h, [&](const PairPack<S, P>& pair) TREACLE_SIMD_INLINE_LAMBDA {
                const P viscosity_ij = viscosities.uniform()
                                           ? P(viscous.mean(viscosity[i], viscosity[i]))
                                           : viscous.mean(P(viscosity[i]), viscosities.template of<P>(pair.j));
                const P both = P(volume[i]) * volumes.template of<P>(pair.j);
                const P weight = viscous.weight(pair.distance, pair.q, viscosity_ij, both);
                const Vec3<P> v_j = simd::load_rows<P>(velocity.data(), pair.j).xyz();
                const P along = dot(Vec3<P>{v_j.x - v_i.x, v_j.y - v_i.y, v_j.z - v_i.z}, pair.r);
                force += (weight * along) * pair.r;
            });
        acceleration[i] = acceleration[i].xyz() + sum_of_lanes(force) / mass[i];
    });
}

template <class S>
double ExplicitViscosity<S>::longest_step(double kinematic_viscosity) const {
    return 0.025 * support_radius * support_radius / kinematic_viscosity;
}

template struct ExplicitViscosity<Space2f>;
template struct ExplicitViscosity<Space3f>;
template struct ExplicitViscosity<Space2d>;
template struct ExplicitViscosity<Space3d>;

}  // namespace treacle
