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

/// Sums loads by block of particles, then in block order: the same bits for any number of threads.
class Loads {
public:
    Loads(std::size_t particles, std::size_t bodies)
        : by_block_(Parallel::block_count(particles), std::vector<Load>(bodies)) {}

    void add(std::size_t block, const Wall& wall, const Body& body, Vec3d point, Vec3d impulse) {
        Load& load = by_block_[block][wall.body];
        load.impulse += impulse;
        load.moment += cross(point - body.pose.position, impulse);
    }

    void give_to(Bodies& bodies, double dt) const {
        for (std::size_t b = 0; b < bodies.size(); ++b) {
            Load total;
            for (const auto& loads : by_block_) {
                total.impulse += loads[b].impulse;
                total.moment += loads[b].moment;
            }
            bodies[b].force += total.impulse / dt;
            bodies[b].torque += total.moment / dt;
        }
    }

private:
    std::vector<std::vector<Load>> by_block_;
};

template <class Real>
Vec3<Real> relative_velocity(const Body& body, Vec3<Real> position, Vec3<Real> velocity) {
    return velocity - cast<Real>(body.velocity_at(cast<double>(position)));
}

}  // namespace

template <class S>
void Collision<S>::stop(const WallRows<S>& walls, std::span<const Real> mass, Real dt, const Parallel& parallel,
                        std::span<typename S::Row> position, std::span<typename S::Row> velocity,
                        std::span<typename S::Row> wall_displacement, Bodies& bodies) const {
    Loads loads(position.size(), bodies.size());
    parallel.for_blocks(position.size(), [&](std::size_t first, std::size_t last, std::size_t block) {
        for (std::size_t i = first; i < last; ++i) {
            const auto by_pressure = wall_displacement[i].xyz();
            for (const Wall& wall : walls.row(i)) {
                const Body& body = bodies[wall.body];
                const auto x = position[i].xyz();
                const auto normal = cast<Real>(wall.normal);
                const Real distance = static_cast<Real>(wall.distance);
                Real change = 0;
                if (distance < contact_distance) {
                    change = std::max(-dot(relative_velocity(body, x, velocity[i].xyz()), normal), Real(0));
                    position[i] = x + (contact_distance - distance) * normal;
                    wall_displacement[i] = wall_displacement[i].xyz() + (change * dt) * normal;
                }
                if (stick_strength > 0 && distance > 0 && distance < stick_distance) {
                    change -= dt * static_cast<Real>(body.adhesion) * stick_strength * distance * (1 - distance / stick_distance);
                }
                velocity[i] = velocity[i].xyz() + change * normal;
                const Real push = dot(by_pressure, normal) / dt;
                loads.add(block, wall, body, cast<double>(x), (-static_cast<double>(mass[i] * (change + push))) * wall.normal);
            }
        }
    });
    loads.give_to(bodies, static_cast<double>(dt));
}

/// Share of its slip that a particle loses to a wall that presses it with this much velocity change.
template <class S>
auto Collision<S>::share_lost(const Wall& wall, const Body& body, Real slip, Real pressed) const -> Real {
    const Real mu = static_cast<Real>(body.friction);
    const Real distance = static_cast<Real>(wall.distance);
    if (std::isinf(mu)) return distance < grip_distance ? Real(1) : Real(0);
    if (friction == Friction::coulomb) {
        return distance < grip_distance && slip > 0 && pressed > 0 ? std::min(Real(1), mu * pressed / slip) : Real(0);
    }
    if (!(distance < contact_distance)) return 0;
    return friction == Friction::fraction ? std::min(mu, Real(1)) : -mu;
}

template <class S>
void Collision<S>::rub(const WallRows<S>& walls, std::span<const Real> mass,
                       std::span<const Real> pressed, Real dt, const Parallel& parallel,
                       std::span<typename S::Row> position, std::span<typename S::Row> velocity, Bodies& bodies) const {
    Loads loads(position.size(), bodies.size());
    parallel.for_blocks(position.size(), [&](std::size_t first, std::size_t last, std::size_t block) {
        for (std::size_t i = first; i < last; ++i) {
            for (const Wall& wall : walls.row(i)) {
                const Body& body = bodies[wall.body];
                const auto x = position[i].xyz();
                const auto normal = cast<Real>(wall.normal);
                const auto relative = relative_velocity(body, x, velocity[i].xyz());
                const auto tangent = relative - dot(relative, normal) * normal;
                const auto change = -share_lost(wall, body, length(tangent), pressed[i] * dt) * tangent;
                // A change of velocity within the step moves the particle too: v = (x - x_old)/dt stays true.
                velocity[i] = velocity[i].xyz() + change;
                position[i] = x + dt * change;
                loads.add(block, wall, body, cast<double>(x), -static_cast<double>(mass[i]) * cast<double>(change));
            }
        }
    });
    loads.give_to(bodies, static_cast<double>(dt));
}

template struct Collision<Space2f>;
template struct Collision<Space3f>;
template struct Collision<Space2d>;
template struct Collision<Space3d>;

}  // namespace treacle
