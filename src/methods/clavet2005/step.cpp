#include "methods/clavet2005/clavet2005.h"

#include "methods/clavet2005/coefficients.h"

namespace treacle::clavet2005 {

/// Tang's report, section 3: the eight components in its order.
template <class S>
StepReport Clavet2005<S>::step(StepContext<S>& context) {
    Columns<S> fluid(context.particles);
    ConnectionGraph& springs = context.connections;
    kick(fluid, context.dt * context.gravity, context.parallel);  // (1) eq. 1
    const int passes = calibrate_viscosity(context.dt);
    viscosity_.apply(fluid, context, passes, fluid.displacement);  // (2) eq. 2
    drift(fluid, context.dt, context.parallel);                    // (3) eq. 3
    springs_.adjust(fluid, context, springs);                      // (4) eq. 4
    springs_.renew(fluid, context, Births::none(), springs);
    springs_.apply(fluid, context, springs, fluid.displacement);   // (5) eq. 5
    pressure_.relax(fluid, context, cohesion_, fluid.pressures(),  // (6) eq. 6
                    fluid.displacement, fluid.wall_displacement);
    const Compression compression = pressure_.gauge_density(fluid, context, fluid.number_density);
    context.solids.contact.keep_out_with_friction(fluid, context, fluid.wall_displacement, fluid.pressed);  // (7) eq. 7
    // (8) eq. 8, v = (x - x_old)/dt, holds already: every displacement d above was added to the velocity as d/dt.
    return {passes, compression.mean, compression.max};
}

/// Springs between all neighbors, and the density of the first frame.
template <class S>
StepReport Clavet2005<S>::start(StepContext<S>& context) {
    Columns<S> fluid(context.particles);
    pressure_.measure(fluid, context, fluid.pressures());
    const Compression compression = pressure_.gauge_density(fluid, context, fluid.number_density);
    springs_.renew(fluid, context, Births::all(), context.connections);
    return {0, compression.mean, compression.max};
}

template <class S>
void Clavet2005<S>::add_births(StepContext<S>& context, const Births& births) {
    springs_.renew(Columns<S>(context.particles), context, births, context.connections);
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
    Columns<S> fluid(context.particles);
    context.parallel.for_each(fluid.rows(),
                              [&](std::size_t i) { fluid.velocity[i] = Real(0.5) * fluid.velocity[i].xyz(); });
    drift(fluid, context.dt, context.parallel);
    pressure_.measure(fluid, context, fluid.pressures());
    pressure_.gather(fluid, context, fluid.pressures(), fluid.displacement, fluid.wall_displacement);
    cohesion_.gather(fluid, context, fluid.displacement);
    displace<S>(fluid, context, fluid.displacement);
    context.solids.contact.keep_out_with_friction(fluid, context, fluid.wall_displacement, fluid.pressed);
    return false;  // the random motion of a packing never quite ends
}

template class Clavet2005<Space2f>;
template class Clavet2005<Space3f>;
template class Clavet2005<Space2d>;
template class Clavet2005<Space3d>;

}  // namespace treacle::clavet2005
