#include "blocks/viscous/xsph.h"

#include <cassert>

#include "blocks/pair_pack.h"
#include "blocks/solids/body_loads.h"
#include "blocks/solids/boundary_particles.h"
#include "blocks/viscous/viscous_pair.h"
#include "core/promises.h"
#include "kernels/cubic_spline.h"
#include "laws/xsph_rate.h"
#include "math/reproducible.h"

namespace treacle {

template <class S>
void Xsph<S>::gather(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> viscosity,
                     std::span<Row> result) const {
    assert(promises::sized(context.neighbors.size(), fluid.position, fluid.velocity, fluid.mass, fluid.volume));
    assert(promises::sized(fluid.size(), viscosity, result) && context.dt > 0);
    assert(promises::finite(fluid.position, fluid.velocity) && promises::positive(fluid.mass, fluid.volume));
    const CubicSpline<S> kernel(support_radius);
    const Real per_viscosity = static_cast<Real>(xsph_rate(S::dim, 1, support_radius) * context.dt);
    simd::for_each<Real>(
        context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const auto v_i = fluid.velocity[i].xyz();
            const P density_i(fluid.mass[i] / fluid.volume[i]), viscosity_i(viscosity[i]);
            Vec3<P> change{};
            for_each_pair_pack<S, P>(
                i, context.neighbors.row(i), fluid.position, {}, kernel.support_radius(),
                [&](const PairPack<S, P>& pair) TREACLE_SIMD_INLINE_LAMBDA {
                    const P mass_j = simd::load_lanes<P>(fluid.mass.data(), pair.j);
                    const P density_j = mass_j / simd::load_lanes<P>(fluid.volume.data(), pair.j);
                    const P density = P(Real(0.5)) * (density_i + density_j);
                    const P mean = ViscousPair<S>::mean(viscosity_i, simd::load_lanes<P>(viscosity.data(), pair.j));
                    const P share = reproducible::quick_one_minus_exp_minus(P(per_viscosity) * (mean / density));
                    const P weight = share * (mass_j * (kernel.value(pair.q) / density));
                    const Vec3<P> v_j = simd::load_rows<P>(fluid.velocity.data(), pair.j).xyz();
                    change += weight * Vec3<P>{v_j.x - v_i.x, v_j.y - v_i.y, v_j.z - v_i.z};
                });
            result[i] = v_i + sum_of_lanes(change);
        });
}

template <class S>
void Xsph<S>::add_walls(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> viscosity,
                        std::span<Row> result) const {
    assert(context.boundary && context.boundary->fluid_size() == fluid.size() && context.dt > 0);
    assert(promises::sized(fluid.size(), fluid.velocity, fluid.mass, fluid.volume, viscosity, result));
    assert(promises::within(context.bodies.size(), context.boundary->body()));
    assert(promises::finite(fluid.position, fluid.velocity) && promises::positive(fluid.mass, fluid.volume));
    const BoundaryParticles<S>& boundary = *context.boundary;
    const Bodies& bodies = context.bodies;
    const Real per_viscosity = static_cast<Real>(xsph_rate(S::dim, 1, support_radius) * context.dt);
    push_bodies(fluid.rows(), context.dt, context.parallel, context.bodies, [&](std::size_t i, BodyLoads& loads) {
        const Real share =
            reproducible::quick_one_minus_exp_minus(per_viscosity * viscosity[i] * fluid.volume[i] / fluid.mass[i]);
        Vec sum{};
        boundary.for_each_pair(i, fluid.position[i].xyz(), [&](const BoundaryPair<S>& pair) {
            const std::uint32_t b = boundary.body()[pair.k];
            if (bodies[b].friction == 0) return;
            const Real weight = share * boundary.volume()[pair.k] * boundary.kernel().value(pair.q);
            const Vec change = weight * (boundary.velocity()[pair.k].xyz() - fluid.velocity[i].xyz());
            sum += change;
            loads.add(b, bodies[b], cast<double>(boundary.position()[pair.k].xyz()),
                      -static_cast<double>(fluid.mass[i]) * cast<double>(change));
        });
        result[i] = result[i].xyz() + sum;
    });
}

template struct Xsph<Space2f>;
template struct Xsph<Space3f>;
template struct Xsph<Space2d>;
template struct Xsph<Space3d>;

}  // namespace treacle
