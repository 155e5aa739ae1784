#include "blocks/solids/collision.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <tuple>

#include "blocks/solids/body_loads.h"
#include "core/promises.h"

namespace treacle {

namespace {

template <class Real>
Vec3<Real> relative_velocity(const Body& body, Vec3<Real> position, Vec3<Real> velocity) {
    return velocity - cast<Real>(body.velocity_at(cast<double>(position)));
}

/// Linear and angular velocity of a body about its center of mass.
using Motion6 = std::array<double, 6>;

/// What decides the common velocity of one body and the particles at it: a symmetric matrix and a right-hand side.
struct Meeting {
    std::array<Motion6, 6> matrix{};
    Motion6 right{};

    Meeting& operator+=(const Meeting& other) {
        for (std::size_t r = 0; r < 6; ++r) {
            right[r] += other.right[r];
            for (std::size_t c = 0; c < 6; ++c) matrix[r][c] += other.matrix[r][c];
        }
        return *this;
    }

    /// A particle of mass m at r with velocity v that takes on the body's along `direction`, by the weight given.
    void join(Vec3d r, Vec3d direction, double weight, Vec3d v) {
        const Vec3d turn = cross(r, direction);
        const Motion6 row{direction.x, direction.y, direction.z, turn.x, turn.y, turn.z};
        const double along = dot(direction, v);
        for (std::size_t a = 0; a < 6; ++a) {
            right[a] += weight * along * row[a];
            for (std::size_t b = 0; b < 6; ++b) matrix[a][b] += weight * row[a] * row[b];
        }
    }

    /// Elimination without pivoting: the matrix is positive definite.
    Motion6 solve() {
        for (std::size_t k = 0; k < 6; ++k) {
            for (std::size_t r = k + 1; r < 6; ++r) {
                const double factor = matrix[r][k] / matrix[k][k];
                for (std::size_t c = k; c < 6; ++c) matrix[r][c] -= factor * matrix[k][c];
                right[r] -= factor * right[k];
            }
        }
        Motion6 x{};
        for (std::size_t k = 6; k-- > 0;) {
            x[k] = right[k];
            for (std::size_t c = k + 1; c < 6; ++c) x[k] -= matrix[k][c] * x[c];
            x[k] /= matrix[k][k];
        }
        return x;
    }
};

/// The body by itself, with the force and torque that it has met so far.
Meeting alone(const Body& body, int dimension, double dt) {
    Meeting meeting;
    const Vec3d velocity = body.velocity_at(body.center_of_mass_in_space());
    const Quaternion axes = body.pose.rotation * body.principal_axes;
    for (std::size_t k = 0; k < 3; ++k) meeting.matrix[k][k] = body.mass;
    for (int axis = 0; axis < 3; ++axis) {
        Vec3d e{};
        e[axis] = 1;
        e = rotate(axes, e);
        // In 2D nothing turns out of the plane; any inertia will do there.
        const double inertia = dimension == 2 && axis < 2 ? body.inertia.z : body.inertia[axis];
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) {
                meeting.matrix[static_cast<std::size_t>(3 + r)][static_cast<std::size_t>(3 + c)] +=
                    inertia * e[r] * e[c];
            }
        }
    }
    for (std::size_t k = 0; k < 3; ++k) {
        meeting.right[k] = body.mass * velocity[static_cast<int>(k)];
        for (std::size_t c = 0; c < 3; ++c) {
            meeting.right[3 + k] += meeting.matrix[3 + k][3 + c] * body.angular_velocity[static_cast<int>(c)];
        }
    }
    const Vec3d arm = body.pose.position - body.center_of_mass_in_space();
    const Vec3d torque = body.torque + cross(arm, body.force);
    for (int k = 0; k < 3; ++k) {
        meeting.right[static_cast<std::size_t>(k)] += dt * body.force[k];
        meeting.right[static_cast<std::size_t>(3 + k)] += dt * torque[k];
    }
    return meeting;
}

/// Two directions that complete a unit vector to a right-angled trio.
std::array<Vec3d, 2> across(Vec3d normal) {
    const Vec3d other = std::abs(normal.z) < 0.9 ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0};
    const Vec3d first = cross(normal, other) / length(cross(normal, other));
    return {first, cross(normal, first)};
}

}  // namespace

template <class S>
auto Collision<S>::meet(const WallRows<S>& walls, std::span<const Real> mass, std::span<const Real> pressed, Real dt,
                        const Parallel& parallel, std::span<const typename S::Row> position,
                        std::span<const typename S::Row> velocity, Bodies& bodies) const -> Kept {
    assert(promises::sized(walls.size(), mass, pressed, position, velocity) && walls.of_bodies(bodies.size()));
    assert(promises::positive(mass) && dt > 0);
    Kept kept;
    for (const Body& body : bodies) kept.emplace_back(body.velocity, body.angular_velocity);
    if (std::none_of(bodies.begin(), bodies.end(), [](const Body& body) { return body.dynamic(); })) return kept;
    std::vector<std::vector<Meeting>> by_block(Parallel::block_count(position.size()),
                                               std::vector<Meeting>(bodies.size()));
    parallel.for_blocks(position.size(), [&](std::size_t first, std::size_t last, std::size_t block) {
        for (std::size_t i = first; i < last; ++i) {
            for (const Wall& wall : walls.row(i)) {
                const Body& body = bodies[wall.body];
                if (!body.dynamic()) continue;
                Meeting& meeting = by_block[block][wall.body];
                const double m = static_cast<double>(mass[i]);
                const Vec3d x = cast<double>(position[i].xyz()), v = cast<double>(velocity[i].xyz());
                const Vec3d r = x - body.center_of_mass_in_space();
                const Vec3d slip = v - body.velocity_at(x);
                const double approach = -dot(slip, wall.normal);
                if (static_cast<Real>(wall.distance) < contact_distance && approach > 0)
                    meeting.join(r, wall.normal, m, v);
                const Real speed = static_cast<Real>(length(slip + approach * wall.normal));
                const double share = static_cast<double>(share_lost(wall, body, speed, pressed[i] * dt));
                if (share <= 0) continue;
                for (const Vec3d& tangent : across(wall.normal)) meeting.join(r, tangent, share * m, v);
            }
        }
    });
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        Body& body = bodies[b];
        if (!body.dynamic()) continue;
        Meeting meeting = alone(body, S::dim, static_cast<double>(dt));
        for (const auto& block : by_block) meeting += block[b];
        const Motion6 common = meeting.solve();
        const Vec3d arm = body.pose.position - body.center_of_mass_in_space();
        body.angular_velocity = {common[3], common[4], common[5]};
        body.velocity = Vec3d{common[0], common[1], common[2]} + cross(body.angular_velocity, arm);
    }
    return kept;
}

template <class S>
void Collision<S>::part(const Kept& kept, Bodies& bodies) {
    assert(kept.size() == bodies.size());
    for (std::size_t b = 0; b < bodies.size(); ++b) std::tie(bodies[b].velocity, bodies[b].angular_velocity) = kept[b];
}

template <class S>
void Collision<S>::stop(const WallRows<S>& walls, std::span<const Real> mass, Real dt, const Parallel& parallel,
                        std::span<typename S::Row> position, std::span<typename S::Row> velocity,
                        std::span<typename S::Row> wall_displacement, Bodies& bodies) const {
    assert(promises::sized(walls.size(), mass, position, velocity, wall_displacement));
    assert(walls.of_bodies(bodies.size()) && promises::positive(mass) && dt > 0);
    push_bodies(
        Rows::of(position.size()), static_cast<double>(dt), parallel, bodies, [&](std::size_t i, BodyLoads& loads) {
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
                    change -= dt * static_cast<Real>(body.adhesion) * stick_strength * distance *
                              (1 - distance / stick_distance);
                }
                velocity[i] = velocity[i].xyz() + change * normal;
                loads.add(wall.body, body, cast<double>(x), -static_cast<double>(mass[i] * change) * wall.normal);
            }
        });
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
void Collision<S>::rub(const WallRows<S>& walls, std::span<const Real> mass, std::span<const Real> pressed, Real dt,
                       const Parallel& parallel, std::span<typename S::Row> position,
                       std::span<typename S::Row> velocity, Bodies& bodies) const {
    assert(promises::sized(walls.size(), mass, pressed, position, velocity) && walls.of_bodies(bodies.size()));
    assert(promises::positive(mass) && dt > 0);
    push_bodies(
        Rows::of(position.size()), static_cast<double>(dt), parallel, bodies, [&](std::size_t i, BodyLoads& loads) {
            for (const Wall& wall : walls.row(i)) {
                const Body& body = bodies[wall.body];
                const auto x = position[i].xyz();
                const auto normal = cast<Real>(wall.normal);
                const auto relative = relative_velocity(body, x, velocity[i].xyz());
                const auto tangent = relative - dot(relative, normal) * normal;
                const auto change = -share_lost(wall, body, length(tangent), pressed[i] * dt) * tangent;
                // A change of velocity within the step moves the particle too: v = (x - x_old)/dt stays true.
                velocity[i] = velocity[i].xyz() + change;
                if (rub_moves) position[i] = x + dt * change;
                loads.add(wall.body, body, cast<double>(x), -static_cast<double>(mass[i]) * cast<double>(change));
            }
        });
}

template struct Collision<Space2f>;
template struct Collision<Space3f>;
template struct Collision<Space2d>;
template struct Collision<Space3d>;

}  // namespace treacle
