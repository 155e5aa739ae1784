#include "blocks/solids/wall_contact.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "blocks/solids/body_loads.h"
#include "blocks/solids/own_hold.h"
#include "blocks/solids/shared_velocity.h"
#include "core/promises.h"

namespace treacle {

namespace {

template <class Real>
Vec3<Real> relative_velocity(const Body& body, Vec3<Real> position, Vec3<Real> velocity) {
    return velocity - cast<Real>(body.velocity_at(cast<double>(position)));
}

/// Two directions that complete a unit vector to a right-angled trio.
std::array<Vec3d, 2> across(Vec3d normal) {
    const Vec3d other = std::abs(normal.z) < 0.9 ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0};
    const Vec3d first = cross(normal, other) / length(cross(normal, other));
    return {first, cross(normal, first)};
}

/// One for each body.
struct SharedVelocities {
    std::vector<SharedVelocity> by_body;

    SharedVelocities& operator+=(const SharedVelocities& other) {
        for (std::size_t b = 0; b < by_body.size(); ++b) by_body[b] += other.by_body[b];
        return *this;
    }
};

}  // namespace

/// While it lives, bodies have the velocities that they share with the particles at their walls.
template <class S>
class WallContact<S>::BodiesInContact {
public:
    BodiesInContact(const WallContact& contact, const FluidView<S>& fluid, const BlockContext<S>& context,
                    std::span<const Real> pressed)
        : kept_(context.bodies) {
        Bodies& bodies = context.bodies;
        if (std::none_of(bodies.begin(), bodies.end(), [](const Body& body) { return body.dynamic(); })) return;
        SharedVelocities alone{std::vector<SharedVelocity>(bodies.size())}, nothing = alone;
        for (std::size_t b = 0; b < bodies.size(); ++b) {
            if (bodies[b].dynamic()) alone.by_body[b] = SharedVelocity(bodies[b], S::dim, dt_of(context));
        }
        // Blocks add to nothing, and all of them to the bodies alone, one after the other.
        const SharedVelocities shared = context.parallel.fold_blocks(
            fluid.rows(), alone, [&](SharedVelocities& local, std::size_t first, std::size_t last) {
                local = nothing;
                for (std::size_t i = first; i < last; ++i) contact.join(fluid, context, i, pressed[i], local.by_body);
            });
        for (std::size_t b = 0; b < bodies.size(); ++b) {
            if (bodies[b].dynamic()) shared.by_body[b].give_to(bodies[b]);
        }
    }

private:
    /// As particles know it.
    static double dt_of(const BlockContext<S>& context) { return static_cast<double>(static_cast<Real>(context.dt)); }

    VelocitiesKept kept_;
};

/// Particle i takes part in the velocity of the bodies that it is stopped or rubbed by.
template <class S>
void WallContact<S>::join(const FluidView<S>& fluid, const BlockContext<S>& context, std::size_t i, Real pressed,
                          std::span<SharedVelocity> shared) const {
    for (const Wall& wall : walls_.row(i)) {
        const Body& body = context.bodies[wall.body];
        if (!body.dynamic()) continue;
        const double m = static_cast<double>(fluid.mass[i]);
        const Vec3d x = cast<double>(fluid.position[i].xyz()), v = cast<double>(fluid.velocity[i].xyz());
        const Vec3d r = x - body.center_of_mass_in_space();
        const Vec3d slip = v - body.velocity_at(x);
        const double approach = -dot(slip, wall.normal);
        if (static_cast<Real>(wall.distance) < settings.contact_distance && approach > 0)
            shared[wall.body].join(r, wall.normal, m, v);
        const Real speed = static_cast<Real>(length(slip + approach * wall.normal));
        if (!rubs(fluid.material[i])) continue;
        const double share =
            static_cast<double>(share_lost(fluid, i, static_cast<Real>(context.dt), wall, body, speed, pressed));
        if (share <= 0) continue;
        for (const Vec3d& tangent : across(wall.normal)) shared[wall.body].join(r, tangent, share * m, v);
    }
}

template <class S>
void WallContact<S>::find_walls(const FluidView<S>& fluid, const BlockContext<S>& context, double reach) {
    // Positions may be infinite: the health check after the step reports a run that has diverged.
    assert(reach >= 0);
    walls_.update(fluid.position, context.bodies, reach, context.parallel);
}

template <class S>
void WallContact<S>::keep_out(const FluidView<S>& fluid, const BlockContext<S>& context,
                              std::span<Row> wall_displacement, std::span<Real> pressed) {
    assert(promises::sized(fluid.size(), fluid.mass, fluid.velocity, wall_displacement, pressed));
    assert(promises::positive(fluid.mass) && context.dt > 0);
    const auto stage = context.timer.stage(settings.stage);
    find_walls(fluid, context, settings.reach);
    const BodiesInContact in_contact(*this, fluid, context, pressed);
    stop(fluid, context, wall_displacement);
    load.update(fluid, context, walls_, wall_displacement, pressed);
}

template <class S>
void WallContact<S>::keep_out(const FluidView<S>& fluid, const BlockContext<S>& context) {
    assert(promises::sized(fluid.size(), fluid.mass, fluid.velocity));
    assert(promises::positive(fluid.mass) && context.dt > 0);
    const auto stage = context.timer.stage(settings.stage);
    find_walls(fluid, context, settings.reach);
    no_load_.assign(fluid.size(), 0);
    by_contact_.assign(fluid.size(), Row{});
    const BodiesInContact in_contact(*this, fluid, context, no_load_);
    stop(fluid, context, by_contact_);
}

template <class S>
void WallContact<S>::keep_out_with_friction(const FluidView<S>& fluid, const BlockContext<S>& context,
                                            std::span<Row> wall_displacement, std::span<Real> pressed) {
    assert(promises::sized(fluid.size(), fluid.mass, fluid.velocity, wall_displacement, pressed));
    assert(promises::positive(fluid.mass) && context.dt > 0);
    const auto stage = context.timer.stage(settings.stage);
    find_walls(fluid, context, settings.reach);
    const BodiesInContact in_contact(*this, fluid, context, pressed);
    stop(fluid, context, wall_displacement);
    load.update(fluid, context, walls_, wall_displacement, pressed);
    slow_slip(fluid, context, pressed);
}

template <class S>
void WallContact<S>::apply_friction(const FluidView<S>& fluid, const BlockContext<S>& context,
                                    std::span<const Real> pressed) {
    assert(promises::sized(fluid.size(), fluid.mass, fluid.velocity, pressed));
    assert(promises::positive(fluid.mass) && context.dt > 0);
    const auto stage = context.timer.stage("friction");
    find_walls(fluid, context, settings.reach);
    const BodiesInContact in_contact(*this, fluid, context, pressed);
    slow_slip(fluid, context, pressed);
}

template <class S>
void WallContact<S>::stop(const FluidView<S>& fluid, const BlockContext<S>& context,
                          std::span<Row> wall_displacement) const {
    const Real dt = static_cast<Real>(context.dt);
    const Bodies& bodies = context.bodies;
    push_bodies(
        fluid.rows(), static_cast<double>(dt), context.parallel, context.bodies, [&](std::size_t i, BodyLoads& loads) {
            for (const Wall& wall : walls_.row(i)) {
                const Body& body = bodies[wall.body];
                const auto x = fluid.position[i].xyz();
                const auto normal = cast<Real>(wall.normal);
                const Real distance = static_cast<Real>(wall.distance);
                Real change = 0;
                if (distance < settings.contact_distance) {
                    change = std::max(-dot(relative_velocity(body, x, fluid.velocity[i].xyz()), normal), Real(0));
                    fluid.position[i] = x + (settings.contact_distance - distance) * normal;
                    wall_displacement[i] = wall_displacement[i].xyz() + (change * dt) * normal;
                }
                if (settings.stick_strength > 0 && distance > 0 && distance < settings.stick_distance) {
                    change -= dt * static_cast<Real>(body.adhesion) * settings.stick_strength * distance *
                              (1 - distance / settings.stick_distance);
                }
                fluid.velocity[i] = fluid.velocity[i].xyz() + change * normal;
                loads.add(wall.body, body, cast<double>(x), -static_cast<double>(fluid.mass[i] * change) * wall.normal);
            }
        });
}

/// Share of its slip that particle i loses within dt to a wall that presses it with this acceleration.
template <class S>
auto WallContact<S>::share_lost(const FluidView<S>& fluid, std::size_t i, Real dt, const Wall& wall, const Body& body,
                                Real slip, Real pressed) const -> Real {
    const Real mu = static_cast<Real>(body.friction);
    const Real distance = static_cast<Real>(wall.distance);
    if (std::isinf(mu)) return distance < settings.grip_distance ? Real(1) : Real(0);
    if (settings.friction == Friction::coulomb) {
        if (!(distance < settings.grip_distance && slip > 0 && pressed > 0)) return 0;
        const Real allowed = mu * (pressed * dt) / slip;
        if (settings.steady_viscosity.empty()) return std::min(Real(1), allowed);
        const Real viscosity = settings.steady_viscosity[fluid.material[i]];
        return std::min(allowed,
                        own_hold(viscosity, dt, fluid.mass[i], fluid.volume[i], settings.grip_distance, distance));
    }
    if (!(distance < settings.contact_distance)) return 0;
    return settings.friction == Friction::fraction ? std::min(mu, Real(1)) : -mu;
}

template <class S>
void WallContact<S>::slow_slip(const FluidView<S>& fluid, const BlockContext<S>& context,
                               std::span<const Real> pressed) const {
    const Real dt = static_cast<Real>(context.dt);
    const Bodies& bodies = context.bodies;
    push_bodies(
        fluid.rows(), static_cast<double>(dt), context.parallel, context.bodies, [&](std::size_t i, BodyLoads& loads) {
            if (!rubs(fluid.material[i])) return;
            for (const Wall& wall : walls_.row(i)) {
                const Body& body = bodies[wall.body];
                const auto x = fluid.position[i].xyz();
                const auto normal = cast<Real>(wall.normal);
                const auto relative = relative_velocity(body, x, fluid.velocity[i].xyz());
                const auto tangent = relative - dot(relative, normal) * normal;
                const auto change = -share_lost(fluid, i, dt, wall, body, length(tangent), pressed[i]) * tangent;
                // A change of velocity within the step moves the particle too: v = (x - x_old)/dt stays true.
                fluid.velocity[i] = fluid.velocity[i].xyz() + change;
                if (settings.friction_moves) fluid.position[i] = x + dt * change;
                loads.add(wall.body, body, cast<double>(x), -static_cast<double>(fluid.mass[i]) * cast<double>(change));
            }
        });
}

template class WallContact<Space2f>;
template class WallContact<Space3f>;
template class WallContact<Space2d>;
template class WallContact<Space3d>;

}  // namespace treacle
