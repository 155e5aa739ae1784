#include <algorithm>
#include <cmath>

#include "support/run_scene.h"

/// Elastic bodies with large strain that remember their shape.

namespace treacle {
namespace {

/// A plate of 0.8 × 0.4 m in free space, whose halves fly apart.
struct Plate {
    std::string own{};  ///< of the material
    double speed = 4;   ///< m/s, of each half

    test::RunningScene run() const {
        const std::string half = R"(, 0], "shape": { "box": { "size": [0.4, 0.4], "center": [)",
                          v = std::to_string(speed);
        return test::RunningScene(
            R"({ "treacle": 1, "method": "barreiro2017", "dimension": 2, "particle_spacing": 0.04, "gravity": [0, 0],
          "time": { "duration": 10, "fps": 40 },
          "materials": { "rubber": { "density": 1000, "shear_modulus": 5000, "viscosity": 100)" +
            own + R"( } },
          "fluids": [ { "material": "rubber", "velocity": [-)" +
            v + half + R"(-0.2, 0] } } },
                      { "material": "rubber", "velocity": [)" +
            v + half + R"(0.2, 0] } } } ] })");
    }
};

double width_of(const test::RunningScene& run) { return run.metric("max_x") - run.metric("min_x"); }

/// Positions in the order of ids, relative to their center.
std::vector<Vec3d> places_of(const test::RunningScene& run) {
    const auto id = run.state().particles.get<std::uint32_t>("id");
    const auto x = run.vectors("position");
    std::vector<Vec3d> places(x.size());
    std::vector<std::uint32_t> order(x.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return id[a] < id[b]; });
    Vec3d center{};
    for (const Vec3d& place : x) center += place / static_cast<double>(x.size());
    for (std::size_t n = 0; n < order.size(); ++n) places[n] = x[order[n]] - center;
    return places;
}

TEST(Barreiro2017RestState, ABodyComesBackFromLargeStrain) {
    auto run = Plate{.own = R"(, "barreiro2017": { "break_stretch": 6 })"}.run();
    const auto before = places_of(run);
    const double width = width_of(run);
    double widest = width;
    for (int n = 0; n < 60; ++n) {
        ASSERT_TRUE(run.advance(1)) << run.error();
        widest = std::max(widest, width_of(run));
    }
    EXPECT_GT(widest, 1.5 * width);
    const auto after = places_of(run);
    double farthest = 0;
    for (std::size_t i = 0; i < before.size(); ++i) farthest = std::max(farthest, length(after[i] - before[i]));
    EXPECT_LT(farthest, 0.1 * 0.04);
}

/// The purpose of the memory: without it the same body is torn in two.
TEST(Barreiro2017RestState, WithoutItTheBodyIsTorn) {
    auto run = Plate{}.run();
    const double width = width_of(run);
    ASSERT_TRUE(run.advance(60)) << run.error();
    EXPECT_GT(width_of(run), 2 * width);
}

TEST(Barreiro2017RestState, BreaksWhereItIsStretchedTooFar) {
    auto run = Plate{.own = R"(, "barreiro2017": { "break_stretch": 1.3 })", .speed = 8}.run();
    const double connections = run.metric("connections"), width = width_of(run);
    ASSERT_TRUE(run.advance(40)) << run.error();
    EXPECT_LT(run.metric("connections"), 0.97 * connections);
    EXPECT_GT(run.metric("connections"), 0.3 * connections);
    EXPECT_GT(width_of(run), 2 * width);
}

}  // namespace
}  // namespace treacle
