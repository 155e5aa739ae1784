#include "blocks/pressure/blended_pressure.h"

#include <algorithm>
#include <cassert>

#include "core/promises.h"

namespace treacle {

template <class S>
bool BlendedPressure<S>::active() const {
    return std::any_of(settings.materials.begin(), settings.materials.end(),
                       [](const Material& m) { return m.fluidity > 0; });
}

template <class S>
void BlendedPressure<S>::measure(const FluidView<S>& fluid, const BlockContext<S>& context,
                                 std::span<Real> density_ratio) {
    assert(promises::sized(fluid.size(), fluid.density, fluid.material, density_ratio));
    assert(promises::within(settings.materials.size(), fluid.material));
    if (settings.solved) solver.measure(fluid, context, density_ratio);
    else equation_of_state_.measure(fluid, context, density_ratio);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        fluid.density[i] = density_ratio[i] * settings.materials[fluid.material[i]].rest_density;
    });
}

template <class S>
auto BlendedPressure<S>::apply(const FluidView<S>& fluid, const BlockContext<S>& context,
                               std::span<const Real> density_ratio, std::span<Real> pressure,
                               std::span<Row> wall_displacement) -> Report {
    assert(promises::sized(fluid.size(), fluid.material, density_ratio, pressure, wall_displacement));
    assert(promises::within(settings.materials.size(), fluid.material) && context.dt > 0);
    std::fill(wall_displacement.begin(), wall_displacement.end(), Row{});
    if (!active() || fluid.size() == 0) return {};
    if (settings.as_printed) {
        printed.apply(fluid, context);
        return {};
    }
    if (settings.solved) {
        const Report report = solve(fluid, context, density_ratio, pressure);
        solver.push(fluid, context, density_ratio, pressure);
        solver.find_wall_displacement(context, wall_displacement);
        return report;
    }
    const Report report = find_pressure(fluid, context, density_ratio, pressure);
    equation_of_state_.push(fluid, context, density_ratio, pressure);
    equation_of_state_.find_wall_displacement(context, wall_displacement);
    return report;
}

template <class S>
bool BlendedPressure<S>::loosen(const FluidView<S>& fluid, const BlockContext<S>& context,
                                std::span<Real> density_ratio, std::span<Real> pressure) {
    assert(promises::sized(fluid.size(), fluid.velocity, density_ratio, pressure) && context.dt > 0);
    constexpr Real enough = Real(1.0001);
    if (!active()) return false;
    solver.measure(fluid, context, density_ratio);
    if (context.parallel.max(fluid.rows(), Real(0), [&](std::size_t i) { return density_ratio[i]; }) <= enough)
        return false;
    solver.solve(fluid, context, density_ratio, pressure);
    return true;
}

/// The pressure is solved for as in a fluid, on copies of velocities and bodies.
template <class S>
auto BlendedPressure<S>::solve(const FluidView<S>& fluid, const BlockContext<S>& context,
                               std::span<const Real> density_ratio, std::span<Real> pressure) -> Report {
    velocity_.assign(fluid.velocity.begin(), fluid.velocity.end());
    FluidView<S> copy = fluid;
    copy.velocity = velocity_;
    Bodies bodies = context.bodies;
    const auto report = solver.solve(copy, context.with(bodies), density_ratio, pressure);
    context.parallel.for_each(fluid.rows(),
                              [&](std::size_t i) { pressure[i] *= settings.materials[fluid.material[i]].fluidity; });
    return {report.iterations, {report.error_mean, report.error_max}};
}

template <class S>
auto BlendedPressure<S>::find_pressure(const FluidView<S>& fluid, const BlockContext<S>& context,
                                       std::span<const Real> density_ratio, std::span<Real> pressure) const -> Report {
    const auto stage = context.timer.stage("pressure");
    const Real square = static_cast<Real>(settings.sound_speed * settings.sound_speed);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const Material& own = settings.materials[fluid.material[i]];
        const Real compression = std::max(Real(0), density_ratio[i] - 1);
        pressure[i] = own.fluidity * square * own.rest_density * compression;
    });
    return {0, measure_compression(fluid.rows(), context.parallel,
                                   [&](std::size_t i) { return static_cast<double>(density_ratio[i]); })};
}

template class BlendedPressure<Space2f>;
template class BlendedPressure<Space3f>;
template class BlendedPressure<Space2d>;
template class BlendedPressure<Space3d>;

}  // namespace treacle
