#include "methods/clavet2005/clavet2005.h"

#include "methods/clavet2005/coefficients.h"

namespace treacle::clavet2005 {

/// Tang's report, section 3: the eight components in its order.
template <class S>
StepReport Clavet2005<S>::step(StepContext<S>& context) {
    Columns<S> fluid(context.particles);
    ConnectionGraph& springs = context.connections;
    // Viscosity comes before gravity: with walls in it, these would hold a share of the fall that pressure is about to
    // stop. Between particles the order makes no difference.
    const int passes = apply_viscosity(fluid, context);           // (2) eq. 2
    kick(fluid, context.dt * context.gravity, context.parallel);  // (1) eq. 1
    drift(fluid, context.dt, context.parallel);                   // (3) eq. 3
    springs_.adjust(fluid, context, springs);                     // (4) eq. 4
    springs_.renew(fluid, context, Births::none(), springs);
    springs_.apply(fluid, context, springs, fluid.displacement);   // (5) eq. 5
    pressure_.relax(fluid, context, cohesion_, fluid.pressures(),  // (6) eq. 6
                    fluid.displacement, fluid.wall_displacement);
    const Compression compression = pressure_.gauge_density(fluid, context, fluid.number_density);
    collide(fluid, context);  // (7) eq. 7
    // (8) eq. 8, v = (x - x_old)/dt, holds already: every displacement d above was added to the velocity as d/dt.
    return {passes, compression.mean, compression.max};
}

template <class S>
void Clavet2005<S>::collide(Columns<S>& fluid, StepContext<S>& context) {
    WallContact<S>& contact = context.solids.contact;
    if (settings_.coefficients == Coefficients::paper)
        return contact.keep_out_with_friction(fluid, context, fluid.wall_displacement, fluid.pressed);
    contact.keep_out(fluid, context, fluid.wall_displacement, fluid.pressed);
    release_.update(fluid, context, contact.walls(), fluid.wall_displacement, fluid.withheld, fluid.support,
                    fluid.lets_go);
    release_.spread(fluid, context, contact.walls(), fluid.pressed, fluid.load);
    contact.apply_friction(fluid, context, fluid.load);
}

template <class S>
int Clavet2005<S>::apply_viscosity(Columns<S>& fluid, StepContext<S>& context) {
    const int passes = calibrate_viscosity(context.dt);
    impulses_.apply(fluid, context, passes, fluid.displacement);
    if (!dashpots_.dashpots || std::ranges::none_of(dynamic_viscosity_, [](Real eta) { return eta > 0; }))
        return passes;
    const auto stage = context.timer.stage("viscosity");
    measure_volumes(fluid, context.parallel,
                    [&](std::size_t m) { return static_cast<Real>(pressure_.materials[m].density); });
    viscosity_of_particle_.resize(fluid.size());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        viscosity_of_particle_[i] = dynamic_viscosity_[fluid.material[i]];
    });
    const WallGrip<S> grip{fluid.load, fluid.grip, solids_.contact.flows};
    return dashpots_.apply(fluid, context, viscosity_of_particle_, {}, grip).iterations;
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
        return {.steps = steps_without_weight + steps_with_weight, .nudge = 0.5};
    return {};
}

/// Pressure alone with half of the velocity taken away each time: the lattice relaxes into a packing at rest. Then, in
/// a scene with gravity, with a tenth of it, and fluid that stands on a wall takes on its weight: it is compressed
/// along gravity and cannot slump, so that it does not ring when time begins.
template <class S>
bool Clavet2005<S>::settle(StepContext<S>& context) {
    Columns<S> fluid(context.particles);
    const double g = length(context.gravity);
    const bool weighs = ++settling_steps_ > steps_without_weight;
    if (weighs && g == 0) return true;
    const auto down = weighs ? cast<Real>(context.gravity / g) : typename S::Vec{};
    const Real weight = static_cast<Real>(context.dt * g);
    if (weighs) find_standing(fluid, context);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const auto v = Real(weighs ? 0.9 : 0.5) * fluid.velocity[i].xyz();
        fluid.velocity[i] = weighs && stands_[fluid.fluid[i]] ? (dot(v, down) + weight) * down : v;
    });
    drift(fluid, context.dt, context.parallel);
    pressure_.measure(fluid, context, fluid.pressures());
    pressure_.gather(fluid, context, fluid.pressures(), fluid.displacement, fluid.wall_displacement);
    cohesion_.gather(fluid, context, fluid.displacement);
    if (weighs) {
        context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
            const auto d = fluid.displacement[i].xyz();
            if (stands_[fluid.fluid[i]]) fluid.displacement[i] = dot(d, down) * down;
        });
    }
    displace<S>(fluid, context, fluid.displacement);
    context.solids.contact.keep_out(fluid, context);
    return false;  // the random motion of a packing never quite ends
}

/// Which of the scene's fluids have a wall under them.
template <class S>
void Clavet2005<S>::find_standing(const Columns<S>& fluid, StepContext<S>& context) {
    WallContact<S>& contact = context.solids.contact;
    contact.find_walls(fluid, context, coefficients_.support_radius);
    stands_.clear();
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        if (fluid.fluid[i] >= stands_.size()) stands_.resize(fluid.fluid[i] + 1);
        for (const Wall& wall : contact.walls().row(i)) {
            const bool near = wall.distance < 3 * coefficients_.contact_distance;
            if (near && dot(wall.normal, context.gravity) < -0.5 * length(context.gravity)) stands_[fluid.fluid[i]] = 1;
        }
    }
}

template class Clavet2005<Space2f>;
template class Clavet2005<Space3f>;
template class Clavet2005<Space2d>;
template class Clavet2005<Space3d>;

}  // namespace treacle::clavet2005
