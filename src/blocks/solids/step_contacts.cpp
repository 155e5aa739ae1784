#include "blocks/solids/step_contacts.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "blocks/solids/body_loads.h"
#include "core/promises.h"

namespace treacle {

namespace {

/// What a body will still move, at a point, after the step.
template <class Real>
Vec3<Real> velocity_to_come(const Body& body, Vec3<Real> x) {
    return body.dynamic() ? cast<Real>(body.velocity_at(cast<double>(x))) : Vec3<Real>{};
}

}  // namespace

/// c; flattened to half at most, since one that is crushed must not fall through a thin wall.
template <class S>
auto StepContacts<S>::distance_of(std::size_t i, Vec normal) const -> Real {
    return contact_distance * std::sqrt(std::clamp(dot(normal, conformation_[i] * normal), Real(0.25), Real(2)));
}

template <class S>
void StepContacts<S>::begin(const Bodies& bodies, std::span<const SymMat<Real>> conformation, double reach, double dt,
                            const Parallel& parallel, std::span<Row> position) {
    assert(conformation.size() == position.size() && promises::finite(position) && dt >= 0);
    dt_ = dt;
    conformation_ = conformation;
    walls_.update(position, bodies, reach, parallel);
    friction_.assign(position.size(), Row{});
    walls_.for_each(parallel, [&](std::size_t i, std::span<const Wall> walls) {
        for (const Wall& wall : walls) {
            const Vec x = position[i].xyz(), normal = cast<Real>(wall.normal);
            const Body& body = bodies[wall.body];
            // The part that a scripted body has moved in within this step is its push, and comes with a speed.
            const double pushed =
                body.dynamic() ? 0 : std::max(0.0, dt * dot(body.velocity_at(cast<double>(x)), wall.normal));
            const Real depth = distance_of(i, normal) - static_cast<Real>(wall.distance + pushed);
            if (depth > 0) position[i] = x + depth * normal;
        }
    });
    begin_positions(bodies, reach, position, parallel);
}

template <class S>
void StepContacts<S>::begin_positions(const Bodies& bodies, double reach, std::span<const Row> position,
                                      const Parallel& parallel) {
    assert(position.size() == conformation_.size());
    walls_.update(position, bodies, reach, parallel);
    reference_.assign(position.begin(), position.end());
}

/// Change of the displacement by friction, from a slip over the step.
template <class S>
auto StepContacts<S>::rub(std::size_t i, const Body& body, Real distance, Vec normal, Vec slip, Real pressed) -> Vec {
    const Real mu = static_cast<Real>(body.friction);
    if (!(mu > 0) || !(distance < grip_distance)) return {};
    const Vec before = friction_[i].xyz();
    Vec after = before - (slip - dot(slip, normal) * normal);
    if (!std::isinf(mu)) {
        const Real most = mu * std::max(pressed, Real(0)) * static_cast<Real>(dt_ * dt_), size = length(after);
        if (size > most) after = (most / size) * after;
    }
    friction_[i] = after;
    return after - before;
}

template <class S>
template <class Displace>
void StepContacts<S>::push(std::span<const Real> mass, std::span<const Row> position, const Parallel& parallel,
                           std::span<Row> wall_displacement, Bodies& bodies, const Displace& displace) {
    // A displacement Δx within the step takes a force of m Δx/dt².
    push_bodies(Rows::of(position.size()), dt_ * dt_, parallel, bodies, [&](std::size_t i, BodyLoads& loads) {
        for (const Wall& wall : walls_.row(i)) {
            const Body& body = bodies[wall.body];
            const Vec3d x = cast<double>(position[i].xyz());
            const Vec change = displace(i, wall, body);
            wall_displacement[i] = wall_displacement[i].xyz() + change;
            loads.add(wall.body, body, x, -static_cast<double>(mass[i]) * cast<double>(change));
        }
    });
}

template <class S>
void StepContacts<S>::clamp_velocities(std::span<const Real> mass, std::span<const Real> pressed,
                                       std::span<const Row> position, const Parallel& parallel, std::span<Row> velocity,
                                       std::span<Row> wall_displacement, Bodies& bodies) {
    assert(promises::sized(walls_.size(), mass, pressed, position, velocity, wall_displacement));
    assert(walls_.of_bodies(bodies.size()) && promises::positive(mass) && dt_ > 0);
    const Real dt = static_cast<Real>(dt_);
    push(mass, position, parallel, wall_displacement, bodies, [&](std::size_t i, const Wall& wall, const Body& body) {
        const Vec x = position[i].xyz(), normal = cast<Real>(wall.normal);
        const Real gap = static_cast<Real>(wall.distance) - distance_of(i, normal);
        const Real approach = -dot(velocity[i].xyz() - velocity_to_come(body, x), normal) - gap / dt;
        Vec change = std::max(approach, Real(0)) * normal;
        const Vec slip = (velocity[i].xyz() + change) - cast<Real>(body.velocity_at(cast<double>(x)));
        const Vec approaching = velocity[i].xyz() + change - velocity_to_come(body, x);
        const Real distance = static_cast<Real>(wall.distance) + dt * dot(approaching, normal);
        change += rub(i, body, distance, normal, dt * slip, pressed[i]) / dt;
        velocity[i] = velocity[i].xyz() + change;
        return dt * change;
    });
}

template <class S>
void StepContacts<S>::hold(const Bodies& bodies, std::span<const Row> velocity, bool choose, const Parallel& parallel,
                           std::span<Row> change) {
    assert(promises::sized(walls_.size(), velocity, change) && walls_.of_bodies(bodies.size()));
    held_.resize(change.size());
    const Real dt = static_cast<Real>(dt_);
    walls_.for_each(parallel, [&](std::size_t i, std::span<const Wall> walls) {
        if (choose) held_[i] = 0;
        unsigned bit = 1;
        for (const Wall& wall : walls) {
            const Body& body = bodies[wall.body];
            const Vec normal = cast<Real>(wall.normal);
            if (choose) {
                const Real closest = distance_of(i, normal);
                const Vec to_come = velocity_to_come(body, reference_[i].xyz());
                const Real gap =
                    static_cast<Real>(wall.distance) + dt * dot(velocity[i].xyz() - to_come, normal) - closest;
                if (gap < Real(1e-3) * closest && dot(change[i].xyz(), normal) < 0)
                    held_[i] |= static_cast<std::uint8_t>(bit);
            }
            if (held_[i] & bit) {
                const Vec through = change[i].xyz();
                change[i] = std::isinf(body.friction) ? Vec{} : through - dot(through, normal) * normal;
            }
            bit = bit < 128 ? 2 * bit : 0;
        }
    });
}

template <class S>
void StepContacts<S>::clamp_positions(std::span<const Real> mass, std::span<const Real> pressed,
                                      const Parallel& parallel, MovingPositions<S>& moving,
                                      std::span<Row> wall_displacement, Bodies& bodies) {
    assert(promises::sized(walls_.size(), mass, pressed, moving, wall_displacement));
    assert(walls_.of_bodies(bodies.size()) && promises::positive(mass) && dt_ > 0);
    const Real dt = static_cast<Real>(dt_);
    push(mass, moving.position(), parallel, wall_displacement, bodies,
         [&](std::size_t i, const Wall& wall, const Body& body) {
             const Vec x = moving.position()[i].xyz(), moved = moving.displacement()[i].xyz(),
                       normal = cast<Real>(wall.normal);
             const Vec to_come = dt * velocity_to_come(body, x);
             const Vec since = moved - (reference_[i].xyz() - moving.start()[i].xyz());
             const Real distance = static_cast<Real>(wall.distance) + dot(since - to_come, normal);
             const Real closest = distance_of(i, normal);
             Vec change = std::max(closest - distance, Real(0)) * normal;
             const Vec slip = (moved + change) - dt * cast<Real>(body.velocity_at(cast<double>(x)));
             change += rub(i, body, std::max(distance, closest), normal, slip, pressed[i]);
             moving.move(i, change);
             return change;
         });
}

template class StepContacts<Space2f>;
template class StepContacts<Space3f>;
template class StepContacts<Space2d>;
template class StepContacts<Space3d>;

}  // namespace treacle
