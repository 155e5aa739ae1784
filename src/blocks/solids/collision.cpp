#include "blocks/solids/collision.h"

#include <algorithm>
#include <cmath>

namespace treacle {

namespace {

/// Momentum given to a body by the fluid, and its moment about the body's position.
struct Load {
    Vec3d impulse{};
    Vec3d moment{};
};

}  // namespace

template <class S>
auto Collision<S>::against(const Wall& wall, const Body& body, typename S::Vec position, typename S::Vec velocity,
                           typename S::Vec wall_displacement, Real dt) const -> Contact {
    const auto normal = cast<Real>(wall.normal);
    const auto relative = velocity - cast<Real>(body.velocity_at(cast<double>(position)));
    const Real approach = -dot(relative, normal);
    const auto tangent = relative + approach * normal;
    const Real distance = static_cast<Real>(wall.distance);
    Contact contact{};

    // Normal part: stop the approach, then project out what is still inside.
    Real normal_change = 0;
    if (distance < contact_distance) {
        normal_change = std::max(approach, Real(0));
        contact.shift = (contact_distance - distance) * normal;
        contact.change = normal_change * normal;
    }

    // Friction acts with everything that presses the particle onto the wall.
    const Real pressed = normal_change + std::max(dot(wall_displacement, normal), Real(0)) / dt;
    const Real mu = static_cast<Real>(body.friction);
    const Real slip = length(tangent);
    Real share = 0;
    if (std::isinf(mu)) {
        share = distance < grip_distance ? Real(1) : Real(0);
    } else if (friction == Friction::coulomb) {
        share = slip > 0 ? std::min(Real(1), mu * pressed / slip) : Real(0);
    } else if (distance < contact_distance) {
        share = friction == Friction::fraction ? std::min(mu, Real(1)) : -mu;
    }
    contact.change -= share * tangent;

    if (body.adhesion > 0 && distance > 0 && distance < stick_distance) {
        const Real pull = static_cast<Real>(body.adhesion) * stick_strength * distance * (1 - distance / stick_distance);
        contact.change -= (dt * pull) * normal;
    }
    return contact;
}

template <class S>
void Collision<S>::resolve(const WallRows<S>& walls, std::span<const Real> mass,
                           std::span<const typename S::Row> wall_displacement, Real dt, const Parallel& parallel,
                           std::span<typename S::Row> position, std::span<typename S::Row> velocity,
                           Bodies& bodies) const {
    const std::size_t count = position.size();
    std::vector<std::vector<Load>> block_loads(Parallel::block_count(count), std::vector<Load>(bodies.size()));
    parallel.for_blocks(count, [&](std::size_t first, std::size_t last, std::size_t block) {
        for (std::size_t i = first; i < last; ++i) {
            for (const Wall& wall : walls.row(i)) {
                const Body& body = bodies[wall.body];
                const auto x = position[i].xyz();
                const Contact contact = against(wall, body, x, velocity[i].xyz(), wall_displacement[i].xyz(), dt);
                // A change of velocity within the step moves the particle as well: v = (x - x_old)/dt stays true
                // for friction and stickiness; the stop at the surface is part of the projection.
                const auto normal = cast<Real>(wall.normal);
                const auto tangential = contact.change - dot(contact.change, normal) * normal;
                position[i] = x + contact.shift + dt * tangential;
                velocity[i] = velocity[i].xyz() + contact.change;

                const Real push = std::max(dot(wall_displacement[i].xyz(), normal), Real(0)) / dt;
                const Vec3d impulse = -static_cast<double>(mass[i]) * cast<double>(contact.change + push * normal);
                Load& load = block_loads[block][wall.body];
                load.impulse += impulse;
                load.moment += cross(cast<double>(x) - body.pose.position, impulse);
            }
        }
    });
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        Load total;
        for (const auto& loads : block_loads) {
            total.impulse += loads[b].impulse;
            total.moment += loads[b].moment;
        }
        bodies[b].force += total.impulse / static_cast<double>(dt);
        bodies[b].torque += total.moment / static_cast<double>(dt);
    }
}

template struct Collision<Space2f>;
template struct Collision<Space3f>;
template struct Collision<Space2d>;
template struct Collision<Space3d>;

}  // namespace treacle
