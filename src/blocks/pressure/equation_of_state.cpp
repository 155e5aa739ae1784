#include "blocks/pressure/equation_of_state.h"

#include <algorithm>
#include <cassert>

#include "blocks/pair_pack.h"
#include "blocks/solids/boundary_particles.h"
#include "core/promises.h"

namespace treacle {

template <class S>
void EquationOfState<S>::measure(const FluidView<S>& fluid, const BlockContext<S>& context,
                                 std::span<Real> density_ratio) {
    assert(context.boundary && promises::rows_within(fluid.size(), context.neighbors));
    assert(promises::reaching(context.boundary->kernel().support_radius(), context.neighbors));
    assert(promises::sized(fluid.size(), fluid.mass, fluid.volume, density_ratio));
    assert(promises::finite(fluid.position) && promises::positive(fluid.mass, fluid.volume));
    const auto stage = context.timer.stage("density");
    const CubicSpline<S>& kernel = context.boundary->kernel();
    const Real inverse_h = 1 / kernel.support_radius();
    around_.resize(fluid.size());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        around_[i] = fluid.position[i];
        around_[i].w = fluid.volume[i];
    });
    simd::for_each<Real>(
        context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const Row here = around_[i];
            P sum;
            for_each_eight(i, context.neighbors.row(i),
                           [&](const std::uint32_t* j, int count, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
                               const auto there = simd::load_rows<P>(around_.data(), j);
                               const Vec3<P> r{there.x - P(here.x), there.y - P(here.y), there.z - P(here.z)};
                               P q = sqrt(dot(r, r)) * P(inverse_h);
                               if (count < simd::lanes) q = select(simd::first_lanes<P>(count), q, P(1));  // W(1) = 0
                               sum += there.w * kernel.value(q);
                           });
            density_ratio[i] = here.w * kernel.value(Real(0)) + sum_of_lanes(sum);
        });
    context.boundary->add_density_ratio(fluid.position, context.parallel, density_ratio);
}

template <class S>
void EquationOfState<S>::push(const FluidView<S>& fluid, const BlockContext<S>& context,
                              std::span<const Real> density_ratio, std::span<const Real> pressure) {
    assert(promises::sized(fluid.size(), context.neighbors, fluid.velocity, fluid.mass, fluid.volume));
    assert(promises::sized(fluid.size(), density_ratio, pressure) && context.boundary && context.dt > 0);
    assert(promises::positive(fluid.mass, fluid.volume, density_ratio));
    assert(promises::finite(fluid.position, fluid.velocity));
    const auto stage = context.timer.stage("pressure");
    const CubicSpline<S>& kernel = context.boundary->kernel();
    const Real inverse_h = 1 / kernel.support_radius(), step = static_cast<Real>(context.dt);
    const auto velocity = fluid.velocity;
    const MaybeUniform<Real> volumes(fluid.volume);
    around_.resize(fluid.size());
    p_.resize(fluid.size());
    lightness_.resize(fluid.size());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        p_[i] = step * step * pressure[i] / (density_ratio[i] * density_ratio[i]);
        lightness_[i] = fluid.volume[i] / fluid.mass[i];
        around_[i] = fluid.position[i];
        around_[i].w = p_[i];
    });
    simd::for_each<Real>(
        context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const Row here = around_[i];
            Vec3<P> sum{};
            for_each_eight(
                i, context.neighbors.row(i), [&](const std::uint32_t* j, int, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
                    const auto there = simd::load_rows<P>(around_.data(), j);
                    const Vec3<P> r{there.x - P(here.x), there.y - P(here.y), there.z - P(here.z)};  // 0 beyond the row
                    const P distance = sqrt(dot(r, r));
                    const P slope = kernel.slope(distance * P(inverse_h)) / distance;
                    const P weight = volumes.template of<P>(j) * (P(here.w) + there.w);
                    sum += select(distance > P(0), weight * slope, P(0)) * r;
                });
            velocity[i] = velocity[i].xyz() + (lightness_[i] / step) * sum_of_lanes(sum);
        });
    contacts_.update(*context.boundary, kernel, Real(1), context.bodies, fluid.position, context.parallel);
    contacts_.for_each(context.parallel, [&](const auto& c) {
        const Real change = lightness_[c.particle] * p_[c.particle] / step;
        velocity[c.particle] = velocity[c.particle].xyz() - change * c.push;
    });
    contacts_.press(p_, fluid.volume, context.dt, context.parallel, context.bodies);
}

template <class S>
void EquationOfState<S>::find_wall_displacement(const BlockContext<S>& context,
                                                std::span<Row> wall_displacement) const {
    assert(wall_displacement.size() == lightness_.size());
    std::fill(wall_displacement.begin(), wall_displacement.end(), Row{});
    contacts_.for_each(context.parallel, [&](const auto& c) {
        const Real moved = lightness_[c.particle] * p_[c.particle];
        wall_displacement[c.particle] = wall_displacement[c.particle].xyz() - moved * c.push;
    });
}

template class EquationOfState<Space2f>;
template class EquationOfState<Space3f>;
template class EquationOfState<Space2d>;
template class EquationOfState<Space3d>;

}  // namespace treacle
