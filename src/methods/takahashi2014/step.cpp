#include "methods/takahashi2014/takahashi2014.h"

#include <algorithm>

#include "methods/takahashi2014/coefficients.h"

namespace treacle::takahashi2014 {

/// The paper's Algorithm 2 with its numbers of lines. Lines 1 and 2, the neighbors, are the simulation's.
template <class S>
StepReport Takahashi2014<S>::step(StepContext<S>& context) {
    Columns<S> fluid(context.particles);
    const ElasticLinks<S> links = elastic_links(fluid, context);
    measure_density(fluid, context);           // for line 8
    conditions_.conduct_heat(fluid, context);  // not in the paper: heat flows,
    conditions_.advance_age(context);          // time passes,
    change_phase(fluid, context);              // and properties follow
    if (correction_.active()) {
        connections_.update(fluid, context, links);  // line 4: Algorithm 1
        adhesion_.update(fluid, context, links);     // line 4, of fluid to solids
        correct_velocities(fluid, context);          // lines 6, 7 and 11
    }
    kick(fluid, context.dt * context.gravity, context.parallel);  // line 6: eq. 5
    apply_viscosity(fluid, context);                              // line 6: eq. 5
    tension_.apply(fluid, context);                               // not in the paper
    const StepReport report = solve_pressure(fluid, context);     // lines 8, 10 and 12: eqs. 2 and 3
    // Coulomb's friction, with the load of the steps before. Where it comes before the pressure, pressure along a wall
    // that holds makes jelly creep and at last melt.
    context.solids.contact.apply_friction(fluid, context, fluid.pressed);
    wall_adhesion_.hold(fluid, context);         // of liquids; not in the paper
    drift(fluid, context.dt, context.parallel);  // line 13: eq. 4
    // Single particles have too little density to be held by pressure; others under great load slip through samples.
    pressure_.find_wall_displacement(context, fluid.wall_displacement);
    context.solids.contact.keep_out(fluid, context, fluid.wall_displacement, fluid.pressed);
    return report;
}

template <class S>
void Takahashi2014<S>::measure_density(Columns<S>& fluid, StepContext<S>& context) {
    context.solids.update_samples(fluid, context);
    measure_volumes(fluid, context.parallel, [&](std::size_t material) { return rest_density_[material]; });
    pressure_.measure(fluid, context, fluid.density_ratio);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        fluid.density[i] = fluid.density_ratio[i] * rest_density_[fluid.material[i]];
    });
}

template <class S>
void Takahashi2014<S>::change_phase(Columns<S>& fluid, StepContext<S>& context) {
    properties_.evaluate(fluid, context, conditions_, Births::none());
    if (!properties_.modulus_varies()) return;
    correction_.keep_stress(fluid, context, elastic_links(fluid, context));
    adhesion_.keep_stress(fluid, context, elastic_links(fluid, context));
}

template <class S>
void Takahashi2014<S>::correct_velocities(Columns<S>& fluid, StepContext<S>& context) {
    const ElasticLinks<S> links = elastic_links(fluid, context);
    correction_.measure_stiffness(fluid, context, links);
    const std::span<const Real> stiffness = correction_.stiffness();
    if (settings_.correction_scheme == Settings::Correction::shape_matching) {
        shapes_.correct(fluid, context, links, context.particles.template get<Row>("rotation"));  // section 3.2
        adhesion_.correct(fluid, context, links, stiffness);                                      // eqs. 8 to 10
    } else if (!correction_.needs_implicit_steps(fluid, context, links)) {
        correction_.correct(fluid, context, links);           // eq. 6
        adhesion_.correct(fluid, context, links, stiffness);  // eqs. 8 to 10
    } else {  // the same with the stretch at the end of the step; not in the paper
        adhesion_.measure_hold(fluid, context, links, stiffness, held_);
        correction_.correct_implicitly(fluid, context, links, held_);
        adhesion_.add_reaction(fluid, context, links, stiffness);
    }
    correction_.relax(fluid, context, links);  // eq. 7
    adhesion_.relax(fluid, context, links);    // eq. 11
}

/// Viscosity acts on the velocities that are to be expected at the end of the step, with the pressure of the step
/// before. Without it walls would hold a share of the fall that pressure is about to stop, and so of the weight of
/// fluid at rest.
template <class S>
void Takahashi2014<S>::apply_viscosity(Columns<S>& fluid, StepContext<S>& context) {
    const Real dt = static_cast<Real>(context.dt);
    const auto add_pressure = [&](Real seconds) {
        context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
            fluid.velocity[i] = fluid.velocity[i].xyz() + seconds * fluid.pressure_acceleration[i].xyz();
        });
    };
    add_pressure(dt);
    viscosity_.apply(fluid, context, properties_.viscosity(), fluid.viscous_acceleration, {fluid.pressed, fluid.grip});
    add_pressure(-dt);
}

template <class S>
StepReport Takahashi2014<S>::solve_pressure(Columns<S>& fluid, StepContext<S>& context) {
    std::ranges::copy(fluid.velocity, fluid.pressure_acceleration.begin());
    const auto solve = pressure_.solve(fluid, context, fluid.density_ratio, fluid.pressure);
    const Real per_second = static_cast<Real>(1 / context.dt);
    // Single steps press too much and too little in turn, the more so the shorter they are; their mean carries the
    // weight.
    const Real share = static_cast<Real>(std::min(1.0, context.dt / static_cast<double>(solids_.load.time)));
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        fluid.mean_pressure[i] += share * (fluid.pressure[i] - fluid.mean_pressure[i]);
        fluid.pressure_acceleration[i] = per_second * (fluid.velocity[i].xyz() - fluid.pressure_acceleration[i].xyz());
    });
    return {solve.iterations, solve.error_mean, solve.error_max};
}

template <class S>
StepReport Takahashi2014<S>::start(StepContext<S>& context) {
    Columns<S> fluid(context.particles);
    measure_density(fluid, context);
    // The mean begins with the pressure that the fluid will have at rest. It forgets that soon.
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        fluid.pressure[i] = 0;
        fluid.pressure_acceleration[i] = {};
        fluid.mean_pressure[i] = rest_density_[fluid.material[i]] * static_cast<Real>(pressure_at_rest_);
    });
    add_births(context, Births::all());
    if (correction_.active()) adhesion_.update(fluid, context, elastic_links(fluid, context));
    return {};
}

/// Particles that come into being together are connected at full strength.
template <class S>
void Takahashi2014<S>::add_births(StepContext<S>& context, const Births& births) {
    Columns<S> fluid(context.particles);
    const ElasticLinks<S> links = elastic_links(fluid, context);
    conditions_.begin(context.particles, context.time, births);
    properties_.evaluate(fluid, context, conditions_, births);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        if (births[i]) fluid.correction[i] = first_coefficient_[fluid.material[i]];
    });
    if (correction_.active()) connections_.connect_births(fluid, context, links, births);
    if (settings_.correction_scheme == Settings::Correction::shape_matching)
        ShapeMatching<S>::set_references(fluid, context, births, context.connections);
}

/// Pressure alone, every time from rest: packings that are too dense here and there expand without being thrown apart.
template <class S>
bool Takahashi2014<S>::settle(StepContext<S>& context) {
    Columns<S> fluid(context.particles);
    std::fill(fluid.velocity.begin(), fluid.velocity.end(), Row{});
    measure_density(fluid, context);
    const Real densest =
        context.parallel.max(fluid.rows(), Real(0), [&](std::size_t i) { return fluid.density_ratio[i]; });
    if (densest <= 1 + static_cast<Real>(settings_.tolerance)) return true;
    solve_pressure(fluid, context);
    drift(fluid, context.dt, context.parallel);
    return false;
}

template class Takahashi2014<Space2f>;
template class Takahashi2014<Space3f>;
template class Takahashi2014<Space2d>;
template class Takahashi2014<Space3d>;

}  // namespace treacle::takahashi2014
