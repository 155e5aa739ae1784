#include "methods/barreiro2017/barreiro2017.h"

#include <algorithm>

#include "methods/barreiro2017/coefficients.h"

namespace treacle::barreiro2017 {

/// The paper's Algorithm 2 (DC-PBD step), with its three headings, for the constraints of section 5.
template <class S>
StepReport Barreiro2017<S>::step(StepContext<S>& context) {
    const Columns<S> fluid(context.particles);
    contacts_.begin(fluid, context, fluid.conformation, fluid.wall_displacement);
    moving_.begin(fluid.position);  // x0
    measure_volumes(fluid, context.parallel, [&](std::size_t material) { return density_.rest_density[material]; });
    if (needs_boundary_at_start()) context.solids.update_samples(fluid, context);
    conditions_.conduct_heat(fluid, context);  // not in the paper
    conditions_.advance_age(context);
    properties_.evaluate(fluid, context, conditions_);
    response_.update(fluid, context, properties_.elasticity(), fluid.stress_share, fluid.conformation,
                     fluid.compliance_before);  // α and τ of each particle: section 3.2
    const bool present = settings_.takes_present_gradients();
    if (response_.elastic() && !present) at_start_ = context.neighbors;  // among which strain is measured to the end
    const ConformationRows<S> rows = rest_state_.rows(present ? context.neighbors : at_start_, context.connections);
    const Constraints constraints{rows, response_.compliance(), fluid.conformation};

    // Compute constraint-free state
    kick(fluid, context.dt * context.gravity, context.parallel);  // u* = u0 + dt f/m
    if (viscosity_.active())
        viscosity_.apply(fluid, context, properties_.viscosity(), fluid.viscous_acceleration,
                         {fluid.pressed, fluid.grip});
    if (tension_.active()) tension_.apply(fluid, context);

    // Project velocities
    if (response_.elastic()) conformation_.begin(fluid, context, constraints);
    if (settings_.projects_velocities()) project_velocities(fluid, context, constraints);  // u** meets eqs. 9 to 13
    moving_.drift(fluid, context);                                                         // x** = x0 + dt u**

    // Project positions
    rest_state_.straighten(fluid, context, context.connections, moving_);  // not in the paper
    project_positions(fluid, context, constraints);                        // x meets density and eqs. 14 to 18
    adhesion_.hold(fluid, context, moving_);                               // not in the paper
    moving_.set_velocities(fluid, context);                                // u = (x - x0)/dt
    if (settings_.separates_errors())
        density_.correct_errors(fluid, context, response_.compliance(), moving_, fluid.density_ratio);
    const auto error = density_.end(fluid, context, fluid.density_ratio, fluid.pressure);
    if (response_.elastic())
        conformation_.update(fluid, context, constraints, moving_, response_.memory(), fluid.stress_share);  // eq. 6
    rest_state_.measure_conformation(fluid, context, context.connections, fluid.conformation);  // not in the paper
    rest_state_.cut_overstretched(fluid, context, context.connections);
    context.solids.contact.load.update(fluid, context, contacts_.walls(), fluid.wall_displacement, fluid.pressed);
    return {settings_.position_iterations, error.error_mean, error.error_max};
}

/// Section 5.2: conformation by Jacobi's iteration or by conjugate gradients, contact, and density if asked for.
template <class S>
void Barreiro2017<S>::project_velocities(const Columns<S>& fluid, const StepContext<S>& context,
                                         const Constraints& constraints) {
    const bool elastic = response_.elastic(), density = settings_.doubly_incompressible();
    const bool search = elastic && settings_.by_conjugate_gradients();
    const auto clamp = [&] { contacts_.clamp_velocities(fluid, context, fluid.pressed, fluid.wall_displacement); };
    const typename Conformation<S>::Contacts contacts{
        [&](auto change, bool choose) { contacts_.restrain(fluid, context, choose, change, fluid.wall_displacement); },
        [&](Real step) { contacts_.follow(context.parallel, step); },
        [&] { contacts_.take_half_back(context.parallel); }};
    if (density) {
        density_.begin_velocities(fluid, context, {fluid.pressure, fluid.density_ratio, response_.compliance()},
                                  fluid.wall_displacement);
        density_.measure(fluid, context, fluid.density_ratio);
    }
    clamp();
    const int at_once = search ? 5 : 1;  // conjugate gradients do not see contacts and density in between
    for (int left = elastic || density ? settings_.velocity_iterations : 0; left > 0; left -= at_once) {
        const int iterations = std::min(left, at_once);
        if (search) conformation_.solve_velocities(fluid, context, constraints, iterations, contacts);
        else if (elastic) conformation_.project_velocities(fluid, context, constraints);
        if (elastic) clamp();
        for (int n = 0; density && n < iterations; ++n) {
            density_.project_velocities(fluid, context, fluid.density_ratio, fluid.wall_displacement);
            clamp();
        }
    }
    if (search) contacts_.press_held(fluid, context, fluid.wall_displacement);
}

/// Sections 5.1 and 5.3, from x** and the neighbors there: density, contact, conformation, contact, in turn.
template <class S>
void Barreiro2017<S>::project_positions(const Columns<S>& fluid, StepContext<S>& context,
                                        const Constraints& constraints) {
    const bool elastic = response_.elastic(), at_once = elastic && settings_.simultaneous();
    const auto density = [&](MovingPositions<S>& moving) {
        density_.project_positions(fluid, context, moving, fluid.wall_displacement, fluid.density_ratio);
    };
    const auto conformation = [&](MovingPositions<S>& moving) {
        if (elastic) conformation_.project_positions(fluid, context, constraints, moving);
    };
    const auto clamp = [&] {
        contacts_.clamp_positions(fluid, context, fluid.pressed, moving_, fluid.wall_displacement);
    };
    contacts_.begin_positions(fluid, context);
    clamp();
    find_neighbors(fluid, context);
    if (!settings_.doubly_incompressible())  // else it goes on from the pressure of the velocities
        density_.begin_positions(fluid, context, {fluid.pressure, fluid.density_ratio, response_.compliance()}, moving_,
                                 fluid.wall_displacement);
    clamp();
    for (int n = 0; n < settings_.position_iterations; ++n) {
        if (at_once) moving_.move_by_both(context, density, conformation);
        else density(moving_), clamp(), conformation(moving_);
        clamp();
    }
}

/// Finds neighbors and samples of solids where velocities have led, and a little farther: particles move on while
/// positions are projected, and what comes within reach on the way must be a neighbor too.
template <class S>
void Barreiro2017<S>::find_neighbors(const Columns<S>& fluid, StepContext<S>& context) {
    {
        const auto stage = context.timer.stage("neighbors");
        context.neighbors.update(fluid.position, support_radius_ + 0.1 * spacing_, context.parallel, context.period);
    }
    context.solids.update_samples(fluid, context);
}

template <class S>
StepReport Barreiro2017<S>::start(StepContext<S>& context) {
    const Columns<S> fluid(context.particles);
    std::fill(fluid.pressure.begin(), fluid.pressure.end(), Real(0));
    add_births(context, Births::all());
    rest_state_.store(fluid, context, context.connections);
    contacts_.begin(fluid, context, fluid.conformation, fluid.wall_displacement);
    measure_volumes(fluid, context.parallel, [&](std::size_t material) { return density_.rest_density[material]; });
    context.solids.update_samples(fluid, context);
    density_.measure(fluid, context, fluid.density_ratio);
    return {};
}

template <class S>
void Barreiro2017<S>::add_births(StepContext<S>& context, const Births& births) {
    conditions_.begin(context.particles, context.time, births);
}

template class Barreiro2017<Space2f>;
template class Barreiro2017<Space3f>;
#if TREACLE_DOUBLE
template class Barreiro2017<Space2d>;
template class Barreiro2017<Space3d>;
#endif

}  // namespace treacle::barreiro2017
