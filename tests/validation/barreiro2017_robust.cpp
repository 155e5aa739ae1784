#include "support/run_scene.h"

/// Thin objects, and steps that are too long. Each test fails without one of the safeguards in the table of the docs.

namespace treacle {
namespace {

std::string scene_of(const std::string& material, const std::string& spacing, const std::string& time,
                     const std::string& rest) {
    return R"({ "treacle": 1, "method": "barreiro2017", "dimension": 3, "particle_spacing": )" + spacing +
           R"(, "gravity": [0, -9.81, 0],
      "time": { "duration": 10, )" +
           time + R"( }, "barreiro2017": { "coefficients": "paper" },
      "materials": { "stuff": { "barreiro2017": )" +
           material + R"( } }, )" + rest + R"(,
      "solids": [ { "name": "floor", "friction": 0.3, "shape": { "plane": { "normal": [0, 1, 0] } } } ] })";
}

/// Four particles across, pushed against the floor.
TEST(Barreiro2017Robust, AThinStiffJetMeetsAFloor) {
    test::RunningScene run(
        scene_of(R"({ "compliance": 0, "relaxation": 1e6 })", "0.02", R"("fps": 10)",
                 R"("emitters": [ { "material": "stuff", "position": [0, 0.5, 0], "direction": [0, -1, 0], "speed": 1,
                           "shape": { "disk": { "radius": 0.04 } } } ])"));
    ASSERT_TRUE(run.advance(8)) << run.error();
    EXPECT_LT(run.metric("speed_max"), 10);
    EXPECT_LT(run.metric("max_y"), 0.6);
}

TEST(Barreiro2017Robust, RodsOfOneParticleAcrossFallAndStayWhereTheyFell) {
    test::RunningScene run(scene_of(
        R"({ "compliance": 0, "relaxation": 0 })", "0.05", R"("fps": 10)",
        R"("fluids": [ { "material": "stuff", "shape": { "box": { "center": [0, 0.1, 0], "size": [1, 0.05, 0.05] } } },
                       { "material": "stuff", "shape": { "box": { "center": [0, 0.5, 0.3],
                         "size": [0.05, 0.8, 0.05] } } },
                       { "material": "stuff", "shape": { "box": { "center": [1, 0.1, 0],
                         "size": [0.05, 0.05, 0.05] } } } ])"));
    ASSERT_TRUE(run.advance(5)) << run.error();
    EXPECT_LT(run.metric("speed_max"), 10);
    EXPECT_NEAR(run.metric("max_x"), 1, 0.05);
    EXPECT_GT(run.metric("min_x"), -0.6);
}

TEST(Barreiro2017Robust, StepsOfSixtyMillisecondsThrowNothingOut) {
    test::RunningScene run(scene_of(R"({ "compliance": 0, "relaxation": 1e6 })", "0.05",
                                    R"("fps": 16.666666666666668, "fixed_dt": 0.06)",
                                    R"("fluids": [ { "material": "stuff", "shape": { "box": { "center": [0, 0.75, 0],
          "size": [0.4, 0.4, 0.4] } } } ])"));
    ASSERT_TRUE(run.advance(20)) << run.error();
    EXPECT_LT(run.metric("speed_max"), 3);
    EXPECT_LT(run.metric("max_x") - run.metric("min_x"), 0.6);
    EXPECT_LT(run.metric("max_y"), 0.6);
}

}  // namespace
}  // namespace treacle
