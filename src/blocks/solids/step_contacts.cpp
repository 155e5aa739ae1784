#include "blocks/solids/step_contacts.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "blocks/motion.h"
#include "blocks/solids/body_loads.h"
#include "blocks/solids/own_hold.h"
#include "core/promises.h"

namespace treacle {

/// c; at least half of contact_distance, so that a crushed particle does not fall through a thin wall.
template <class S>
auto StepContacts<S>::distance_of(std::size_t i, Vec normal) const -> Real {
    return contact_distance * std::sqrt(std::clamp(dot(normal, conformation_[i] * normal), Real(0.25), Real(2)));
}

template <class S>
void StepContacts<S>::find_walls(const FluidView<S>& fluid, const BlockContext<S>& context, double within) {
    walls_.update(fluid.position, context.bodies, within, context.parallel);
    reference_.assign(fluid.position.begin(), fluid.position.end());
    touching_.assign(context.bodies.size(), 0);
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        for (const Wall& wall : walls_.row(i))
            if (static_cast<Real>(wall.distance) < grip_distance) ++touching_[wall.body];
    }
}

template <class S>
void StepContacts<S>::find_motions(const BlockContext<S>& context) {
    to_come_ = BodyContacts<S>::motions_to_come(context.bodies, context.gravity, context.dt);
}

/// The velocity with which a body will still move after the step, where a particle is. Scripted ones have moved.
template <class S>
auto StepContacts<S>::velocity_to_come(const Wall& wall, const Body& body, Vec x) const -> Vec {
    if (!body.dynamic()) return {};
    const Vec3d arm = cast<double>(x) - body.center_of_mass_in_space();
    return cast<Real>(to_come_[wall.body].linear + cross(to_come_[wall.body].angular, arm));
}

template <class S>
auto StepContacts<S>::slip_of(const Wall& wall, const Body& body, Vec x, Vec v) const -> Vec {
    return v - (body.dynamic() ? velocity_to_come(wall, body, x) : cast<Real>(body.velocity_at(cast<double>(x))));
}

/// Of what lies between a particle and a wall, the particle's share: the rest a body that can move goes out of its way,
/// if all particles that touch it push alike.
template <class S>
auto StepContacts<S>::share_of(const Wall& wall, const Body& body, Vec x, Real mass) const -> Real {
    if (!body.dynamic()) return 1;
    const Vec3d lever = cross(cast<double>(x) - body.center_of_mass_in_space(), wall.normal);
    const double mobility = 1 / body.mass + dot(lever, body.spin_up(lever));
    return static_cast<Real>(1 / (1 + touching_[wall.body] * static_cast<double>(mass) * mobility));
}

template <class S>
void StepContacts<S>::begin(const FluidView<S>& fluid, const BlockContext<S>& context,
                            std::span<const SymMat<Real>> conformation, std::span<Row> wall_displacement) {
    assert(promises::sized(fluid.size(), fluid.velocity, conformation, wall_displacement));
    assert(promises::finite(fluid.position) && context.dt >= 0);
    const auto stage = context.timer.stage("boundary");
    const double speed = fastest<Real>(fluid.velocity, context.parallel) + context.dt * length(context.gravity);
    const double within = reach + 2 * context.dt * speed;
    conformation_ = conformation;
    friction_.assign(fluid.size(), Row{});
    holds_ = false;
    std::fill(wall_displacement.begin(), wall_displacement.end(), Row{});
    walls_.update(fluid.position, context.bodies, within, context.parallel);
    walls_.for_each(context.parallel, [&](std::size_t i, std::span<const Wall> walls) {
        for (const Wall& wall : walls) {
            const Vec x = fluid.position[i].xyz(), normal = cast<Real>(wall.normal);
            const Body& body = context.bodies[wall.body];
            // A scripted body that has moved in within this step pushes, and that gives a speed.
            const double pushed =
                body.dynamic() ? 0 : std::max(0.0, context.dt * dot(body.velocity_at(cast<double>(x)), wall.normal));
            const Real depth = distance_of(i, normal) - static_cast<Real>(wall.distance + pushed);
            if (depth > 0) fluid.position[i] = x + depth * normal;
        }
    });
    find_walls(fluid, context, within);
}

template <class S>
void StepContacts<S>::begin_positions(const FluidView<S>& fluid, const BlockContext<S>& context) {
    assert(conformation_.size() == fluid.size());
    const auto stage = context.timer.stage("boundary");
    find_walls(fluid, context, reach);
}

/// The change of the displacement by friction, from the slip over the step.
template <class S>
auto StepContacts<S>::friction_change(const FluidView<S>& fluid, std::size_t i, double dt, const Body& body,
                                      Real distance, Vec normal, Vec slip, Real pressed) -> Vec {
    const Real mu = static_cast<Real>(body.friction);
    if (!(mu > 0) || !(distance < grip_distance)) return {};
    const Vec before = friction_[i].xyz();
    Vec after = before - (slip - dot(slip, normal) * normal);
    if (!std::isinf(mu)) {
        const Real size = length(after), longest = mu * std::max(pressed, Real(0)) * static_cast<Real>(dt * dt);
        const Real share = steady_viscosity.empty()
                               ? Real(1)
                               : own_hold(steady_viscosity[fluid.material[i]], static_cast<Real>(dt), fluid.mass[i],
                                          fluid.volume[i], grip_distance, distance);
        if (share * size > longest) after = (longest / size) * after;
        else if (share < 1) after = share * after;
    }
    friction_[i] = after;
    return after - before;
}

template <class S>
template <class Displace>
void StepContacts<S>::push(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<Row> wall_displacement,
                           const Displace& displace) {
    // A displacement Δx within the step takes a force of m Δx/dt².
    const double square = context.dt * context.dt;
    push_bodies(fluid.rows(), square, context.parallel, context.bodies, [&](std::size_t i, BodyLoads& loads) {
        for (const Wall& wall : walls_.row(i)) {
            const Body& body = context.bodies[wall.body];
            const Vec3d x = cast<double>(fluid.position[i].xyz());
            const Vec change = displace(i, wall, body);
            wall_displacement[i] = wall_displacement[i].xyz() + change;
            loads.add(wall.body, body, x, -static_cast<double>(fluid.mass[i]) * cast<double>(change));
        }
    });
}

template <class S>
void StepContacts<S>::clamp_velocities(const FluidView<S>& fluid, const BlockContext<S>& context,
                                       std::span<const Real> pressed, std::span<Row> wall_displacement) {
    assert(promises::sized(fluid.size(), walls_, fluid.velocity, fluid.mass, pressed, wall_displacement));
    assert(walls_.of_bodies(context.bodies.size()) && promises::positive(fluid.mass) && context.dt > 0);
    const auto stage = context.timer.stage("velocity projection");
    const Real dt = static_cast<Real>(context.dt);
    find_motions(context);
    push(fluid, context, wall_displacement, [&](std::size_t i, const Wall& wall, const Body& body) {
        const Vec x = fluid.position[i].xyz(), v = fluid.velocity[i].xyz(), normal = cast<Real>(wall.normal);
        const Real gap = static_cast<Real>(wall.distance) - distance_of(i, normal);
        const Real approach = -dot(v - velocity_to_come(wall, body, x), normal) - gap / dt;
        const Real share = share_of(wall, body, x, fluid.mass[i]);
        Vec change = share * std::max(approach, Real(0)) * normal;
        const Vec slip = share * dt * slip_of(wall, body, x, v + change);
        const Vec approaching = v + change - velocity_to_come(wall, body, x);
        const Real distance = static_cast<Real>(wall.distance) + dt * dot(approaching, normal);
        if (rubs(fluid.material[i]))
            change += friction_change(fluid, i, context.dt, body, distance, normal, slip, pressed[i]) / dt;
        fluid.velocity[i] = v + change;
        return dt * change;
    });
}

template <class S>
void StepContacts<S>::restrain(const FluidView<S>& fluid, const BlockContext<S>& context, bool choose,
                               std::span<Row> change, std::span<Row> wall_displacement) {
    assert(promises::sized(fluid.size(), walls_, fluid.velocity, change) && walls_.of_bodies(context.bodies.size()));
    if (choose) {
        press_held(fluid, context, wall_displacement);
        find_motions(context);
        held_.assign(walls_, Hold{});
        holds_ = true;
    }
    const Real dt = static_cast<Real>(context.dt);
    walls_.for_each(context.parallel, [&](std::size_t i, std::span<const Wall> walls) {
        Hold* hold = held_.row(walls_, i);
        for (const Wall& wall : walls) {
            const Body& body = context.bodies[wall.body];
            const Vec normal = cast<Real>(wall.normal);
            if (choose) {
                const Real closest = distance_of(i, normal);
                const Vec to_come = velocity_to_come(wall, body, reference_[i].xyz());
                const Real gap =
                    static_cast<Real>(wall.distance) + dt * dot(fluid.velocity[i].xyz() - to_come, normal) - closest;
                hold->holds = gap < Real(1e-3) * closest && dot(change[i].xyz(), normal) < 0;
            }
            if (hold->holds) {
                const Vec through = change[i].xyz();
                const bool sticks = std::isinf(body.friction) && rubs(fluid.material[i]);
                change[i] = sticks ? Vec{} : through - dot(through, normal) * normal;
                hold->latest = change[i].xyz() - through;
            }
            ++hold;
        }
    });
}

template <class S>
void StepContacts<S>::follow(const Parallel& parallel, Real step) {
    walls_.for_each(parallel, [&](std::size_t i, std::span<const Wall> walls) {
        Hold* const row = held_.row(walls_, i);
        for (std::size_t n = 0; n < walls.size(); ++n) row[n].sum += step * row[n].latest;
    });
}

template <class S>
void StepContacts<S>::take_half_back(const Parallel& parallel) {
    walls_.for_each(parallel, [&](std::size_t i, std::span<const Wall> walls) {
        Hold* const row = held_.row(walls_, i);
        for (std::size_t n = 0; n < walls.size(); ++n) row[n].sum = Real(0.5) * row[n].sum;
    });
}

template <class S>
void StepContacts<S>::press_held(const FluidView<S>& fluid, const BlockContext<S>& context,
                                 std::span<Row> wall_displacement) {
    assert(promises::sized(fluid.size(), fluid.mass, fluid.velocity, wall_displacement) && context.dt > 0);
    if (!holds_) return;
    const Real dt = static_cast<Real>(context.dt);
    push(fluid, context, wall_displacement, [&](std::size_t i, const Wall& wall, const Body&) {
        return dt * held_.row(walls_, i)[&wall - walls_.row(i).data()].sum;
    });
    holds_ = false;
}

template <class S>
void StepContacts<S>::clamp_positions(const FluidView<S>& fluid, const BlockContext<S>& context,
                                      std::span<const Real> pressed, MovingPositions<S>& moving,
                                      std::span<Row> wall_displacement) {
    assert(promises::sized(fluid.size(), walls_, fluid.mass, pressed, wall_displacement));
    assert(moving.moves(fluid.position) && walls_.of_bodies(context.bodies.size()));
    assert(promises::positive(fluid.mass) && context.dt > 0);
    const auto stage = context.timer.stage("position projection");
    const Real dt = static_cast<Real>(context.dt);
    find_motions(context);
    push(fluid, context, wall_displacement, [&](std::size_t i, const Wall& wall, const Body& body) {
        const Vec x = fluid.position[i].xyz(), moved = moving.displacement()[i].xyz(), normal = cast<Real>(wall.normal);
        const Vec to_come = dt * velocity_to_come(wall, body, x);
        const Vec since = moved - (reference_[i].xyz() - moving.start()[i].xyz());
        Real distance = static_cast<Real>(wall.distance) + dot(since - to_come, normal);
        const Real closest = distance_of(i, normal);
        const Real share = share_of(wall, body, x, fluid.mass[i]);
        Vec change = share * std::max(closest - distance, Real(0)) * normal;
        const Vec slip = share * dt * slip_of(wall, body, x, (moved + change) / dt);
        if (rubs(fluid.material[i])) {
            distance = std::max(distance, closest);
            change += friction_change(fluid, i, context.dt, body, distance, normal, slip, pressed[i]);
        }
        moving.move(i, change);
        return change;
    });
}

template class StepContacts<Space2f>;
template class StepContacts<Space3f>;
template class StepContacts<Space2d>;
template class StepContacts<Space3d>;

}  // namespace treacle
