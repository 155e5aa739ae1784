#include "blocks/pressure/equation_of_state.h"

#include <cassert>

#include "blocks/pair_pack.h"
#include "core/promises.h"

namespace treacle {

template <class S>
void EquationOfState<S>::measure(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary,
                                 const Fluid& fluid, const Parallel& parallel, std::span<Real> density_ratio) {
    assert(promises::rows_within(fluid.position.size(), neighbors));
    assert(promises::reaching(boundary.kernel().support_radius(), neighbors));
    assert(promises::sized(fluid.position.size(), fluid.mass, fluid.volume, density_ratio));
    assert(promises::finite(fluid.position) && promises::positive(fluid.mass, fluid.volume));
    const CubicSpline<S>& kernel = boundary.kernel();
    const Real inverse_h = 1 / kernel.support_radius();
    around_.resize(fluid.position.size());
    parallel.for_each(around_.size(), [&](std::size_t i) {
        around_[i] = fluid.position[i];
        around_[i].w = fluid.volume[i];
    });
    simd::for_each<Real>(
        parallel, around_.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const Row here = around_[i];
            P sum;
            for_each_eight(i, neighbors.row(i),
                           [&](const std::uint32_t* j, int count, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
                               const auto there = simd::load_rows<P>(around_.data(), j);
                               const Vec3<P> r{there.x - P(here.x), there.y - P(here.y), there.z - P(here.z)};
                               P q = sqrt(dot(r, r)) * P(inverse_h);
                               if (count < simd::lanes) q = select(simd::first_lanes<P>(count), q, P(1));  // W(1) = 0
                               sum += there.w * kernel.value(q);
                           });
            density_ratio[i] = here.w * kernel.value(Real(0)) + sum_of_lanes(sum);
        });
    boundary.add_density_ratio(fluid.position, parallel, density_ratio);
}

template <class S>
void EquationOfState<S>::push(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary, const Fluid& fluid,
                              std::span<const Real> density_ratio, std::span<const Real> pressure, double dt,
                              const Parallel& parallel, std::span<Row> velocity, Bodies& bodies) {
    assert(promises::sized(neighbors.size(), fluid.position, fluid.mass, fluid.volume, density_ratio, pressure));
    assert(velocity.size() == neighbors.size() && promises::positive(fluid.mass, fluid.volume, density_ratio));
    assert(promises::finite(fluid.position, velocity) && dt > 0);
    const CubicSpline<S>& kernel = boundary.kernel();
    const Real inverse_h = 1 / kernel.support_radius(), step = static_cast<Real>(dt);
    const std::size_t count = fluid.position.size();
    const MaybeUniform<Real> volumes(fluid.volume);
    around_.resize(count);
    p_.resize(count);
    lightness_.resize(count);
    parallel.for_each(count, [&](std::size_t i) {
        p_[i] = step * step * pressure[i] / (density_ratio[i] * density_ratio[i]);
        lightness_[i] = fluid.volume[i] / fluid.mass[i];
        around_[i] = fluid.position[i];
        around_[i].w = p_[i];
    });
    simd::for_each<Real>(parallel, count, [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        const Row here = around_[i];
        Vec3<P> sum{};
        for_each_eight(i, neighbors.row(i), [&](const std::uint32_t* j, int, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
            const auto there = simd::load_rows<P>(around_.data(), j);
            const Vec3<P> r{there.x - P(here.x), there.y - P(here.y), there.z - P(here.z)};  // 0 beyond the row
            const P distance = sqrt(dot(r, r));
            const P slope = kernel.slope(distance * P(inverse_h)) / distance;
            const P weight = volumes.template of<P>(j) * (P(here.w) + there.w);
            sum += select(distance > P(0), weight * slope, P(0)) * r;
        });
        velocity[i] = velocity[i].xyz() + (lightness_[i] / step) * sum_of_lanes(sum);
    });
    contacts_.update(boundary, kernel, Real(1), bodies, fluid.position, parallel);
    contacts_.for_each(parallel, [&](const auto& c) {
        const Real change = lightness_[c.particle] * p_[c.particle] / step;
        velocity[c.particle] = velocity[c.particle].xyz() - change * c.push;
    });
    contacts_.press(p_, fluid.volume, dt, parallel, bodies);
}

template <class S>
void EquationOfState<S>::add_wall_displacement(const Parallel& parallel, std::span<Row> wall_displacement) const {
    assert(wall_displacement.size() == lightness_.size());
    contacts_.for_each(parallel, [&](const auto& c) {
        const Real moved = lightness_[c.particle] * p_[c.particle];
        wall_displacement[c.particle] = wall_displacement[c.particle].xyz() - moved * c.push;
    });
}

template class EquationOfState<Space2f>;
template class EquationOfState<Space3f>;
template class EquationOfState<Space2d>;
template class EquationOfState<Space3d>;

}  // namespace treacle
