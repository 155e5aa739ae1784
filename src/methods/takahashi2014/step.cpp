#include "methods/takahashi2014/takahashi2014.h"

#include <algorithm>
#include <cmath>

#include "methods/takahashi2014/coefficients.h"

namespace treacle::takahashi2014 {

/// The paper's Algorithm 2 with its numbers of lines. Lines 1 and 2, the neighbors, are the simulation's.
template <class S>
StepReport Takahashi2014<S>::step(StepContext<S>& context) {
    Columns<S> columns(context.particles);
    measure_density(context, columns);                      // for line 8
    change_phase(context, columns);                         // not in the paper
    control_connections(context, columns, Births::none());  // line 4, Algorithm 1
    control_anchors(context, columns);                      // line 4, of fluid to solids
    correct_velocities(context, columns);                   // lines 6 and 7: eqs. 8, 10 and 11
    apply_forces(context, columns);                         // line 6: eq. 5
    solve_pressure(context, columns);                       // lines 8, 10, 11 and 12: eqs. 2, 9 and 3
    drift(columns, context.dt, context.parallel);           // line 13: eq. 4
    keep_out_of_solids(context, columns);                   // not in the paper
    return context.report;
}

template <class S>
void Takahashi2014<S>::measure_density(StepContext<S>& context, Columns<S>& columns) {
    if (!boundary_) {
        boundary_.emplace(context.bodies,
                          typename BoundaryParticles<S>::Settings{.spacing = spacing_,
                                                                  .support_radius = support_radius_},
                          context.parallel);
    }
    {
        const auto scope = context.timer.stage("boundary");
        boundary_->update(columns.position, context.bodies, context.parallel);
    }
    const auto scope = context.timer.stage("density");
    const std::size_t count = columns.position.size();
    measure_volumes(columns, context.parallel, [&](std::size_t material) { return rest_density_[material]; });
    pressure_.measure(context.neighbors, *boundary_, context.bodies, columns.position, columns.volume, columns.mass,
                      context.parallel, columns.density_ratio);
    context.parallel.for_each(count, [&](std::size_t i) {
        columns.density[i] = columns.density_ratio[i] * rest_density_[columns.material[i]];
    });
}

/// Heat flows, time passes, and what depends on them changes; all to what it is at the end of the step.
template <class S>
void Takahashi2014<S>::change_phase(StepContext<S>& context, Columns<S>& columns) {
    conditions_.conduct_heat(context, *boundary_, columns.volume);
    conditions_.grow_old(context);
    evaluate_properties(context, columns, Births::none());
    if (!varying_modulus_) return;
    const auto scope = context.timer.stage("properties");
    correction_.cure(context.connections,
                     {columns.position, columns.mass, columns.volume, columns.material, columns.fluid, varying()},
                     context.parallel);
    adhesion_.cure(context.anchors, context.bodies, {columns.position, columns.mass, columns.material, {}, varying()},
                   context.parallel);
}

template <class S>
void Takahashi2014<S>::evaluate_properties(StepContext<S>& context, Columns<S>& columns, const Births& births) {
    if (varying_materials_.empty()) return;
    const auto scope = context.timer.stage("properties");
    const auto conditions = conditions_.view(context.particles);
    const auto modulus = varying_modulus_ ? context.particles.template get<Real>("shear_modulus") : std::span<Real>{};
    elasticity_.resize(columns.position.size());
    particle_viscosity_.resize(columns.position.size());
    context.parallel.for_each(columns.position.size(), [&](std::size_t i) {
        const VaryingMaterial& material = varying_materials_[columns.material[i]];
        const double stiff = conditions.at(material.shear_modulus, i),
                     relaxation_time = conditions.at(material.relaxation_time, i);
        const double reach = material.elastic ? support_radius_ * conditions.at(material.connect_distance, i) : 0;
        const double healing_time =
            material.healing_time.value_or(std::isfinite(relaxation_time) ? relaxation_time : 1);
        particle_viscosity_[i] = static_cast<Real>(conditions.at(material.viscosity, i));
        elasticity_.shear_modulus[i] = static_cast<Real>(stiff);
        elasticity_.modulus_before[i] = modulus.empty() || births[i] ? elasticity_.shear_modulus[i] : modulus[i];
        elasticity_.relaxation_rate[i] = static_cast<Real>(1 / relaxation_time);
        elasticity_.healing_rate[i] =
            static_cast<Real>(healing_time > 0 ? 1 / healing_time : std::numeric_limits<double>::infinity());
        elasticity_.yield_strain[i] =
            static_cast<Real>(takahashi2014::yield_strain(conditions.at(material.yield_stress, i), stiff));
        elasticity_.connect_distance[i] = static_cast<Real>(reach);
        elasticity_.first_connect_distance[i] =
            material.first_connect_distance && material.elastic
                ? static_cast<Real>(*material.first_connect_distance * support_radius_)
                : elasticity_.connect_distance[i];
        if (!modulus.empty()) modulus[i] = elasticity_.shear_modulus[i];
    });
}

template <class S>
void Takahashi2014<S>::control_connections(StepContext<S>& context, Columns<S>& columns, const Births& births) {
    if (!correction_.active()) return;
    const auto scope = context.timer.stage("connections");
    control_.update(context.connections, context.neighbors,
                    {columns.position, columns.material, columns.fluid, varying()}, births, context.parallel);
}

template <class S>
void Takahashi2014<S>::control_anchors(StepContext<S>& context, Columns<S>& columns) {
    if (!correction_.active()) return;
    const auto scope = context.timer.stage("connections");
    adhesion_.update(context.anchors, *boundary_, context.bodies,
                     {columns.position, columns.mass, columns.material, correction_.stiffness(), varying()},
                     context.parallel);
}

template <class S>
void Takahashi2014<S>::correct_velocities(StepContext<S>& context, Columns<S>& columns) {
    if (!correction_.active()) return;
    const auto scope = context.timer.stage("velocity correction");
    const Real dt = static_cast<Real>(context.dt);
    const typename VelocityCorrection<S>::Fluid fluid{columns.position, columns.mass,  columns.volume,
                                                      columns.material, columns.fluid, varying()};
    if (!correction_.as_in_paper) correction_.measure(context.connections, fluid, context.parallel);
    if (correction_.springs) {  // what holds to solids counts in c, with m Δv = c m D/dt there
        context.parallel.for_each(columns.correction.size(), [&](std::size_t i) {
            columns.correction[i] =
                dt * dt * correction_.materials[columns.material[i]].spring_stiffness / columns.mass[i];
        });
    }
    const typename SolidConnections<S>::Fluid at_solids{columns.position, columns.mass, columns.material,
                                                        correction_.stiffness(), varying()};
    if (settings_.correction_scheme == Settings::Correction::shape_matching) {
        match_shapes(context, columns);
        adhesion_.correct(context.anchors, at_solids, columns.correction, dt, context.parallel, context.bodies,
                          columns.velocity);
    } else if (!too_stiff(context, columns)) {
        correction_.correct(context.connections, fluid, columns.correction, dt, context.parallel,
                            columns.velocity);  // eq. 6
        adhesion_.correct(context.anchors, at_solids, columns.correction, dt, context.parallel, context.bodies,
                          columns.velocity);  // eqs. 8 to 10
    } else {
        adhesion_.hold(context.anchors, at_solids, columns.correction, dt, context.parallel, context.bodies,
                       columns.velocity, held_);
        correction_.correct_implicitly(context.connections, fluid, columns.correction, dt, held_, context.parallel,
                                       columns.velocity);
        adhesion_.react(context.anchors, at_solids, columns.correction, dt, context.parallel, columns.velocity,
                        context.bodies);
    }
    correction_.relax(context.connections, fluid, dt, context.parallel, columns.correction);  // eqs. 7 and 11
    adhesion_.relax(context.anchors, context.bodies, at_solids, dt, context.parallel, columns.correction);
}

/// Whether corrections from the present positions would overshoot. The paper's c is a share of a stretch per connection
/// and step; a particle with n of them overshoots at c n = 12 and rattles from 3 on.
template <class S>
bool Takahashi2014<S>::too_stiff(const StepContext<S>& context, const Columns<S>& columns) const {
    using Elasticity = Settings::Elasticity;
    if (correction_.damped()) return true;
    if (settings_.elasticity != Elasticity::automatic) return settings_.elasticity == Elasticity::implicit_steps;
    if (!correction_.as_in_paper) return context.dt > 1.01 * explicit_step_;
    return context.parallel.max(Rows::of(columns.correction.size()), 0.0, [&](std::size_t i) {
        const double links = static_cast<double>(context.connections.count(i) + context.anchors.count(i));
        return static_cast<double>(columns.correction[i]) * links;
    }) > (correction_.springs ? 1.5 : 3);  // k dt²/m of a spring is half the c of a pair
}

/// Δv = c (g - x)/dt: the shape matching of the three corrections in section 3.2.1.
template <class S>
void Takahashi2014<S>::match_shapes(StepContext<S>& context, Columns<S>& columns) {
    const auto rotation = context.particles.template get<Row>("rotation");
    const typename ShapeMatching<S>::Fluid fluid{columns.position, columns.mass};
    to_goal_.resize(columns.position.size());
    matching_.fit(context.connections, fluid, context.parallel, rotation);
    matching_.gather(context.connections, rotation, context.parallel, to_goal_);
    const Real dt = static_cast<Real>(context.dt);
    context.parallel.for_each(to_goal_.size(), [&](std::size_t i) {
        columns.velocity[i] = columns.velocity[i].xyz() + (columns.correction[i] / dt) * to_goal_[i].xyz();
    });
}

template <class S>
void Takahashi2014<S>::apply_forces(StepContext<S>& context, Columns<S>& columns) {
    kick(columns, context.dt * context.gravity, context.parallel);
    apply_viscosity(context, columns);
    pull_surfaces(context, columns);
    rub_walls(context, columns);
}

template <class S>
void Takahashi2014<S>::apply_viscosity(StepContext<S>& context, Columns<S>& columns) {
    if (!viscous_) return;
    const auto scope = context.timer.stage("viscosity");
    const std::size_t count = columns.position.size();
    if (varying_materials_.empty()) {
        particle_viscosity_.resize(count);
        context.parallel.for_each(count, [&](std::size_t i) {
            particle_viscosity_[i] = dynamic_viscosity_[columns.material[i]];
        });
    }
    using Scheme = Settings::Viscosity;
    switch (settings_.viscosity_scheme) {
        case Scheme::implicit_steps: return apply_implicit_viscosity(context, columns);
        case Scheme::explicit_steps: return apply_explicit_viscosity(context, columns);
        case Scheme::xsph: return apply_xsph(context, columns);
    }
}

template <class S>
void Takahashi2014<S>::apply_implicit_viscosity(StepContext<S>& context, Columns<S>& columns) {
    viscosity_->apply(context.neighbors, *boundary_,
                      {columns.position, columns.mass, columns.volume, particle_viscosity_}, context.dt,
                      context.gravity, context.parallel, columns.velocity, context.bodies,
                      columns.viscous_acceleration);
}

template <class S>
void Takahashi2014<S>::apply_explicit_viscosity(StepContext<S>& context, Columns<S>& columns) {
    const std::size_t count = columns.position.size();
    viscous_rows_.assign(count, Row{});
    ExplicitViscosity<S>{support_radius_}.add(context.neighbors, columns.position, columns.velocity, columns.mass,
                                              columns.volume, particle_viscosity_, context.parallel, viscous_rows_);
    boundary_->add_viscosity(columns.position, columns.velocity, columns.mass, columns.volume, particle_viscosity_,
                             context.parallel, viscous_rows_, context.bodies);
    const Real dt = static_cast<Real>(context.dt);
    context.parallel.for_each(count, [&](std::size_t i) {
        columns.velocity[i] = columns.velocity[i].xyz() + dt * viscous_rows_[i].xyz();
    });
}

template <class S>
void Takahashi2014<S>::apply_xsph(StepContext<S>& context, Columns<S>& columns) {
    const std::size_t count = columns.position.size();
    viscous_rows_.resize(count);
    const Xsph<S> block{support_radius_};
    const typename Xsph<S>::Fluid fluid{columns.position, columns.velocity, columns.mass, columns.volume,
                                        particle_viscosity_};
    block.gather(context.neighbors, fluid, context.dt, context.parallel, viscous_rows_);
    block.add_walls(*boundary_, fluid, context.dt, context.parallel, viscous_rows_, context.bodies);
    std::copy(viscous_rows_.begin(), viscous_rows_.end(), columns.velocity.begin());
}

/// Not in the paper.
template <class S>
void Takahashi2014<S>::pull_surfaces(StepContext<S>& context, Columns<S>& columns) {
    if (!tension_.active()) return;
    const auto scope = context.timer.stage("surface tension");
    tension_.apply(context.neighbors, *boundary_, {columns.position, columns.mass, columns.volume, columns.material},
                   context.dt, context.parallel, columns.velocity, context.bodies);
}

/// Coulomb's friction, with the load of the steps before: after the pressure solve nothing may touch the velocity.
template <class S>
void Takahashi2014<S>::rub_walls(StepContext<S>& context, Columns<S>& columns) {
    const auto scope = context.timer.stage("friction");
    const Real dt = static_cast<Real>(context.dt);
    walls_.update(columns.position, context.bodies, support_radius_, context.parallel);
    const auto kept = collision_.meet(walls_, columns.mass, columns.pressed, dt, context.parallel, columns.position,
                                      columns.velocity, context.bodies);
    collision_.rub(walls_, columns.mass, columns.pressed, dt, context.parallel, columns.position, columns.velocity,
                   context.bodies);
    Collision<S>::part(kept, context.bodies);
}

template <class S>
void Takahashi2014<S>::solve_pressure(StepContext<S>& context, Columns<S>& columns) {
    const auto scope = context.timer.stage("pressure");
    const auto report =
        pressure_.solve(columns.volume, columns.mass, columns.density_ratio, context.gravity, context.dt,
                        context.parallel, columns.velocity, columns.pressure, context.bodies);
    // Single steps press too much and too little in turn, the more so the shorter they are; the mean carries the
    // weight.
    const Real share = static_cast<Real>(std::min(1.0, context.dt / static_cast<double>(wall_load_.time)));
    context.parallel.for_each(columns.pressure.size(), [&](std::size_t i) {
        columns.mean_pressure[i] += share * (columns.pressure[i] - columns.mean_pressure[i]);
    });
    context.report.iterations = report.iterations;
    context.report.density_error_mean = report.error_mean;
    context.report.density_error_max = report.error_max;
}

/// A single particle has too little density to be held by pressure, and one under great load may slip through the
/// samples.
template <class S>
void Takahashi2014<S>::keep_out_of_solids(StepContext<S>& context, Columns<S>& columns) {
    const auto scope = context.timer.stage("solids");
    const Real dt = static_cast<Real>(context.dt);
    std::fill(columns.wall_displacement.begin(), columns.wall_displacement.end(), Row{});
    pressure_.add_wall_displacement(context.parallel, columns.wall_displacement);
    walls_.update(columns.position, context.bodies, support_radius_, context.parallel);
    const auto kept = collision_.meet(walls_, columns.mass, columns.pressed, dt, context.parallel, columns.position,
                                      columns.velocity, context.bodies);
    collision_.stop(walls_, columns.mass, dt, context.parallel, columns.position, columns.velocity,
                    columns.wall_displacement, context.bodies);
    Collision<S>::part(kept, context.bodies);
    wall_load_.update(context.neighbors, walls_, columns.position, columns.wall_displacement, dt, context.parallel,
                      columns.scratch, columns.pressed);
}

template <class S>
StepReport Takahashi2014<S>::start(StepContext<S>& context) {
    Columns<S> columns(context.particles);
    for (std::size_t i = 0; i < columns.correction.size(); ++i)
        columns.correction[i] = first_coefficient_[columns.material[i]];
    std::fill(columns.pressure.begin(), columns.pressure.end(), Real(0));
    // The mean begins with the pressure that the fluid will have at rest. It forgets that soon.
    for (std::size_t i = 0; i < columns.mean_pressure.size(); ++i)
        columns.mean_pressure[i] = rest_density_[columns.material[i]] * static_cast<Real>(pressure_at_rest_);
    measure_density(context, columns);
    conditions_.begin(context.particles, context.time, Births::all());
    evaluate_properties(context, columns, Births::all());
    control_anchors(context, columns);
    add_births(context, Births::all());
    return context.report;
}

/// Clusters of shape matching have the shape in which they came into being.
template <class S>
void Takahashi2014<S>::take_for_reference(StepContext<S>& context, Columns<S>& columns, const Births& births) {
    const auto others = context.connections.others();
    const auto member = context.connections.template values<Row>("member");
    const auto place = context.connections.template values<Row>("place");
    context.parallel.for_each(columns.position.size(), [&](std::size_t i) {
        if (!births[i]) return;
        const std::size_t begin = context.connections.begin(i);
        for (std::size_t slot = begin; slot < begin + context.connections.count(i); ++slot) {
            member[slot] = columns.position[others[slot]].xyz() - columns.position[i].xyz();
            place[slot] = columns.position[i].xyz() - columns.position[others[slot]].xyz();
        }
    });
}

/// Particles that come into being together are connected at full strength.
template <class S>
void Takahashi2014<S>::add_births(StepContext<S>& context, const Births& births) {
    Columns<S> columns(context.particles);
    conditions_.begin(context.particles, context.time, births);
    evaluate_properties(context, columns, births);
    control_connections(context, columns, births);
    if (settings_.correction_scheme == Settings::Correction::shape_matching) {
        take_for_reference(context, columns, births);
    }
    const auto others = context.connections.others();
    const auto strength = context.connections.template values<Real>("strength");
    context.parallel.for_each(columns.position.size(), [&](std::size_t i) {
        if (births[i]) columns.correction[i] = first_coefficient_[columns.material[i]];
        const std::size_t begin = context.connections.begin(i);
        for (std::size_t slot = begin; slot < begin + context.connections.count(i); ++slot) {
            if (births[i] || births[others[slot]]) strength[slot] = 1;
        }
    });
}

/// Pressure alone, every time from rest: packings that are too dense here and there expand without being thrown apart.
template <class S>
bool Takahashi2014<S>::settle(StepContext<S>& context) {
    Columns<S> columns(context.particles);
    std::fill(columns.velocity.begin(), columns.velocity.end(), Row{});
    measure_density(context, columns);
    const Real densest = context.parallel.max(Rows::of(columns.position.size()), Real(0),
                                              [&](std::size_t i) { return columns.density_ratio[i]; });
    if (densest <= 1 + static_cast<Real>(settings_.tolerance)) return true;
    solve_pressure(context, columns);
    drift(columns, context.dt, context.parallel);
    return false;
}

template class Takahashi2014<Space2f>;
template class Takahashi2014<Space3f>;
template class Takahashi2014<Space2d>;
template class Takahashi2014<Space3d>;

}  // namespace treacle::takahashi2014
