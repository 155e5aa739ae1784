#include <cmath>
#include <random>
#include <sstream>

#include "deep_pool.h"
#include "sim/preflight.h"

/// Deep pools of takahashi2014 stay at rest.

namespace treacle {
namespace {

using test::expect_rest, test::Pool, test::scene_of, test::text;

/// Positions by id, m.
std::vector<Vec3d> positions(const Simulation& simulation) {
    const Particles& particles = simulation.state().particles;
    const auto id = particles.get<std::uint32_t>("id");
    const auto position = particles.get<Row4<double>>("position");
    std::vector<Vec3d> result(id.size());
    for (std::size_t i = 0; i < id.size(); ++i) result[id[i]] = position[i].xyz();
    return result;
}

/// Growth per step of a small disturbance of a settled pool, at a given dt √(p/ρ)/d, p the weight of the pool.
double growth(Pool pool, double number) {
    pool.precision = "double";
    pool.friction = 0;
    const double crossing = pool.spacing / std::sqrt(9.81 * pool.spacing * pool.layers);  // d/√(p/ρ)
    pool.time = R"("duration": 10, "fps": 2, "max_dt": )" + text(0.25 * crossing);
    test::RunningScene settled(scene_of(pool));
    if (!settled.advance(1)) throw std::runtime_error(settled.error());
    std::ostringstream time;
    time.precision(12);
    time << R"("duration": 10, "fps": )" << 1 / (number * crossing) << R"(, "fixed_dt": )" << number * crossing;
    pool.time = time.str();
    pool.settings = R"({ "tolerance": 1e-7, "iterations": 10000 })";
    pool.material = R"("viscosity": 0)";
    State one = settled.state();
    one.time = 0, one.frame = 1, one.step = 1;
    State other = one;
    std::mt19937 random(1);
    const auto any = [&] { return 2 * (random() / 4294967295.0) - 1; };
    for (auto& x : other.particles.get<Row4<double>>("position")) {
        const double right = any(), up = any(), away = pool.dimension == 3 ? any() : 0;
        x = x.xyz() + 1e-6 * pool.spacing * Vec3d{right, up, away};
    }
    const Scene scene = test::scene_from(scene_of(pool));
    const auto a = Simulation::resume(scene, one, 2, Log{}), b = Simulation::resume(scene, other, 2, Log{});
    std::vector<double> apart;
    while (apart.size() < 45 && (apart.empty() || apart.back() < 3e-3)) {
        for (const auto* run : {&a, &b}) {
            if (!(**run)->advance_frame([](const StepInfo&) { return true; })) throw std::runtime_error("diverged");
        }
        const auto x = positions(**a), y = positions(**b);
        double sum = 0;
        for (std::size_t i = 0; i < x.size(); ++i) sum += dot(y[i] - x[i], y[i] - x[i]);
        apart.push_back(std::sqrt(sum / static_cast<double>(x.size())) / pool.spacing);
    }
    return std::pow(apart.back() / apart.front(), 1.0 / static_cast<double>(apart.size() - 1));
}

/// The basis of the limit: whether a pool is stable depends on this number alone.
TEST(Takahashi2014Pools, GrowBeyondOneNumberForAllDepthsAndSpacings) {
    for (const Pool& pool :
         {Pool{2, 0.01, 10, 12}, Pool{2, 0.0025, 40, 12}, Pool{2, 0.01, 80, 12}, Pool{3, 0.01, 20, 6}}) {
        EXPECT_LT(growth(pool, 0.65), 1.05) << pool.dimension << "D, " << pool.layers << " layers";
        EXPECT_GT(growth(pool, 0.9), 1.2) << pool.dimension << "D, " << pool.layers << " layers";
    }
}

TEST(Takahashi2014Pools, RestIn2D) {
    for (const int layers : {20, 30, 60}) expect_rest({2, 0.01, layers, 24});
}

TEST(Takahashi2014Pools, RestAtAFinerSpacing) {
    for (const int layers : {20, 30, 60}) expect_rest({2, 0.0025, layers, 24});
}

TEST(Takahashi2014Pools, RestIn3D) {
    for (const int layers : {28, 32}) expect_rest({3, 0.0075, layers, 6});
}

TEST(Takahashi2014Pools, OfSlimeRest) {
    expect_rest({2, 0.005, 40, 24, R"("viscosity": 1, "shear_modulus": 400, "relaxation_time": 0.5)"});
}

/// Frames make steps shorter than necessary, by up to a fifth here, and pressure is never quite steady.
TEST(Takahashi2014Pools, TakeTheStepsThatWerePredicted) {
    for (const int layers : {30, 60}) {
        const Scene scene = test::scene_from(scene_of({2, 0.01, layers, 24}));
        double predicted = 1;
        for (const TimeStepLimit& limit : predict(scene).time_step_limits) {
            if (limit.dt < predicted) predicted = limit.dt;
        }
        test::RunningScene run(scene);
        ASSERT_TRUE(run.advance(30)) << run.error();
        const double mean = 0.3 / static_cast<double>(run.state().step);
        EXPECT_GT(mean, 0.67 * predicted) << layers;
        EXPECT_LT(mean, 1.1 * predicted) << layers;
    }
}

/// A heavy ball sinks in a thick pool and is not thrown; 2D, so its speed has no simple formula, but it never rises.
TEST(Takahashi2014Pools, LetAHeavyBallSink) {
    Pool pool{2, 0.005, 40, 40, R"("viscosity": 10)"};
    pool.solids = R"(, { "name": "ball", "shape": { "sphere": { "center": [0, 0.14], "radius": 0.03 } },
                        "motion": { "dynamic": { "density": 2000 } } })";
    test::RunningScene run(scene_of(pool));
    double height = 0.14, fastest = 0;
    for (int frame = 0; frame < 60; ++frame) {
        ASSERT_TRUE(run.advance(1)) << run.error();
        const double now = run.state().bodies[1].center_of_mass_in_space().y;
        EXPECT_LT(now, height + 0.1 * pool.spacing) << "frame " << frame;
        height = now;
        for (const Vec3d& v : run.vectors("velocity")) fastest = std::max(fastest, length(v));
    }
    EXPECT_LT(height, 0.14 - pool.spacing);
    EXPECT_LT(fastest, std::sqrt(2 * 9.81 * (0.14 - 0.03)));  // of a ball that falls to the floor freely
}

}  // namespace
}  // namespace treacle
