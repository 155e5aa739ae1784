#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "blocks/viscous/explicit_viscosity.h"
#include "blocks/viscous/implicit_viscosity.h"
#include "blocks/viscous/xsph.h"
#include "support/particle_cloud.h"
#include "support/spaces.h"

/// Helpers of the tests of viscous blocks.

namespace treacle::test {

constexpr double s = 0.01;  // spacing
constexpr double h = 2 * s;
constexpr double rest_density = 1000;

/// Fluid with its solids, and the viscous blocks applied to it.
template <class S>
struct Flow : ParticleCloud<S> {
    using Real = typename S::Real;
    using Row = typename S::Row;
    using ParticleCloud<S>::position, ParticleCloud<S>::velocity, ParticleCloud<S>::mass, ParticleCloud<S>::bodies;
    using ParticleCloud<S>::boundary;

    bool dashpots = false;  ///< pairs and walls of clavet2005 in implicit()

    explicit Flow(int threads = 1) : threads_used(std::make_unique<Parallel>(threads)), parallel(*threads_used) {}

    void add(Vec3d x, Vec3d v, double viscosity_here, double density_here = rest_density) {
        ParticleCloud<S>::add(x, v, s, density_here);
        viscosity.push_back(static_cast<Real>(viscosity_here));
    }
    void ready() {
        this->neighbors.update(position, h, parallel, no_period);
        boundary.emplace(bodies, typename BoundaryParticles<S>::Settings{s, h}, parallel);
        boundary->update(position, bodies, parallel);
    }
    BlockContext<S> context(double step) {
        this->dt = step;
        return ParticleCloud<S>::context(parallel);
    }
    SolverReport implicit(double step, double tolerance = 1e-4, int iterations = 2000) {
        ImplicitViscosity<S> block;
        block.support_radius = h;
        block.rule = {tolerance, iterations};
        if (dashpots) block.dashpots.emplace(6 * s * s, s, h);
        return block.apply(this->view(), context(step), viscosity);
    }
    void accelerate(double step) {
        std::vector<Row> acceleration(position.size());
        WallDrag<S> walls;
        const BlockContext<S> now = context(step);
        walls.update(this->view(), now, viscosity, {});
        const std::vector<double> motions = walls.motions(now);
        ViscousStrength<S> strength;
        strength.measure(this->view(), now, h, viscosity, walls, motions);
        ExplicitViscosity<S>{h}.add(this->view(), now, viscosity, strength.by_particle(), acceleration);
        std::vector<double> gains(motions.size());
        walls.gains(position, velocity, motions, true, parallel, gains);
        for (std::size_t i = 0; i < position.size(); ++i) {
            const auto v = velocity[i].xyz();
            const Real duration = static_cast<Real>(step);
            const auto loss = walls.loss(i, position[i].xyz(), v, motions) / (mass[i] * duration);
            velocity[i] = v + duration * (acceleration[i].xyz() - loss);
        }
        walls.give_to(bodies, gains, step);
    }
    void draw_together(double step) {
        std::vector<Row> result(position.size());
        Xsph<S>{h}.gather(this->view(), context(step), viscosity, result);
        Xsph<S>{h}.add_walls(this->view(), context(step), viscosity, result);
        velocity = result;
    }
    /// Applies the forces to the velocities of bodies.
    void move_bodies(double step) {
        for (Body& body : bodies) {
            if (!body.dynamic()) continue;  // the others are balls or discs about their centers
            body.velocity += (step / body.mass) * body.force;
            body.angular_velocity += (step / body.inertia.z) * body.torque;
            body.force = body.torque = {};
        }
    }

    Vec3d momentum_of(std::size_t i) const { return static_cast<double>(mass[i]) * cast<double>(velocity[i].xyz()); }
    Vec3d momentum() const {
        Vec3d sum = ParticleCloud<S>::momentum();
        for (const Body& body : bodies) sum += body.mass * body.velocity;
        return sum;
    }
    Vec3d angular_momentum() const {
        Vec3d sum = ParticleCloud<S>::angular_momentum();
        for (const Body& body : bodies) {
            sum += body.mass * cross(body.pose.position, body.velocity) + body.inertia.z * body.angular_velocity;
        }
        return sum;
    }
    double size() const {  ///< Σ m |v|, the scale for residual sums
        double sum = 0;
        for (std::size_t i = 0; i < position.size(); ++i) sum += length(momentum_of(i));
        return sum;
    }
    double energy() const {
        double sum = 0;
        for (std::size_t i = 0; i < position.size(); ++i) {
            const Vec3d v = cast<double>(velocity[i].xyz());
            sum += 0.5 * static_cast<double>(mass[i]) * dot(v, v);
        }
        return sum;
    }

    std::unique_ptr<Parallel> threads_used;  // so that a flow can be moved
    const Parallel& parallel;
    std::vector<Real> viscosity;
};

/// A jittered block of fluid around the origin with random velocities, of two densities and viscosities if `mixed`, and
/// with a hole around the origin.
template <class S>
Flow<S> random_flow(double viscosity, bool mixed, int threads = 1, double hole = 0, int half = S::dim == 3 ? 5 : 9) {
    Flow<S> flow(threads);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-1, 1);
    const int deep = S::dim == 3 ? half : 0;
    for (int z = -deep; z <= deep; ++z) {
        for (int y = -half; y <= half; ++y) {
            for (int x = -half; x <= half; ++x) {
                Vec3d at{x + 0.2 * number(random), y + 0.2 * number(random), z + 0.2 * number(random)};
                Vec3d v{number(random), number(random), number(random)};
                if (S::dim == 2) at.z = v.z = 0;
                if (length(at) * s < hole) continue;
                const bool other = mixed && x > 1;
                flow.add(s * at, v, other ? 0.1 * viscosity : viscosity, other ? 0.5 * rest_density : rest_density);
            }
        }
    }
    return flow;
}

/// A floor below the block of random_flow().
template <class S>
Body floor_below() {
    Body body;
    body.shape = {Plane{{0, 1, 0}, (S::dim == 3 ? -5.5 : -9.5) * s}, {}, S::dim};
    return body;
}

/// η for which ν dt/h² has this value.
inline double viscosity_for(double number, double dt) { return number * h * h / dt * rest_density; }

/// Fluid at rest on a floor that moves along x by 2 m/s, after ten steps of `step(flow, dt)`. In each of them the floor
/// gets the reaction to the momentum of the fluid.
template <class S, class Step>
Flow<S> dragged_along(double friction, const Step& step) {
    const double dt = 1e-2;
    Flow<S> flow = random_flow<S>(viscosity_for(100, dt), false);
    for (auto& v : flow.velocity) v = {};
    flow.bodies = {floor_below<S>()};
    flow.bodies[0].velocity = {2, 0, 0};
    flow.bodies[0].friction = friction;
    flow.ready();
    for (int n = 0; n < 10; ++n) {
        const Vec3d before = flow.momentum();
        flow.bodies[0].force = {};
        step(flow, dt);
        const Vec3d gained = flow.momentum() - before;
        EXPECT_LE(length(gained + dt * flow.bodies[0].force), 1e-3 * length(gained) + 1e-6 * flow.size());
    }
    return flow;
}

/// Rounding of sums of impulses, which are many times the momentum in a stiff fluid.
template <class S>
double rounding(double number = 0) {
    return (sizeof(typename S::Real) == 4 ? 3e-6 : 1e-13) * (1 + 0.03 * number);
}

/// Share of the viscosity in the decay of the mode v_x = sin(k (y - y0)) by exp(-ν k² t): measured by the projection on
/// the mode where fluid is within `reach` of the middle.
template <class S>
struct ShearMode {
    Flow<S>& flow;
    double k, y0, reach;

    double at(std::size_t i) const { return std::sin(k * (static_cast<double>(flow.position[i].y) - y0)); }
    void set() {
        for (std::size_t i = 0; i < flow.position.size(); ++i) {
            flow.velocity[i] = cast<typename S::Real>(Vec3d{at(i), 0, 0});
        }
    }
    double amplitude(bool whole_height) const {
        double sum = 0, weight = 0;
        for (std::size_t i = 0; i < flow.position.size(); ++i) {
            const Vec3d x = cast<double>(flow.position[i].xyz());
            if (std::abs(x.x) > reach || std::abs(x.z) > reach || (!whole_height && std::abs(x.y) > reach)) continue;
            sum += at(i) * static_cast<double>(flow.velocity[i].x);
            weight += at(i) * at(i);
        }
        return sum / weight;
    }
};

}  // namespace treacle::test
