#include "methods/clavet2005/clavet2005.h"

#include <algorithm>
#include <cmath>

#include "methods/clavet2005/coefficients.h"

namespace treacle::clavet2005 {

/// Tang's report, section 3: the eight components in its order.
template <class S>
StepReport Clavet2005<S>::step(StepContext<S>& context) {
    Columns<S> columns(context.particles);
    context.report.iterations = 1;
    kick(columns, context.dt * context.gravity, context.parallel);  // (1) eq. 1
    apply_viscosity(context, columns);                              // (2) eq. 2
    drift(columns, context.dt, context.parallel);                   // (3) eq. 3
    adjust_springs(context, columns);                               // (4) eq. 4
    displace_by_springs(context, columns);                          // (5) eq. 5
    relax_double_density(context, columns);                         // (6) eq. 6
    resolve_collisions(context, columns);                           // (7) eq. 7
    // (8) eq. 8, v = (x - x_old)/dt, holds already: every displacement d above was added to the velocity as d/dt.
    //     A difference of absolute positions would lose the small motions of a float far from the origin.
    return context.report;
}

/// Sets σ of every material for this step; returns how many sweeps the step takes.
template <class S>
int Clavet2005<S>::prepare_viscosity(double dt) {
    if (settings_.coefficients == Coefficients::paper) return 1;
    double sweeps = 1;
    for (const auto& m : coefficients_.materials) {
        sweeps = std::max(sweeps, std::ceil(dt / viscosity_calibration_->longest_sweep(m.kinematic_viscosity)));
    }
    for (std::size_t m = 0; m < coefficients_.materials.size(); ++m) {
        viscosity_.materials[m].linear = static_cast<Real>(
            viscosity_calibration_->linear_viscosity(coefficients_.materials[m].kinematic_viscosity, dt / sweeps));
    }
    return static_cast<int>(sweeps);
}

template <class S>
void Clavet2005<S>::apply_viscosity(StepContext<S>& context, Columns<S>& columns) {
    const auto scope = context.timer.stage("viscosity");
    const int sweeps = prepare_viscosity(context.dt);
    if (!viscosity_.active()) return;
    const Real dt = static_cast<Real>(context.dt / sweeps);
    for (int n = 0; n < sweeps; ++n) {
        if (settings_.sweep == Settings::Sweep::sequential) {
            viscosity_.sweep(context.neighbors, columns.position, columns.mass, columns.id, columns.material, dt,
                             columns.velocity);
            continue;
        }
        // The displacement column is free at this point and serves as the second buffer.
        viscosity_.gather(context.neighbors, columns.position, columns.velocity, columns.mass, columns.id,
                          columns.material, dt, context.parallel, columns.displacement);
        std::copy(columns.displacement.begin(), columns.displacement.end(), columns.velocity.begin());
    }
    context.report.iterations = sweeps;
}

template <class S>
void Clavet2005<S>::adjust_springs(StepContext<S>& context, Columns<S>& columns) const {
    const auto scope = context.timer.stage("springs");
    if (!springs_.active()) return;
    springs_.adjust(context.connections, columns.position, columns.material, static_cast<Real>(context.dt),
                    context.parallel);
    springs_.renew(context.connections, context.neighbors, columns.position, columns.material, Births::none(),
                   context.parallel);
}

template <class S>
void Clavet2005<S>::displace_by_springs(StepContext<S>& context, Columns<S>& columns) const {
    const auto scope = context.timer.stage("springs");
    if (!springs_.active()) return;
    const Real dt = static_cast<Real>(context.dt);
    if (settings_.sweep == Settings::Sweep::sequential) {
        springs_.sweep(context.connections, columns.mass, columns.id, columns.material, dt, columns.position,
                       columns.displacement);
        add_to_velocity(context, columns);
        return;
    }
    springs_.gather(context.connections, columns.position, columns.mass, columns.id, columns.material, dt,
                    context.parallel, columns.displacement);
    add_to_position(context, columns);
    add_to_velocity(context, columns);
}

template <class S>
void Clavet2005<S>::relax_double_density(StepContext<S>& context, Columns<S>& columns) {
    const auto scope = context.timer.stage("double density");
    const Real dt = static_cast<Real>(context.dt);
    walls_.update(columns.position, context.bodies, coefficients_.support_radius, context.parallel);
    if (settings_.sweep == Settings::Sweep::sequential) {
        pressure_.sweep(context.neighbors, walls_, columns.mass, columns.id, columns.material, dt, columns.position,
                        columns.displacement, columns.wall_displacement, columns.number_density, columns.pressure,
                        columns.near_pressure);
        press_walls(context, columns);
        add_to_velocity(context, columns);
        report_density(context, columns);
        return;
    }
    gather_pressure(context, columns);
    press_walls(context, columns);
    add_to_position(context, columns);
    add_to_velocity(context, columns);
    report_density(context, columns);
}

/// Every body gets the reaction to what its walls do.
template <class S>
void Clavet2005<S>::press_walls(StepContext<S>& context, const Columns<S>& columns) const {
    pressure_.press(walls_, columns.position, columns.mass, columns.material, columns.pressure, columns.near_pressure,
                    static_cast<Real>(context.dt), context.parallel, context.bodies);
}

/// Displacements by pressure, walls and cohesion at the present positions.
template <class S>
void Clavet2005<S>::gather_pressure(StepContext<S>& context, Columns<S>& columns) {
    const Real dt = static_cast<Real>(context.dt);
    pressure_.measure(context.neighbors, walls_, columns.position, columns.id, columns.material, context.parallel,
                      columns.number_density, columns.pressure, columns.near_pressure);
    pressure_.gather(context.neighbors, walls_, columns.position, columns.mass, columns.id, columns.material,
                     columns.pressure, columns.near_pressure, dt, context.parallel, columns.displacement,
                     columns.wall_displacement);
    if (!cohesion_.active()) return;
    cohesion_.gather(context.neighbors, columns.position, columns.mass, columns.id, columns.material, dt,
                     context.parallel, columns.displacement);
}

template <class S>
void Clavet2005<S>::resolve_collisions(StepContext<S>& context, Columns<S>& columns) {
    const auto scope = context.timer.stage("collisions");
    walls_.update(columns.position, context.bodies, collision_.reach, context.parallel);
    const Real dt = static_cast<Real>(context.dt);
    const auto kept = collision_.meet(walls_, columns.mass, columns.pressed, dt, context.parallel, columns.position,
                                      columns.velocity, context.bodies);
    collision_.stop(walls_, columns.mass, dt, context.parallel, columns.position, columns.velocity,
                    columns.wall_displacement, context.bodies);
    wall_load_.update(context.neighbors, walls_, columns.position, columns.wall_displacement, dt, context.parallel,
                      columns.pressure, columns.pressed);  // the pressure is not needed any more in this step
    collision_.rub(walls_, columns.mass, columns.pressed, dt, context.parallel, columns.position, columns.velocity,
                   context.bodies);
    Collision<S>::part(kept, context.bodies);
}

template <class S>
void Clavet2005<S>::add_to_position(StepContext<S>& context, Columns<S>& columns) const {
    context.parallel.for_each(columns.position.size(), [&](std::size_t i) {
        columns.position[i] = columns.position[i].xyz() + columns.displacement[i].xyz();
    });
}

template <class S>
void Clavet2005<S>::add_to_velocity(StepContext<S>& context, Columns<S>& columns) const {
    const Real dt = static_cast<Real>(context.dt);
    context.parallel.for_each(columns.velocity.size(), [&](std::size_t i) {
        columns.velocity[i] = columns.velocity[i].xyz() + columns.displacement[i].xyz() / dt;
    });
}

template <class S>
StepReport Clavet2005<S>::start(StepContext<S>& context) {
    Columns<S> columns(context.particles);
    walls_.update(columns.position, context.bodies, coefficients_.support_radius, context.parallel);
    pressure_.measure(context.neighbors, walls_, columns.position, columns.id, columns.material, context.parallel,
                      columns.number_density, columns.pressure, columns.near_pressure);
    report_density(context, columns);
    context.report.iterations = 0;
    if (!springs_.active()) return context.report;
    springs_.renew(context.connections, context.neighbors, columns.position, columns.material, Births::all(),
                   context.parallel);
    return context.report;
}

template <class S>
void Clavet2005<S>::add_births(StepContext<S>& context, const Births& births) {
    if (!springs_.active()) return;
    Columns<S> columns(context.particles);
    springs_.renew(context.connections, context.neighbors, columns.position, columns.material, births,
                   context.parallel);
}

template <class S>
auto Clavet2005<S>::settling() const -> Settling {
    // Half a spacing is enough not to fall back into the lattice.
    if (settings_.settled_start && settings_.coefficients == Coefficients::physical)
        return {.steps = 200, .nudge = 0.5};
    return {};
}

/// Pressure alone with half of the velocity taken away each time: the lattice relaxes into a packing at rest.
template <class S>
bool Clavet2005<S>::settle(StepContext<S>& context) {
    Columns<S> columns(context.particles);
    context.parallel.for_each(columns.velocity.size(),
                              [&](std::size_t i) { columns.velocity[i] = Real(0.5) * columns.velocity[i].xyz(); });
    drift(columns, context.dt, context.parallel);
    walls_.update(columns.position, context.bodies, coefficients_.support_radius, context.parallel);
    gather_pressure(context, columns);
    add_to_position(context, columns);
    add_to_velocity(context, columns);
    resolve_collisions(context, columns);
    return false;  // the random motion of a packing never quite ends
}

/// The method's density counts neighbors and has no unit. With the particle itself (weight 1) it is proportional to
/// the number of particles per volume, which the undisturbed lattice gauges.
template <class S>
void Clavet2005<S>::report_density(StepContext<S>& context, Columns<S>& columns) const {
    const double gauge = 1 / (1 + coefficients_.packing.density);
    const std::size_t count = columns.density.size();
    context.parallel.for_each(count, [&](std::size_t i) {
        const double ratio = (1 + static_cast<double>(columns.number_density[i])) * gauge;
        columns.density[i] = static_cast<Real>(material_density_[columns.material[i]] * ratio);
    });
    const auto compression = [&](std::size_t i) {
        return std::max(0.0, (1 + static_cast<double>(columns.number_density[i])) * gauge - 1);
    };
    context.report.density_error_mean = context.parallel.template sum<double>(Rows::of(count), compression) /
                                        std::max<double>(1, static_cast<double>(count));
    context.report.density_error_max = context.parallel.max(Rows::of(count), 0.0, compression);
}

template class Clavet2005<Space2f>;
template class Clavet2005<Space3f>;
template class Clavet2005<Space2d>;
template class Clavet2005<Space3d>;

}  // namespace treacle::clavet2005
