#include "methods/takamatsu2011/takamatsu2011.h"

#include <algorithm>

#include "methods/takamatsu2011/coefficients.h"

namespace treacle::takamatsu2011 {

/// The loop of section 3.3. Velocities of both kinds are changes of the same velocity, so their blend (eq. 10) is made
/// term by term. The simulation adjusts the step (eq. 12).
template <class S>
StepReport Takamatsu2011<S>::step(StepContext<S>& context) {
    Columns<S> fluid(context.particles);
    ConnectionGraph& clusters = context.connections;
    measure_density(fluid, context);
    shapes_.renew_references(fluid, context, fluid.shapes(), clusters);  // update of the reference shape: eq. 14
    // Viscosity acts before all other forces. Solids drag by viscosity, and would otherwise take a part of the other
    // forces as well; fluid at rest on a floor must be held by pressure alone.
    viscosity_.apply(fluid, context, {}, fluid.viscous_acceleration,
                     {fluid.pressed, fluid.grip});                        // v^SPH: eqs. 2, 4, 5
    shapes_.pull(fluid, context, fluid.shapes(), clusters);               // v^SM: eqs. 7, 8, 13, 10
    shapes_.cut_overstretched(fluid, context, fluid.shapes(), clusters);  // not in the paper
    kick(fluid, context.dt * context.gravity, context.parallel);          // f^ext: eqs. 4 and 8
    tension_.apply(fluid, context);                                       // not in the paper
    const auto report = pressure_.apply(fluid, context, fluid.density_ratio, fluid.pressure,
                                        fluid.wall_displacement);  // v^SPH: eqs. 1, 4, 5, 10
    adhesion_.hold(fluid, context);                                // not in the paper
    noise_.apply(fluid, context);                                  // not in the paper
    drift(fluid, context.dt, context.parallel);                    // x: eq. 11
    context.solids.contact.keep_out_with_friction(fluid, context, fluid.wall_displacement, fluid.pressed);
    if (shapes_.active()) {  // f^ext of the next update
        impacts_.record(fluid, context, fluid.wall_displacement, fluid.piece, fluid.push, fluid.impact);
    }
    return {report.iterations, report.compression.mean, report.compression.max};
}

template <class S>
void Takamatsu2011<S>::measure_density(Columns<S>& fluid, StepContext<S>& context) {
    measure_volumes(fluid, context.parallel,
                    [&](std::size_t material) { return pressure_.settings.materials[material].rest_density; });
    context.solids.update_samples(fluid, context);
    pressure_.measure(fluid, context, fluid.density_ratio);
}

template <class S>
StepReport Takamatsu2011<S>::start(StepContext<S>& context) {
    Columns<S> fluid(context.particles);
    std::fill(fluid.pressure.begin(), fluid.pressure.end(), Real(0));
    measure_density(fluid, context);
    add_births(context, Births::all());
    std::fill(fluid.renewals.begin(), fluid.renewals.end(), 0);
    return {};
}

template <class S>
void Takamatsu2011<S>::add_births(StepContext<S>& context, const Births& births) {
    Columns<S> fluid(context.particles);
    shapes_.add(fluid, context, births, fluid.shapes(), context.connections);
}

/// A lattice, and any packing, is here and there denser than the fluid at rest, by parts of a percent to some percent.
/// Left to the equation of state that would be energy, and become velocity.
template <class S>
auto Takamatsu2011<S>::settling() const -> typename Method<S>::Settling {
    return {.steps = settings_.coefficients == Coefficients::physical ? 60 : 0};
}

template <class S>
bool Takamatsu2011<S>::settle(StepContext<S>& context) {
    Columns<S> fluid(context.particles);
    std::fill(fluid.velocity.begin(), fluid.velocity.end(), Row{});
    measure_density(fluid, context);
    if (!pressure_.loosen(fluid, context, fluid.density_ratio, fluid.pressure)) return true;
    drift(fluid, context.dt, context.parallel);
    return false;
}

template class Takamatsu2011<Space2f>;
template class Takamatsu2011<Space3f>;
template class Takamatsu2011<Space2d>;
template class Takamatsu2011<Space3d>;

}  // namespace treacle::takamatsu2011
