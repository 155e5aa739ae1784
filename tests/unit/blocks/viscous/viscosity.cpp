#include "viscous_flow.h"

#include <algorithm>

#include "math/reproducible.h"
#include "support/on_every_path.h"

namespace treacle {
namespace {

using namespace test;

template <class S>
class Viscosity : public testing::Test {};
TYPED_TEST_SUITE(Viscosity, AllSpaces);

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
    // Strengths of pairs follow the flow (viscous_strength.h), so a and b have almost the same operator only. Dashpots
    // have none: they show the sums over pairs and walls to rounding.
    for (const bool dashpots : {true, false}) {
        flow.dashpots = dashpots;
        const Rows lost_a = lost(a), lost_b = lost(b);
        const double own = product(a, lost_a);
        EXPECT_GT(own, 0);
        EXPECT_GT(product(b, lost_b), 0);
        EXPECT_GT(std::abs(product(a, lost_b)), 1e-4 * own);
        EXPECT_NEAR(product(a, lost_b), product(b, lost_a), (dashpots ? 2e-6 : 0.05) * own);
    }
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

TYPED_TEST(Viscosity, walls_drag_unless_fluid_slips_on_them) {
    using S = TypeParam;
    for (const double friction : {0.3, 0.0}) {
        const Flow<S> flow = dragged_along<S>(friction, [](Flow<S>& f, double dt) { f.implicit(dt, 1e-5); });
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
            const double share = sizeof(typename S::Real) == 8 ? 1e-9 : density < 100 && number > 1 ? 1e-3 : 5e-5;
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
    FluidView<S> fluid = flow.view();
    ImplicitViscosity<S> block;
    block.support_radius = h;
    std::vector<typename S::Row> acceleration(flow.position.size());
    const auto step = [&](std::vector<typename S::Row>& v, std::span<typename S::Row> start) {
        for (auto& row : v) row.x += typename S::Real(0.01);  // a film on a slope
        fluid.velocity = v;
        return block.apply(fluid, flow.context(dt), flow.viscosity, start);
    };
    for (int n = 0; n < 20; ++n) step(flow.velocity, acceleration);
    std::vector<typename S::Row> cold = flow.velocity, warm = flow.velocity;
    const SolverReport cold_report = step(cold, {}), warm_report = step(warm, acceleration);
    EXPECT_TRUE(cold_report.converged && warm_report.converged);
    EXPECT_LT(warm_report.iterations, 0.7 * cold_report.iterations);
    double apart = 0, changed = 0;
    for (std::size_t i = 0; i < cold.size(); ++i) {
        apart += length(cast<double>(cold[i].xyz() - warm[i].xyz()));
        changed += dt * length(cast<double>(acceleration[i].xyz()));
    }
    EXPECT_LT(apart, 1e-3 * changed);
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
            ExplicitViscosity<S>{h}.add(flow.view(), flow.context(1e-3), flow.viscosity, {}, some);
            all.insert(all.end(), some.begin(), some.end());
            flow.draw_together(1e-3);
            all.insert(all.end(), flow.velocity.begin(), flow.velocity.end());
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
