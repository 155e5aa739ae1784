#include "blocks/viscous/explicit_viscosity.h"
#include "blocks/viscous/implicit_viscosity.h"
#include "blocks/viscous/viscous_pair.h"
#include "blocks/viscous/xsph.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "math/reproducible.h"
#include "neighbors/even_points.h"
#include "support/on_every_path.h"

namespace treacle {
namespace {

constexpr double s = 0.01;         // spacing
constexpr double h = 2 * s;
constexpr double rest_density = 1000;

/// Fluid with its solids, and the viscous blocks applied to it.
template <class S>
struct Flow {
    using Real = typename S::Real;
    using Row = typename S::Row;

    explicit Flow(int threads = 1) : threads_used(std::make_unique<Parallel>(threads)), parallel(*threads_used) {}

    void add(Vec3d x, Vec3d v, double viscosity_here, double density = rest_density) {
        position.push_back(cast<Real>(x));
        velocity.push_back(cast<Real>(v));
        volume.push_back(static_cast<Real>(cell_volume(S::dim, s)));
        mass.push_back(static_cast<Real>(density * cell_volume(S::dim, s)));
        viscosity.push_back(static_cast<Real>(viscosity_here));
    }
    void ready() {
        neighbors.update(position, h, parallel);
        boundary.emplace(bodies, typename BoundaryParticles<S>::Settings{s, h}, parallel);
        boundary->update(position, bodies, parallel);
    }
    SolverReport implicit(double dt, double tolerance = 1e-4, int iterations = 2000) {
        ImplicitViscosity<S> block(h, {tolerance, iterations});
        const typename ImplicitViscosity<S>::Fluid fluid{position, mass, volume, viscosity};
        return block.apply(neighbors, *boundary, fluid, dt, {}, parallel, velocity, bodies);
    }
    void accelerate(double dt) {
        std::vector<Row> acceleration(position.size());
        ExplicitViscosity<S>{h}.add(neighbors, position, velocity, mass, volume, viscosity, parallel, acceleration);
        const std::vector<std::uint8_t> material(position.size());
        const std::vector<Real> kinematic{static_cast<Real>(static_cast<double>(viscosity[0]) / rest_density)};
        boundary->add_viscosity(position, velocity, mass, material, kinematic, parallel, acceleration, bodies);
        for (std::size_t i = 0; i < position.size(); ++i) {
            velocity[i] = velocity[i].xyz() + static_cast<Real>(dt) * acceleration[i].xyz();
        }
    }
    /// What forces on them have changed is done.
    void move_bodies(double dt) {
        for (Body& body : bodies) {
            if (!body.dynamic()) continue;   // a ball, or a disc, about its center
            body.velocity += (dt / body.mass) * body.force;
            body.angular_velocity += (dt / body.inertia.z) * body.torque;
            body.force = body.torque = {};
        }
    }

    Vec3d momentum_of(std::size_t i) const { return static_cast<double>(mass[i]) * cast<double>(velocity[i].xyz()); }
    Vec3d momentum() const {
        Vec3d sum{};
        for (std::size_t i = 0; i < position.size(); ++i) sum += momentum_of(i);
        for (const Body& body : bodies) sum += body.mass * body.velocity;
        return sum;
    }
    Vec3d angular_momentum() const {
        Vec3d sum{};
        for (std::size_t i = 0; i < position.size(); ++i) {
            sum += cross(cast<double>(position[i].xyz()), momentum_of(i));
        }
        for (const Body& body : bodies) {
            sum += body.mass * cross(body.pose.position, body.velocity) + body.inertia.z * body.angular_velocity;
        }
        return sum;
    }
    double size() const {   ///< Σ m |v|, what a rest is measured against
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

    std::unique_ptr<Parallel> threads_used;   // so that a flow can be moved
    const Parallel& parallel;
    Bodies bodies;
    std::vector<Row> position, velocity;
    std::vector<Real> mass, volume, viscosity;
    Neighbors<S> neighbors;
    std::optional<BoundaryParticles<S>> boundary;
};

/// A jittered block of fluid around the origin with random velocities, of two densities and viscosities if `mixed`;
/// without what lies within `hole` of the origin.
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

/// η for which ν dt/h² has this value.
double viscosity_for(double number, double dt) { return number * h * h / dt * rest_density; }

template <class S>
class Viscosity : public testing::Test {};
using Spaces = testing::Types<Space2f, Space3f, Space2d, Space3d>;
TYPED_TEST_SUITE(Viscosity, Spaces);

/// Of sums of impulses: those within a stiff fluid are many times its momentum.
template <class S>
double rounding(double number = 0) { return (sizeof(typename S::Real) == 4 ? 3e-6 : 1e-13) * (1 + 0.03 * number); }

TYPED_TEST(Viscosity, keeps_momentum_of_free_fluid_at_any_tolerance) {
    using S = TypeParam;
    for (const double number : {0.1, 1000.0}) {
        for (const double tolerance : {0.3, 1e-4}) {
            Flow<S> flow = random_flow<S>(viscosity_for(number, 1e-3), true);
            flow.position[5] = flow.position[4];
            flow.ready();
            const Vec3d momentum = flow.momentum(), turn = flow.angular_momentum();
            const double size = flow.size(), energy = flow.energy();
            const SolverReport report = flow.implicit(1e-3, tolerance);
            EXPECT_TRUE(report.converged);
            EXPECT_GT(report.iterations, 0);
            EXPECT_LT(length(flow.momentum() - momentum), rounding<S>(number) * size);
            EXPECT_LT(length(flow.angular_momentum() - turn), rounding<S>(number) * size * 10 * s);
            EXPECT_LT(flow.energy(), (number > 1 ? 0.1 : 0.8) * energy);
        }
    }
    Flow<S> flow = random_flow<S>(viscosity_for(0.01, 1e-3), true);
    flow.ready();
    const Vec3d momentum = flow.momentum(), turn = flow.angular_momentum();
    flow.accelerate(1e-3);
    EXPECT_LT(length(flow.momentum() - momentum), rounding<S>() * flow.size());
    EXPECT_LT(length(flow.angular_momentum() - turn), rounding<S>() * flow.size() * 10 * s);
}

TYPED_TEST(Viscosity, rigid_motion_is_not_damped) {
    using S = TypeParam;
    Flow<S> flow = random_flow<S>(viscosity_for(10, 1e-3), true);
    const Vec3d turn{S::dim == 3 ? 2.0 : 0, S::dim == 3 ? -1.0 : 0, 3}, speed{5, 1, 0};
    for (std::size_t i = 0; i < flow.position.size(); ++i) {
        flow.velocity[i] = cast<typename S::Real>(speed + cross(turn, cast<double>(flow.position[i].xyz())));
    }
    flow.ready();
    const auto before = flow.velocity;
    for (int n = 0; n < 3; ++n) flow.implicit(1e-3);
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_LT(length(cast<double>(flow.velocity[i].xyz() - before[i].xyz())), 10 * rounding<S>());
    }
}

/// The momentum that a step takes, M (v* - v) = (M - M (M+L)⁻¹ M) v*, is symmetric and positive in v* exactly if L is.
TYPED_TEST(Viscosity, its_operator_is_symmetric_and_positive) {
    using S = TypeParam;
    using Rows = std::vector<typename S::Row>;
    const double dt = 1e-3;
    Flow<S> flow = random_flow<S>(viscosity_for(0.1, dt), true);
    flow.bodies.resize(1);
    flow.bodies[0].shape = {Plane{{0, 1, 0}, -4 * s}, {}, S::dim};
    flow.ready();
    std::mt19937 random(3);
    std::uniform_real_distribution<double> number(-1, 1);
    const Rows a = flow.velocity;
    Rows b(a.size());
    for (auto& v : b) {
        v = cast<typename S::Real>(Vec3d{number(random), number(random), S::dim == 3 ? number(random) : 0});
    }
    const auto lost = [&](const Rows& before) {
        flow.velocity = before;
        flow.implicit(dt, 1e-6);
        Rows change(before.size());
        for (std::size_t i = 0; i < before.size(); ++i) change[i] = before[i].xyz() - flow.velocity[i].xyz();
        return change;
    };
    const auto product = [&](const Rows& u, const Rows& v) {
        double sum = 0;
        for (std::size_t i = 0; i < u.size(); ++i) {
            sum += static_cast<double>(flow.mass[i]) * dot(cast<double>(u[i].xyz()), cast<double>(v[i].xyz()));
        }
        return sum;
    };
    const Rows lost_a = lost(a), lost_b = lost(b);
    const double own = product(a, lost_a);
    EXPECT_GT(own, 0);
    EXPECT_GT(product(b, lost_b), 0);
    EXPECT_GT(std::abs(product(a, lost_b)), 1e-4 * own);
    EXPECT_NEAR(product(a, lost_b), product(b, lost_a), 2e-6 * own);
}

TYPED_TEST(Viscosity, explicit_and_implicit_agree_for_small_steps) {
    using S = TypeParam;
    const double dt = 1e-3;
    double difference[2];
    for (int fine = 0; fine < 2; ++fine) {
        Flow<S> at_once = random_flow<S>(viscosity_for(fine ? 0.0005 : 0.001, dt), false);
        at_once.bodies.resize(1);
        at_once.bodies[0].shape = {Plane{{0, 1, 0}, -5.5 * s}, {}, S::dim};
        at_once.bodies[0].velocity = {2, 0, 0};
        if (S::dim == 2) at_once.bodies[0].shape = {Plane{{0, 1, 0}, -9.5 * s}, {}, 2};
        at_once.ready();
        Flow<S> solved = random_flow<S>(static_cast<double>(at_once.viscosity[0]), false);
        solved.bodies = at_once.bodies;
        solved.ready();
        const auto before = at_once.velocity;
        at_once.accelerate(dt);
        solved.implicit(dt, 1e-6);
        double apart = 0, changed = 0;
        for (std::size_t i = 0; i < before.size(); ++i) {
            apart += length(cast<double>(at_once.velocity[i].xyz() - solved.velocity[i].xyz()));
            changed += length(cast<double>(before[i].xyz() - solved.velocity[i].xyz()));
        }
        difference[fine] = apart / changed;
        EXPECT_NEAR(length(at_once.bodies[0].force) / length(solved.bodies[0].force), 1, 0.1);
    }
    EXPECT_LT(difference[1], 0.05);
    EXPECT_NEAR(difference[0] / difference[1], 2, 0.2) << "first order in dt";
}

TYPED_TEST(Viscosity, explicit_is_stable_up_to_its_limit) {
    using S = TypeParam;
    const double viscosity = 10;
    const double limit = ExplicitViscosity<S>{h}.longest_step(viscosity / rest_density);
    const auto energy_after = [&](double dt) {
        Flow<S> flow = random_flow<S>(viscosity, false);
        flow.ready();
        const double before = flow.energy();
        for (int n = 0; n < 100; ++n) flow.accelerate(dt);
        return flow.energy() / before;
    };
    EXPECT_LT(energy_after(limit), 0.1);
    EXPECT_FALSE(energy_after(2 * limit) < 10) << "or not a number any more";
}

TYPED_TEST(Viscosity, implicit_is_stable_for_any_step) {
    using S = TypeParam;
    const double dt = 1e-2;
    for (const double number : {1.0, 1000.0, 1e6}) {
        Flow<S> flow = random_flow<S>(viscosity_for(number, dt), false);
        flow.ready();
        const Vec3d momentum = flow.momentum();
        double energy = flow.energy();
        const double size = flow.size();
        for (int n = 0; n < 5; ++n) {
            flow.implicit(dt, 1e-4);
            EXPECT_LE(flow.energy(), energy * (1 + 1e-6));
            energy = flow.energy();
        }
        if (number > 1000) continue;
        EXPECT_LT(length(flow.momentum() - momentum), 5 * rounding<S>(number) * size);
    }
}

/// What a lattice shows of the viscosity in shear along its axes: (d+2) Σ_j w_j x²y².
template <class S>
double lattice_share() {
    const ViscousPair<S> pair{CubicSpline<S>(h)};
    using Real = typename S::Real;
    double sum = 0;
    const int deep = S::dim == 3 ? 2 : 0;
    for (int z = -deep; z <= deep; ++z) {
        for (int y = -2; y <= 2; ++y) {
            for (int x = -2; x <= 2; ++x) {
                const double r = s * std::sqrt(x * x + y * y + z * z);
                const Real weight = pair.weight(static_cast<Real>(r), static_cast<Real>(r / h), Real(1), Real(1));
                sum += 0.5 * static_cast<double>(weight) * s * s * s * s * x * x * y * y * cell_volume(S::dim, s);
            }
        }
    }
    return sum;
}

/// Share of the viscosity that shows when the mode v_x = sin(k (y - y0)) decays by exp(-ν k² t): measured by its
/// projection on the mode where fluid is within `reach` of the middle.
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

/// Between two plates at rest, on a lattice: the mode of the slowest decay. Its nodes are where the samples are.
TYPED_TEST(Viscosity, between_plates_is_that_of_the_material_as_the_lattice_shows_it) {
    using S = TypeParam;
    const double viscosity = 1, nu = viscosity / rest_density, pi = reproducible::pi;
    const int layers = 12, reach = S::dim == 3 ? 16 : 24, deep = S::dim == 3 ? 8 : 0;
    Flow<S> flow(2);
    for (int z = -deep; z <= deep; ++z) {
        for (int y = 0; y < layers; ++y) {
            for (int x = -reach; x <= reach; ++x) flow.add({x * s, (y + 0.5) * s, z * s}, {}, viscosity);
        }
    }
    flow.bodies.resize(2);
    flow.bodies[0].shape = {Plane{{0, 1, 0}, 0}, {}, S::dim};
    flow.bodies[1].shape = {Plane{{0, -1, 0}, -layers * s}, {}, S::dim};
    flow.ready();
    ShearMode<S> mode{flow, pi / ((layers + 1) * s), -0.5 * s, 3.5 * s};
    const double time = 0.5 / (nu * mode.k * mode.k);
    for (const bool implicitly : {true, false}) {
        mode.set();
        const int steps = implicitly ? 40 : 1 + static_cast<int>(time / ExplicitViscosity<S>{h}.longest_step(nu));
        for (int n = 0; n < steps; ++n) {
            if (implicitly) flow.implicit(time / steps, 1e-5);
            else flow.accelerate(time / steps);
        }
        const double share = -std::log(mode.amplitude(true)) / 0.5;
        EXPECT_NEAR(share / lattice_share<S>(), 1, 0.05) << share;
    }
    EXPECT_NEAR(lattice_share<S>(), S::dim == 3 ? 0.698 : 0.649, 0.001);
}

/// In the bulk of a disordered fluid: a small explicit step and a larger implicit one.
TYPED_TEST(Viscosity, of_a_disordered_fluid_is_that_of_the_material) {
    using S = TypeParam;
    const double viscosity = 1, nu = viscosity / rest_density, pi = reproducible::pi;
    const int side = S::dim == 3 ? 18 : 44;
    const double half = 0.5 * side * s;
    std::mt19937 random(11);
    std::uniform_real_distribution<double> place(-half, half);
    std::vector<Vec3d> points(static_cast<std::size_t>(S::dim == 3 ? side * side * side : side * side));
    for (Vec3d& x : points) x = {place(random), place(random), S::dim == 3 ? place(random) : 0};
    const auto keep = [&](std::size_t, Vec3d wanted) {
        KeptPoint kept{wanted};
        for (int axis = 0; axis < S::dim; ++axis) {
            kept.place[axis] = std::clamp(wanted[axis], -half + 0.1 * s, half - 0.1 * s);
            const double depth = half - std::abs(kept.place[axis]);
            if (depth > kept.depth) continue;
            kept.depth = depth;
            kept.outward = {};
            kept.outward[axis] = kept.place[axis] > 0 ? 1 : -1;
        }
        return kept;
    };
    Flow<S> flow(2);
    Spreading{S::dim, s, 1.5 * s, 100}.spread(points, keep, flow.parallel);
    for (const Vec3d x : points) flow.add(x, {}, viscosity);
    flow.ready();
    ShearMode<S> mode{flow, pi / (0.8 * half), 0, half - 4 * s};
    mode.set();
    const double dt = 1e-3 / (nu * mode.k * mode.k), before = mode.amplitude(false);
    flow.accelerate(dt);
    EXPECT_NEAR((before - mode.amplitude(false)) / 1e-3, 1, 0.06);
    mode.set();
    flow.implicit(0.05 / (nu * mode.k * mode.k), 1e-5);
    EXPECT_NEAR((before / mode.amplitude(false) - 1) / 0.05, 1, 0.1);
}

TYPED_TEST(Viscosity, walls_drag_unless_fluid_slips_on_them) {
    using S = TypeParam;
    for (const double friction : {0.3, 0.0}) {
        Flow<S> flow = random_flow<S>(viscosity_for(100, 1e-2), false);
        for (auto& v : flow.velocity) v = {};
        flow.bodies.resize(1);
        flow.bodies[0].shape = {Plane{{0, 1, 0}, (S::dim == 3 ? -5.5 : -9.5) * s}, {}, S::dim};
        flow.bodies[0].velocity = {2, 0, 0};
        flow.bodies[0].friction = friction;
        flow.ready();
        for (int n = 0; n < 10; ++n) {
            const Vec3d before = flow.momentum();
            flow.bodies[0].force = {};
            flow.implicit(1e-2, 1e-5);
            const Vec3d gained = flow.momentum() - before;
            EXPECT_LE(length(gained + 1e-2 * flow.bodies[0].force), 1e-3 * length(gained) + 1e-6 * flow.size());
        }
        for (const auto& v : flow.velocity) EXPECT_NEAR(v.x, friction > 0 ? 2 : 0, friction > 0 ? 0.05 : 0);
    }
}

TYPED_TEST(Viscosity, bodies_in_thick_fluid_take_its_motion_and_momentum_stays) {
    using S = TypeParam;
    const double dt = 1e-2, radius = 3 * s, pi = reproducible::pi;
    for (const double density : {1000.0, 20.0}) {
        for (const double number : {0.1, 1000.0}) {
            Flow<S> flow = random_flow<S>(viscosity_for(number, dt), false, 1, radius);
            for (auto& v : flow.velocity) v = {};
            flow.bodies.resize(1);
            Body& body = flow.bodies[0];
            body.shape = {Sphere{{}, radius}, {}, S::dim};
            body.mass = density * (S::dim == 3 ? 4.0 / 3 * pi * radius : pi) * radius * radius;
            const double inertia = (S::dim == 3 ? 0.4 : 0.5) * body.mass * radius * radius;
            body.inertia = {inertia, inertia, inertia};
            body.velocity = {1, -2, 0};
            body.angular_velocity = {0, 0, 40};
            flow.ready();
            const Vec3d momentum = flow.momentum(), turn = flow.angular_momentum();
            EXPECT_TRUE(flow.implicit(dt).converged);
            flow.move_bodies(dt);
            // In float the impulses of a stiff fluid are rounded: they are thousands of times a light body's momentum.
            const double share = sizeof(typename S::Real) == 8 ? 1e-9 : density < 100 && number > 1 ? 2e-4 : 2e-5;
            EXPECT_LT(length(flow.momentum() - momentum), share * length(momentum));
            EXPECT_LT(length(flow.angular_momentum() - turn), share * length(turn));
            const double start = length(Vec3d{1, -2, 0});
            EXPECT_LT(length(body.velocity), 0.9 * start);
            for (int n = 0; n < 3; ++n) {
                flow.implicit(dt);
                flow.move_bodies(dt);
            }
            if (number < 1000) continue;
            double mass = body.mass;
            for (const auto m : flow.mass) mass += static_cast<double>(m);
            EXPECT_LT(length(body.velocity - momentum / mass), 2e-3 * start);
            EXPECT_LT(length(flow.momentum() - momentum), 2 * share * length(momentum));
        }
    }
}

TYPED_TEST(Viscosity, the_change_of_the_last_step_is_a_good_start) {
    using S = TypeParam;
    const double dt = 1e-3;
    Flow<S> flow = random_flow<S>(viscosity_for(3, dt), false);
    flow.bodies.resize(1);
    flow.bodies[0].shape = {Plane{{0, 1, 0}, (S::dim == 3 ? -5.5 : -9.5) * s}, {}, S::dim};
    flow.ready();
    const typename ImplicitViscosity<S>::Fluid fluid{flow.position, flow.mass, flow.volume, flow.viscosity};
    ImplicitViscosity<S> block(h);
    std::vector<typename S::Row> change(flow.position.size());
    const auto step = [&](std::vector<typename S::Row>& v, std::span<typename S::Row> start) {
        for (auto& row : v) row.x += typename S::Real(0.01);   // a film on a slope
        return block.apply(flow.neighbors, *flow.boundary, fluid, dt, {}, flow.parallel, v, flow.bodies, start);
    };
    for (int n = 0; n < 20; ++n) step(flow.velocity, change);
    std::vector<typename S::Row> cold = flow.velocity, warm = flow.velocity;
    const SolverReport cold_report = step(cold, {}), warm_report = step(warm, change);
    EXPECT_TRUE(cold_report.converged && warm_report.converged);
    EXPECT_LT(warm_report.iterations, 0.7 * cold_report.iterations);
    double apart = 0, changed = 0;
    for (std::size_t i = 0; i < cold.size(); ++i) {
        apart += length(cast<double>(cold[i].xyz() - warm[i].xyz()));
        changed += length(cast<double>(change[i].xyz()));
    }
    EXPECT_LT(apart, 1e-3 * changed);
}

TYPED_TEST(Viscosity, xsph_keeps_momentum_and_takes_the_same_share_in_few_steps_or_many) {
    using S = TypeParam;
    using Real = typename S::Real;
    Flow<S> flow = random_flow<S>(0, true);
    flow.ready();
    const Xsph<S> block{h, 0.3, 1e-2};
    const Vec3d momentum = flow.momentum();
    const double size = flow.size(), energy = flow.energy();
    std::vector<typename S::Row> result(flow.position.size());
    block.gather(flow.neighbors, flow.position, flow.velocity, flow.mass, flow.volume, 1e-2, flow.parallel, result);
    flow.velocity = result;
    EXPECT_LT(length(flow.momentum() - momentum), rounding<S>() * size);
    EXPECT_LT(flow.energy(), 0.9 * energy);
    EXPECT_NEAR(block.blend_within(1e-2), 0.3, 1e-12);
    EXPECT_NEAR(1 - block.blend_within(2e-2), 0.7 * 0.7, 1e-12);
    EXPECT_EQ((Xsph<S>{h, 0, 1e-2}.blend_within(1)), 0);
    EXPECT_EQ((Xsph<S>{h, 1, 1e-2}.blend_within(1)), 1);

    // A pair of equal ones: v_i += ξ V W (v_j - v_i).
    Flow<S> pair;
    pair.add({}, {1, 0, 0}, 0);
    pair.add({s, 0, 0}, {}, 0);
    pair.ready();
    std::vector<typename S::Row> drawn(2);
    block.gather(pair.neighbors, pair.position, pair.velocity, pair.mass, pair.volume, 1e-2, pair.parallel, drawn);
    const double weight = 0.3 * cell_volume(S::dim, s) * static_cast<double>(CubicSpline<S>(h).value(Real(0.5)));
    EXPECT_NEAR(drawn[0].x, 1 - weight, 1e-6);
    EXPECT_NEAR(drawn[1].x, weight, 1e-6);
}

TYPED_TEST(Viscosity, bits_do_not_depend_on_threads_nor_on_the_path) {
    using S = TypeParam;
    std::vector<typename S::Row> first;
    Bodies first_bodies;
    const auto numbers = [](const Body& body) {
        return std::vector{body.force.x, body.force.y, body.force.z, body.torque.z};
    };
    for (const simd::Choice path : test::paths()) {
        const test::OnPath on(path);
        for (const int threads : {1, 2, 4}) {
            Flow<S> flow = random_flow<S>(viscosity_for(1, 1e-3), true, threads, 3 * s, S::dim == 3 ? 7 : 22);
            flow.bodies.resize(2);
            flow.bodies[0].shape = {Sphere{{}, 3 * s}, {}, S::dim};
            flow.bodies[0].mass = 0.01;
            flow.bodies[0].inertia = {1e-5, 1e-5, 1e-5};
            flow.bodies[0].velocity = {1, 0, 0};
            flow.bodies[1].shape = {Plane{{0, 1, 0}, -5 * s}, {}, S::dim};
            flow.ready();
            flow.implicit(1e-3);
            std::vector<typename S::Row> all(flow.velocity), some(flow.velocity.size());
            ExplicitViscosity<S>{h}.add(flow.neighbors, flow.position, flow.velocity, flow.mass, flow.volume,
                                        flow.viscosity, flow.parallel, some);
            all.insert(all.end(), some.begin(), some.end());
            Xsph<S>{h, 0.1, 1e-3}.gather(flow.neighbors, flow.position, flow.velocity, flow.mass, flow.volume, 1e-3,
                                         flow.parallel, some);
            all.insert(all.end(), some.begin(), some.end());
            if (first.empty()) {
                first = all;
                first_bodies = flow.bodies;
            }
            for (std::size_t i = 0; i < all.size(); ++i) {
                ASSERT_EQ(test::bits_of(all[i].x), test::bits_of(first[i].x)) << simd::name(path) << " " << threads;
                ASSERT_EQ(test::bits_of(all[i].y), test::bits_of(first[i].y));
                ASSERT_EQ(test::bits_of(all[i].z), test::bits_of(first[i].z));
            }
            for (std::size_t b = 0; b < 2; ++b) EXPECT_EQ(numbers(flow.bodies[b]), numbers(first_bodies[b]));
        }
    }
}

}  // namespace
}  // namespace treacle
