#include "blocks/pressure/iisph.h"

#include "kernels/mueller2003.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "support/on_every_path.h"
#include "support/particle_cloud.h"
#include "support/spaces.h"

namespace treacle {
namespace {

constexpr double s = 0.05;  // spacing
constexpr double h = 2.01 * s;
constexpr double step = 1e-3;

template <class S>
struct Pool : ParticleCloud<S> {
    using Real = typename S::Real;
    using Row = typename S::Row;
    using ParticleCloud<S>::position, ParticleCloud<S>::velocity, ParticleCloud<S>::mass, ParticleCloud<S>::volume;
    using ParticleCloud<S>::bodies, ParticleCloud<S>::boundary;

    explicit Pool(int threads = 1) : threads_used(std::make_unique<Parallel>(threads)), parallel(*threads_used) {}

    void add(Vec3d x, Vec3d v) { ParticleCloud<S>::add(x, v, s); }
    /// A lattice that is compressed by a share, jittered by a number of spacings, with velocities up to `speed`.
    void add_block(int side, double squeeze, double speed, std::uint32_t seed = 1, double shake = 0.1) {
        std::mt19937 random(seed);
        const auto any = [&] { return 2 * (random() / 4294967295.0) - 1; };
        for (int z = 0; z < (S::dim == 3 ? side : 1); ++z) {
            for (int y = 0; y < side; ++y) {
                for (int x = 0; x < side; ++x) {
                    const Vec3d jitter{any(), any(), S::dim == 3 ? any() : 0}, v{any(), any(), S::dim == 3 ? any() : 0};
                    const Vec3d place{x + 0.0, y + 0.0, z + 0.0};
                    add((1 - squeeze) * s * (place + shake * jitter), speed * v);
                }
            }
        }
    }
    void measure() {
        this->neighbors.update(position, h, parallel, no_period);
        boundary.emplace(bodies, typename BoundaryParticles<S>::Settings{.spacing = s, .support_radius = h}, parallel);
        boundary->update(position, bodies, parallel);
        ratio.resize(position.size());
        pressure.resize(position.size());
        block.measure(this->view(), context(), ratio);
    }
    typename Iisph<S>::Report solve() {
        measure();
        return block.solve(this->view(), context(), ratio, pressure);
    }
    BlockContext<S> context() {
        this->dt = step;
        return ParticleCloud<S>::context(parallel);
    }
    /// Density ratio that the velocities lead to, pair by pair in double.
    template <template <class> class Kernel = CubicSpline>
    double predicted(std::size_t i) const {
        const Kernel<Space<S::dim, double>> kernel(h);
        double sum = static_cast<double>(volume[i]) * kernel.value(0.0);
        for (std::size_t j = 0; j < position.size(); ++j) {
            const Vec3d r = cast<double>(position[i].xyz()) - cast<double>(position[j].xyz());
            const double distance = length(r);
            if (i == j || distance >= h) continue;
            const Vec3d gradient = (kernel.slope(distance / h) / distance) * r;
            const Vec3d v = cast<double>(velocity[i].xyz()) - cast<double>(velocity[j].xyz());
            sum += static_cast<double>(volume[j]) * (kernel.value(distance / h) + step * dot(v, gradient));
        }
        return sum;
    }
    std::unique_ptr<Parallel> threads_used;
    const Parallel& parallel;
    std::vector<Real> ratio, pressure;
    Iisph<S> block;
};

template <class S>
class IisphTest : public testing::Test {};
TYPED_TEST_SUITE(IisphTest, test::AllSpaces);

TYPED_TEST(IisphTest, solves_with_the_kernels_of_mueller_as_well) {
    using S = TypeParam;
    Pool<S> pool;
    pool.add_block(S::dim == 2 ? 12 : 6, 0.03, 2);
    const double tolerance = sizeof(typename S::Real) == 8 ? 1e-9 : 1e-6;
    pool.block.settings = {.tolerance = tolerance,
                           .max_tolerance = 10 * tolerance,
                           .max_iterations = 20000,
                           .kernel = Iisph<S>::Kernel::mueller2003,
                           .spacing = s};
    const Vec3d momentum = pool.momentum();
    EXPECT_TRUE(pool.solve().converged);
    for (std::size_t i = 0; i < pool.position.size(); ++i) {
        if (pool.pressure[i] > 0) { EXPECT_NEAR(pool.template predicted<Mueller2003>(i), 1, 1e-4); }
    }
    EXPECT_LT(length(pool.momentum() - momentum), sizeof(typename S::Real) == 8 ? 1e-12 : 1e-4);

    // A lattice flush against a wall is as dense there as inside.
    Pool<S> flush;
    const int side = 9, deep = S::dim == 3 ? side : 1;
    for (int z = 0; z < deep; ++z) {
        for (int y = 0; y < side; ++y) {
            for (int x = 0; x < side; ++x) flush.add({(x - 4) * s, (y + 0.5) * s, S::dim == 3 ? (z - 4) * s : 0}, {});
        }
    }
    flush.bodies.resize(1);
    flush.bodies[0].shape = {Plane{{0, 1, 0}, 0}, {}, S::dim};
    flush.block.settings = pool.block.settings;
    flush.solve();
    const auto ratio_at = [&](int y) {
        return flush.ratio[static_cast<std::size_t>(((deep / 2) * side + y) * side + 4)];
    };
    EXPECT_NEAR(ratio_at(0), ratio_at(4), 1e-3);
    EXPECT_NEAR(ratio_at(4), S::dim == 3 ? 1.01 : 1.015, 0.004);
}

TYPED_TEST(IisphTest, pressure_and_compression_exclude_each_other) {
    using S = TypeParam;
    for (const auto solver : {Iisph<S>::Solver::accelerated, Iisph<S>::Solver::jacobi}) {
        Pool<S> pool;
        pool.add_block(S::dim == 2 ? 12 : 6, 0.03, 2);
        // Double reaches the tolerance; float stops at its rounding.
        const double tolerance = sizeof(typename S::Real) == 8 ? 1e-9 : 1e-6;
        pool.block.settings = {
            .solver = solver, .tolerance = tolerance, .max_tolerance = 10 * tolerance, .max_iterations = 20000};
        const auto report = pool.solve();
        EXPECT_TRUE(report.converged) << report.iterations << " " << report.error_mean;
        int pressed = 0;
        for (std::size_t i = 0; i < pool.position.size(); ++i) {
            const double ratio = pool.predicted(i);
            EXPECT_GE(pool.pressure[i], 0);
            EXPECT_LT(ratio, 1 + 2e-5) << i;
            pressed += pool.pressure[i] > 0;
        }
        EXPECT_GT(pressed, 20);  // otherwise nothing was tested
    }
}

TYPED_TEST(IisphTest, finds_the_same_pressure_by_both_solvers) {
    using S = TypeParam;
    Pool<S> quick, paper;
    for (Pool<S>* pool : {&quick, &paper}) {
        pool->add_block(S::dim == 2 ? 16 : 7, 0.02, 1);
        pool->block.settings = {.tolerance = 1e-6, .max_iterations = 5000};
    }
    paper.block.settings.solver = Iisph<S>::Solver::jacobi;
    const auto quick_report = quick.solve(), paper_report = paper.solve();
    EXPECT_LT(quick_report.iterations, paper_report.iterations);
    double highest = 0, worst = 0;
    for (std::size_t i = 0; i < quick.pressure.size(); ++i) {
        highest = std::max(highest, static_cast<double>(paper.pressure[i]));
        worst = std::max(worst, static_cast<double>(std::abs(quick.pressure[i] - paper.pressure[i])));
    }
    EXPECT_LT(worst, 0.02 * highest);
}

TYPED_TEST(IisphTest, keeps_momentum_and_angular_momentum) {
    using S = TypeParam;
    Pool<S> pool;
    pool.add_block(S::dim == 2 ? 12 : 6, 0.05, 1);
    const Vec3d momentum = pool.momentum(), moment = pool.angular_momentum();
    pool.block.settings.max_iterations = 3;  // whether converged or not
    pool.solve();
    const double size = 1000 * cell_volume(S::dim, s) * static_cast<double>(pool.position.size());
    const double exact = sizeof(typename S::Real) == 8 ? 1e-13 : 1e-5;
    EXPECT_LT(length(pool.momentum() - momentum), exact * size);
    EXPECT_LT(length(pool.angular_momentum() - moment), exact * size);
}

/// A body of this density that lies on the block and is driven into it.
template <class S>
Body plunger(double density) {
    Body body;
    body.shape = {Box{{0, 0, 0}, {6 * s, 2 * s, S::dim == 3 ? 6 * s : 0}}};
    body.shape.dimension = S::dim;
    body.pose.position = {3 * s, 7.5 * s, S::dim == 3 ? 3 * s : 0};
    body.mass = density * (S::dim == 3 ? 72 : 12) * cell_volume(S::dim, s);
    body.inertia = body.mass * s * s * Vec3d{3, 6, 3};
    body.velocity = {0, -5, 0};
    return body;
}

/// The pressure force of Monaghan 1992 pair by pair, for given pressures.
TYPED_TEST(IisphTest, pushes_by_given_pressures_and_keeps_momentum) {
    using S = TypeParam;
    Pool<S> pool;
    pool.add_block(S::dim == 2 ? 12 : 7, 0.05, 1);
    pool.bodies.push_back(plunger<S>(1000));
    pool.measure();
    std::mt19937 random(7);
    for (auto& p : pool.pressure) p = static_cast<typename S::Real>(random() / 4294967295.0 * 1e4);
    const auto velocity_before = pool.velocity;
    const Vec3d before = pool.momentum();
    pool.block.push(pool.view(), pool.context(), pool.ratio, pool.pressure);
    const double exact = sizeof(typename S::Real) == 8 ? 1e-12 : 1e-4;
    EXPECT_LT(length(pool.momentum() + step * pool.bodies[0].force - before),
              exact * step * length(pool.bodies[0].force));
    const CubicSpline<Space<S::dim, double>> kernel(h);
    const auto term = [&](std::size_t i) {
        return static_cast<double>(pool.pressure[i] / (pool.ratio[i] * pool.ratio[i]));
    };
    int compared = 0;
    for (std::size_t i = 0; i < pool.position.size(); ++i) {
        const Vec3d x = cast<double>(pool.position[i].xyz());
        if (x.y > 3 * s) continue;  // the body does not reach there
        Vec3d acceleration{};
        for (std::size_t j = 0; j < pool.position.size(); ++j) {
            const Vec3d r = x - cast<double>(pool.position[j].xyz());
            const double distance = length(r);
            if (i == j || distance >= h) continue;
            acceleration += (-static_cast<double>(pool.volume[j]) / 1000 * (term(i) + term(j)) *
                             kernel.slope(distance / h) / distance) *
                            r;
        }
        const Vec3d change = cast<double>(pool.velocity[i].xyz() - velocity_before[i].xyz());
        EXPECT_LT(length(change - step * acceleration), exact * (1 + length(change)));
        compared += length(change) > 0.01;
    }
    EXPECT_GT(compared, 20);
}

TYPED_TEST(IisphTest, leaves_free_flight_and_single_particles_alone) {
    using S = TypeParam;
    Pool<S> pool;
    pool.add_block(S::dim == 2 ? 8 : 5, -0.2, 0);
    pool.add({10, 10, 0}, {});
    for (auto& v : pool.velocity) v = cast<typename S::Real>(Vec3d{3, -2, 0});
    pool.solve();
    for (std::size_t i = 0; i < pool.position.size(); ++i) {
        EXPECT_EQ(pool.pressure[i], 0);
        EXPECT_EQ(pool.velocity[i].x, 3);
    }
}

/// Twice the kinetic energy of fluid that was at rest, minus the energy that the solve must have given it, over the sum
/// of the parts. Where there is pressure, the density is that of rest at the end of the step, so the work of pressures
/// follows from the densities at the start: with Δ the change of velocities and u the velocities of the body at the
/// end,
///   Σ m Δ² = Σ V p/ratio² (ratio - 1) - dt (F·u + torque·ω)
/// This fails if a movable body was taken for immovable, or if fluid was not pushed as far as the body requires.
template <class S>
double energy_out_of_nowhere(const Pool<S>& pool, Vec3d u, Vec3d spin) {
    double twice = 0, pressed = 0, size = 0;
    for (std::size_t i = 0; i < pool.position.size(); ++i) {
        const Vec3d v = cast<double>(pool.velocity[i].xyz());
        const double ratio = static_cast<double>(pool.ratio[i]), p = static_cast<double>(pool.pressure[i]);
        const double work = static_cast<double>(pool.volume[i]) * p / (ratio * ratio) * (ratio - 1);
        twice += static_cast<double>(pool.mass[i]) * dot(v, v);
        pressed += work;
        size += std::abs(work);
    }
    const double by_body = -step * (dot(pool.bodies[0].force, u) + dot(pool.bodies[0].torque, spin));
    return (twice - pressed - by_body) / (size + std::abs(by_body));
}

TYPED_TEST(IisphTest, lets_light_and_heavy_bodies_yield_within_the_solve) {
    using S = TypeParam;
    for (const double shake : {0.0, 0.1}) {
        for (const double density : {1.0, 100.0, 10000.0}) {
            Pool<S> pool;
            pool.add_block(7, 0.0, 0, 1, shake);
            pool.bodies.push_back(plunger<S>(density));
            pool.block.settings = {.tolerance = 1e-6, .max_iterations = 5000};
            const Vec3d before = pool.momentum() + pool.bodies[0].mass * pool.bodies[0].velocity;
            const auto report = pool.solve();
            EXPECT_TRUE(report.converged) << density << " " << report.error_mean;
            Body& body = pool.bodies[0];
            const Vec3d after = pool.momentum() + body.mass * body.velocity + step * body.force;
            EXPECT_LT(length(after - before), 1e-4 * length(before)) << density;
            EXPECT_GT(body.force.y, 0) << density;
            const Vec3d u = body.velocity + body.speed_up(step * body.force);
            EXPECT_LT(std::abs(energy_out_of_nowhere(pool, u, body.spin_up(step * body.torque))), 0.01) << density;
        }
    }
}

TYPED_TEST(IisphTest, is_pushed_by_a_solid_that_moves_by_script) {
    using S = TypeParam;
    Pool<S> pool;
    pool.add_block(7, 0.0, 0, 1, 0);
    Body board = plunger<S>(1000);
    board.mass = 0;  // only its script moves it
    pool.bodies.push_back(board);
    pool.block.settings = {.tolerance = 1e-6, .max_iterations = 5000};
    EXPECT_TRUE(pool.solve().converged);
    EXPECT_LT(std::abs(energy_out_of_nowhere(pool, board.velocity, {})), 0.01);
    double lowest = 0;
    for (const auto& v : pool.velocity) lowest = std::min(lowest, static_cast<double>(v.y));
    EXPECT_LT(lowest, 0);
    EXPECT_GT(lowest, -5);  // fluid under a board is nowhere faster than the board
}

TYPED_TEST(IisphTest, has_the_same_bits_on_every_path_and_any_number_of_threads) {
    using S = TypeParam;
    std::vector<std::vector<typename S::Real>> results;
    int threads = 1;
    for (const simd::Choice path : test::paths()) {
        const test::OnPath on(path);
        Pool<S> pool(threads++);
        pool.add_block(S::dim == 2 ? 40 : 11, 0.02, 1);
        pool.bodies.push_back(plunger<S>(300));
        pool.solve();
        results.push_back(pool.pressure);
        EXPECT_EQ(results.back(), results.front()) << simd::name(path);
    }
}

}  // namespace
}  // namespace treacle
