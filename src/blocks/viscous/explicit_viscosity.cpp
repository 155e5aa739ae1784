#include "blocks/viscous/explicit_viscosity.h"

#include <cassert>

#include "blocks/pair_pack.h"
#include "blocks/viscous/viscous_pair.h"
#include "blocks/viscous/viscous_strength.h"
#include "core/promises.h"

namespace treacle {

template <class S>
void ExplicitViscosity<S>::add(const FluidView<S>& fluid, const BlockContext<S>& context,
                               std::span<const Real> viscosity, std::span<const Real> strength,
                               std::span<Row> acceleration) const {
    assert(promises::sized(context.neighbors.size(), fluid.position, fluid.velocity, fluid.mass, fluid.volume));
    assert(promises::sized(fluid.size(), viscosity, acceleration) && promises::positive(fluid.mass, fluid.volume));
    assert(promises::sized_or_empty(fluid.size(), strength));
    assert(promises::finite(fluid.position));  // velocities run away in too long steps
    const ViscousPair<S> viscous{CubicSpline<S>(support_radius)};
    const Real h = viscous.kernel.support_radius();
    const MaybeUniform<Real> viscosities(viscosity), volumes(fluid.volume);
    simd::for_each<Real>(
        context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const auto v_i = fluid.velocity[i].xyz();
            Vec3<P> force{};
            for_each_pair_pack<S, P>(
                i, context.neighbors.row(i), fluid.position, {}, h,
                [&](const PairPack<S, P>& pair) TREACLE_SIMD_INLINE_LAMBDA {
                    const P viscosity_ij = viscosities.uniform()
                                               ? P(viscous.mean(viscosity[i], viscosity[i]))
                                               : viscous.mean(P(viscosity[i]), viscosities.template of<P>(pair.j));
                    const P both = P(fluid.volume[i]) * volumes.template of<P>(pair.j);
                    const P weight = viscous.weight(pair.distance, pair.q, viscosity_ij, both);
                    const Vec3<P> v_j = simd::load_rows<P>(fluid.velocity.data(), pair.j).xyz();
                    const P along = dot(Vec3<P>{v_j.x - v_i.x, v_j.y - v_i.y, v_j.z - v_i.z}, pair.r);
                    const P strong =
                        strength.empty() ? P(1) : ViscousStrength<S>::template mean<P>(strength, i, pair.j);
                    force += (strong * weight * along) * pair.r;
                });
            acceleration[i] = acceleration[i].xyz() + sum_of_lanes(force) / fluid.mass[i];
        });
}

template struct ExplicitViscosity<Space2f>;
template struct ExplicitViscosity<Space3f>;
template struct ExplicitViscosity<Space2d>;
template struct ExplicitViscosity<Space3d>;

}  // namespace treacle
