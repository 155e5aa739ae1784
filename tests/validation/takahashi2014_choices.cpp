#include <algorithm>
#include <cmath>

#include "support/run_scene.h"

/// The other ways to correct velocities and the other kernels.

namespace treacle {
namespace {

std::string disc(const std::string& settings, const std::string& own, const std::string& motion,
                 const std::string& more = "") {
    return R"({ "treacle": 1, "method": "takahashi2014", "dimension": 2, "particle_spacing": 0.05, "gravity": [0, 0],
      "time": { "duration": 10, "fps": 50, "fixed_dt": 0.001 }, "takahashi2014": { )" +
           settings + R"( },
      "materials": { "jelly": { "density": 1000, "takahashi2014": { )" +
           own + R"( } } },
      "fluids": [ { "material": "jelly", "packing": "relaxed",
                    "shape": { "sphere": { "center": [0, 0], "radius": 0.4 } })" +
           motion + R"( } ])" + more + " }";
}

const std::string matching = R"("coefficients": "paper", "correction_scheme": "shape_matching")";
const std::string springs = R"("coefficients": "paper", "correction_scheme": "spring")";

TEST(Takahashi2014Choices, ShapesTurnWithoutLosingMomentum) {
    test::RunningScene run(disc(matching, R"("correction": 0.05)", R"(, "angular_velocity": 180)"));
    const double before = run.metric("angular_momentum_z");
    ASSERT_TRUE(run.advance(50)) << run.error();  // half a turn
    EXPECT_NEAR(run.metric("angular_momentum_z") / before, 1, 0.01);
    double farthest = 0;
    for (const Vec3d& x : run.vectors("position")) farthest = std::max(farthest, length(x));
    EXPECT_LT(farthest, 0.43);
}

/// Thrown against a wall, both come back round and in one piece.
TEST(Takahashi2014Choices, ShapesAndSpringsBounceOffAWall) {
    const std::string wall =
        R"(, "solids": [ { "name": "wall", "friction": 0, "shape": { "plane": { "normal": [1, 0],
          "offset": -0.45 } } } ])";
    for (const bool shapes : {true, false}) {
        test::RunningScene run(
            disc(shapes ? matching : springs,
                 shapes ? R"("correction": 0.05)" : R"("spring_stiffness": 20000, "self_connect": "never")",
                 R"(, "velocity": [-1, 0])", wall));
        ASSERT_TRUE(run.advance(40)) << run.error();
        EXPECT_GT(run.metric("momentum_x"), 0) << shapes;
        EXPECT_EQ(run.metric("components"), 1) << shapes;
        const double width = run.metric("max_x") - run.metric("min_x"),
                     height = run.metric("max_y") - run.metric("min_y");
        EXPECT_NEAR(width / height, 1, 0.25) << shapes;
    }
}

TEST(Takahashi2014Choices, CombinationsThatMeanNothingAreRefused) {
    const auto error_of = [](const std::string& scene) -> std::string {
        try {
            test::scene_from(scene);
        } catch (const std::runtime_error& error) { return error.what(); }
        return "";
    };
    const auto expect_error = [&](const std::string& scene, const char* pointer) {
        EXPECT_NE(error_of(scene).find(pointer), std::string::npos) << error_of(scene);
    };
    expect_error(disc(R"("correction_scheme": "spring")", "", ""), "/takahashi2014/correction_scheme");
    expect_error(disc(R"("correction_scheme": "shape_matching")", "", ""), "/takahashi2014/correction_scheme");
    expect_error(disc(springs, "", ""), "/materials/jelly/takahashi2014/spring_stiffness");
    expect_error(disc(springs, R"("spring_stiffness": 1, "correction": 0.1)", ""),
                 "/materials/jelly/takahashi2014/correction");
    expect_error(disc(R"("coefficients": "paper")", R"("correction": 0.1, "spring_damping": 1)", ""),
                 "/materials/jelly/takahashi2014/spring_damping");
    expect_error(disc(matching, R"("correction": 0.1, "self_connect": "always")", ""),
                 "/materials/jelly/takahashi2014/self_connect");
    EXPECT_EQ(error_of(disc(springs, R"("spring_stiffness": 1)", "")), "");
}

/// The paper's kernels hold a pool as high as the cubic spline does, and compress it more than the solver knows.
TEST(Takahashi2014Choices, KernelsOfMuellerHoldAPool) {
    double height[2], compression[2];
    for (const bool mueller : {false, true}) {
        test::RunningScene run(
            std::string(R"({ "treacle": 1, "method": "takahashi2014", "dimension": 2, "particle_spacing": 0.02,
          "gravity": [0, -9.81], "time": { "duration": 10, "fps": 50 },
          "takahashi2014": { "kernel": ")") +
            (mueller ? "mueller2003" : "cubic_spline") + R"(" },
          "materials": { "water": { "viscosity": 1 } },
          "fluids": [ { "material": "water", "shape": { "box": { "center": [0.2, 0.2], "size": [0.4, 0.4] } } } ],
          "solids": [ { "name": "tank", "invert": true, "friction": 0.02,
                        "shape": { "box": { "center": [0.2, 0.5], "size": [0.4, 1] } } } ] })");
        ASSERT_TRUE(run.advance(25)) << run.error();
        height[mueller] = compression[mueller] = 0;
        for (int n = 0; n < 25; ++n) {
            ASSERT_TRUE(run.advance(1)) << run.error();
            height[mueller] += run.metric("com_y") / 25;
            compression[mueller] += (1 - run.metric("volume_clamped") * 1000 / run.metric("mass")) / 25;
        }
    }
    EXPECT_NEAR(height[1] / height[0], 1, 0.02);
    EXPECT_LT(compression[0], 3e-4);
    EXPECT_GT(compression[1], 2 * compression[0]);
    EXPECT_LT(compression[1], 2e-3);
}

}  // namespace
}  // namespace treacle
