#include "blocks/pressure/mps_projection.h"

#include <algorithm>
#include <cassert>

#include "blocks/solids/body_loads.h"
#include "core/promises.h"

namespace treacle {

template <class S>
typename S::Vec MpsProjection<S>::symmetric_gradient(std::size_t i) const {
    Vec sum{};
    for (const MpsPair<S>& pair : cloud_.carriers(i))
        sum += ((pressure_[i] + pressure_[pair.j]) * operators_.slope(pair)) * pair.r;
    return static_cast<Real>(S::dim) * sum;
}

template <class S>
typename S::Vec MpsProjection<S>::repulsion(std::size_t i) const {
    const Real at_spacing = weight_(static_cast<Real>(settings_.spacing));
    Vec sum{};
    for (const MpsPair<S>& pair : cloud_.carriers(i)) {
        const Real a = pressure_[i], b = pressure_[pair.j], near = pair.weight / at_spacing;
        const Real raised =
            a > 0 && b > 0 ? Real(0.01) * (a + b) : Real(0.2) * (std::max(-a, Real(0)) + std::max(-b, Real(0)));
        sum += (raised * near * near * near * near * operators_.slope(pair)) * pair.r;
    }
    return static_cast<Real>(S::dim) * sum;
}

template <class S>
typename S::Vec MpsProjection<S>::pressure_gradient(std::size_t i) const {
    switch (settings_.reference) {
        case PressureReference::own: return operators_.gradient(i, pressure_);
        case PressureReference::symmetric: return symmetric_gradient(i);
        case PressureReference::minimum: break;
    }
    Real lowest = pressure_[i];
    for (const MpsPair<S>& pair : cloud_.carriers(i)) lowest = std::min(lowest, pressure_[pair.j]);
    return operators_.gradient(i, pressure_, lowest);
}

template <class S>
void MpsProjection<S>::press_bodies(const FluidView<S>& fluid, const BlockContext<S>& context) const {
    const BoundaryParticles<S>& walls = *context.boundary;
    Bodies& bodies = context.bodies;
    push_bodies(fluid.rows(), 1, context.parallel, bodies, [&](std::size_t i, BodyLoads& loads) {
        for (const MpsPair<S>& pair : cloud_.carriers(i)) {
            if (cloud_.is_fluid(pair.j)) continue;
            const std::size_t k = pair.j - fluid.size();
            const Real pressures = pressure_[i] + pressure_[pair.j];
            const Real factor = static_cast<Real>(S::dim) * (fluid.mass[i] / rest_density_[i]) * operators_.slope(pair);
            const std::uint32_t b = walls.body()[k];
            loads.add(b, bodies[b], cast<double>(walls.position()[k].xyz()),
                      cast<double>((factor * pressures) * pair.r));
        }
    });
}

template <class S>
void MpsProjection<S>::predict(const FluidView<S>& fluid, const BlockContext<S>& context,
                               std::span<const SymMat<Real>> stress, std::span<const Row> acceleration) {
    assert(promises::sized(fluid.size(), fluid.velocity, fluid.material, acceleration) && context.dt > 0);
    assert(promises::sized_or_empty(fluid.size(), stress) && promises::finite(fluid.position, fluid.velocity));
    assert(promises::within(settings_.rest_density.size(), fluid.material));
    const auto stage = context.timer.stage("flow");
    cloud_.update(fluid, context, weight_);
    number_density_.update(cloud_, settings_.surface_test, context.parallel);
    operators_.update(cloud_, settings_.corrected_gradient, context.parallel);
    rest_density_.resize(fluid.size());
    const Real dt = static_cast<Real>(context.dt);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        rest_density_[i] = settings_.rest_density[fluid.material[i]];
        Vec a = acceleration[i].xyz();
        if (!stress.empty()) a += operators_.stress_divergence(i, stress) / rest_density_[i];
        fluid.velocity[i] = fluid.velocity[i].xyz() + dt * a;
    });
}

template <class S>
SolverReport MpsProjection<S>::project(const FluidView<S>& fluid, const BlockContext<S>& context,
                                       std::span<Real> pressure) {
    assert(promises::sized(fluid.size(), fluid.velocity, fluid.mass, pressure, rest_density_) && context.dt > 0);
    assert(promises::finite(fluid.velocity) && promises::positive(fluid.mass));
    const auto stage = context.timer.stage("flow");
    const Parallel& parallel = context.parallel;
    pressure_.assign(cloud_.size(), 0);
    std::copy(pressure.begin(), pressure.end(), pressure_.begin());
    cloud_.gather_velocities(fluid, context, velocity_);
    const SolverReport report =
        poisson_.solve(context, operators_, number_density_, velocity_, rest_density_, pressure_);
    if (!settings_.negative_pressure) {
        parallel.for_each(Rows::of(cloud_.size()),
                          [&](std::size_t i) { pressure_[i] = std::max(pressure_[i], Real(0)); });
    }
    press_bodies(fluid, context);
    const Real dt = static_cast<Real>(context.dt);
    parallel.for_each(fluid.rows(), [&](std::size_t i) {
        Vec gradient = pressure_gradient(i);
        if (settings_.repulsion) gradient += repulsion(i);
        fluid.velocity[i] = fluid.velocity[i].xyz() - (dt / rest_density_[i]) * gradient;
    });
    std::copy_n(pressure_.begin(), fluid.size(), pressure.begin());
    std::copy(fluid.velocity.begin(), fluid.velocity.end(), velocity_.begin());
    gradient_.resize(fluid.size());
    parallel.for_each(fluid.rows(), [&](std::size_t i) { gradient_[i] = operators_.velocity_gradient(i, velocity_); });
    return report;
}

template class MpsProjection<Space2d>;
template class MpsProjection<Space3d>;

}  // namespace treacle
