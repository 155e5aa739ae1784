#include "blocks/viscous/viscosity.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "blocks/solids/boundary_particles.h"
#include "blocks/viscous/explicit_viscosity.h"
#include "blocks/viscous/xsph.h"
#include "core/promises.h"
#include "laws/stable_steps.h"

namespace treacle {

template <class S>
bool Viscosity<S>::active() const {
    return std::any_of(settings.viscosity.begin(), settings.viscosity.end(), [](Real v) { return v > 0; });
}

template <class S>
void Viscosity<S>::apply(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> varying,
                         std::span<Row> acceleration, const WallGrip<S>& grip) {
    assert(promises::sized(fluid.size(), fluid.material, acceleration));
    assert(promises::sized_or_empty(fluid.size(), varying));
    assert(promises::within(settings.viscosity.size(), fluid.material) && context.dt > 0);
    if (!active()) return;
    WallGrip<S> walls = grip;
    walls.flows = settings.flows;
    const auto stage = context.timer.stage("viscosity");
    std::span<const Real> viscosity = varying;
    if (varying.empty()) {
        by_particle_.resize(fluid.size());
        context.parallel.for_each(fluid.rows(),
                                  [&](std::size_t i) { by_particle_[i] = settings.viscosity[fluid.material[i]]; });
        viscosity = by_particle_;
    }
    const auto solve = [&] {
        implicit_.support_radius = settings.support_radius;
        implicit_.rule = settings.rule;
        implicit_.apply(fluid, context, viscosity, acceleration, walls);
    };
    switch (settings.scheme) {
        case Scheme::implicit_steps: return solve();
        case Scheme::explicit_steps:
            rows_.resize(fluid.size());
            return take_explicit_steps(fluid, context, 1, viscosity, rows_, walls);
        case Scheme::xsph: return apply_xsph(fluid, context, viscosity);
        case Scheme::automatic: break;
    }
    const double longest = longest_viscous_step(settings.greatest_kinematic, settings.support_radius);
    const double parts = std::ceil(context.dt / (0.8 * longest));
    const bool any_moves =
        std::any_of(context.bodies.begin(), context.bodies.end(), [](const Body& body) { return body.dynamic(); });
    if (any_moves || parts > 2) return solve();
    take_explicit_steps(fluid, context, static_cast<int>(parts), viscosity, acceleration, walls);
}

template <class S>
void Viscosity<S>::take_explicit_steps(const FluidView<S>& fluid, const BlockContext<S>& context, int parts,
                                       std::span<const Real> viscosity, std::span<Row> acceleration,
                                       const WallGrip<S>& grip) {
    std::vector<std::pair<Vec3d, Vec3d>> loads;
    for (const Body& body : context.bodies) loads.emplace_back(body.force, body.torque);
    const ExplicitViscosity<S> block{settings.support_radius};
    BlockContext<S> step = context;
    step.dt = context.dt / parts;
    const Real dt = static_cast<Real>(step.dt);
    std::vector<double> gains(WallDrag<S>::numbers * context.bodies.size());
    walls_.update(fluid, step, viscosity, grip.share);
    for (int part = 0; part < parts; ++part) {
        std::fill(acceleration.begin(), acceleration.end(), Row{});
        const std::vector<double> motions = walls_.motions(step);
        strength_.measure(fluid, step, settings.support_radius, viscosity, walls_, motions);
        block.add(fluid, step, viscosity, strength_.by_particle(), acceleration);
        walls_.gains(fluid.position, fluid.velocity, motions, true, context.parallel, gains);
        if (part == 0 && !grip.share.empty()) walls_.limit(fluid, step, motions, grip);
        context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
            const auto v = fluid.velocity[i].xyz();
            acceleration[i] =
                acceleration[i].xyz() - walls_.loss(i, fluid.position[i].xyz(), v, motions) / (fluid.mass[i] * dt);
            fluid.velocity[i] = v + dt * acceleration[i].xyz();
        });
        walls_.give_to(context.bodies, gains, step.dt);
    }
    if (parts == 1) return;
    for (std::size_t b = 0; b < loads.size(); ++b) {  // the mean of all parts
        Body& body = context.bodies[b];
        body.force = loads[b].first + (body.force - loads[b].first) / parts;
        body.torque = loads[b].second + (body.torque - loads[b].second) / parts;
    }
}

template <class S>
void Viscosity<S>::apply_xsph(const FluidView<S>& fluid, const BlockContext<S>& context,
                              std::span<const Real> viscosity) {
    rows_.resize(fluid.size());
    const Xsph<S> block{settings.support_radius};
    block.gather(fluid, context, viscosity, rows_);
    block.add_walls(fluid, context, viscosity, rows_);
    std::copy(rows_.begin(), rows_.end(), fluid.velocity.begin());
}

template class Viscosity<Space2f>;
template class Viscosity<Space3f>;
template class Viscosity<Space2d>;
template class Viscosity<Space3d>;

}  // namespace treacle
