#include <cmath>
#include <tuple>

#include "support/every_method.h"
#include "support/run_scene.h"

namespace treacle::test {
namespace {

/// Every method, in two and three dimensions, with nothing to compute.
class NoParticles : public testing::TestWithParam<std::tuple<std::string, int>> {
protected:
    std::string vec(double x, double y) const {
        const std::string in_plane = "[" + std::to_string(x) + ", " + std::to_string(y);
        return in_plane + (std::get<1>(GetParam()) == 3 ? ", 0]" : "]");
    }
    std::string cube(double side) const {
        const std::string length = std::to_string(side);
        return "[" + length + ", " + length + (std::get<1>(GetParam()) == 3 ? ", " + length + "]" : "]");
    }
    std::string scene(const std::string& content) const {
        const auto [method, dimension] = GetParam();
        return R"({ "treacle": 1, "method": ")" + method + R"(", "dimension": )" + std::to_string(dimension) +
               R"(, "particle_spacing": 0.02, "time": { "duration": 1, "fps": 50 },
          "materials": { "honey": { "viscosity": 2, "shear_modulus": 50, "relaxation_time": 0.1,
            "surface_tension": 0.05 } },
          "solids": [ { "name": "floor", "shape": { "plane": { "normal": )" +
               vec(0, 1) + "} } } ], " + content + " }";
    }
};

TEST_P(NoParticles, an_emitter_may_begin_late) {
    RunningScene run(scene(R"("emitters": [ { "material": "honey", "shape": { "disk": { "radius": 0.05 } },
      "start": 0.05, "speed": 1, "position": )" +
                           vec(0, 0.5) + R"(, "direction": )" + vec(0, -1) + " } ]"));
    EXPECT_EQ(run.state().particles.size(), 0u);
    EXPECT_EQ(run.metric("mass"), 0);
    EXPECT_EQ(run.metric("density_error_max"), 0);
    ASSERT_TRUE(run.advance(2)) << run.error();
    EXPECT_EQ(run.state().particles.size(), 0u);
    ASSERT_TRUE(run.advance(4)) << run.error();
    EXPECT_GT(run.state().particles.size(), 0u);
    EXPECT_TRUE(std::isfinite(run.metric("kinetic_energy")));
}

TEST_P(NoParticles, a_sink_may_take_all_at_the_start) {
    RunningScene run(scene(R"("fluids": [ { "material": "honey", "shape": { "box": { "center": )" + vec(0, 0.3) +
                           R"(, "size": )" + cube(0.1) + R"( } } } ], "sinks": [ { "shape": { "box": { "center": )" +
                           vec(0, 0.3) + R"(, "size": )" + cube(0.3) + " } } } ]"));
    ASSERT_TRUE(run.advance(3)) << run.error();
    EXPECT_EQ(run.state().particles.size(), 0u);
    EXPECT_EQ(run.metric("kinetic_energy"), 0);
}

TEST_P(NoParticles, a_run_goes_on_after_the_last_one_has_left) {
    const Scene falling =
        scene_from(scene(R"("fluids": [ { "material": "honey", "shape": { "box": { "center": )" + vec(0, 0.3) +
                         R"(, "size": )" + cube(0.1) + R"( } } } ], "sinks": [ { "shape": { "plane": { "normal": )" +
                         vec(0, 1) + R"(, "offset": 0.2 } } } ])"));
    RunningScene run(falling);
    EXPECT_GT(run.state().particles.size(), 0u);
    ASSERT_TRUE(run.advance(15)) << run.error();
    ASSERT_EQ(run.state().particles.size(), 0u);
    auto later = Simulation::resume(falling, run.state(), 2, Log{});
    ASSERT_TRUE(later);
    for (int n = 0; n < 3; ++n) ASSERT_TRUE((*later)->advance_frame([](const StepInfo&) { return true; }));
    ASSERT_TRUE(run.advance(3)) << run.error();
    EXPECT_EQ(state_hash((*later)->state()), state_hash(run.state()));
}

/// A solid no longer pushes the last particles, which touched it when a sink took them.
TEST(NoParticlesLeft, on_a_floor) {
    RunningScene run(R"({ "treacle": 1, "method": "takamatsu2011", "dimension": 2, "particle_spacing": 0.02,
      "time": { "duration": 1, "fps": 50 },
      "materials": { "water": { "viscosity": 0.001, "takamatsu2011": { "fluidity": 1 } } },
      "fluids": [ { "material": "water", "velocity": [1, 0],
                    "shape": { "box": { "center": [0, 0.02], "size": [0.2, 0.04] } } } ],
      "solids": [ { "name": "floor", "friction": 0, "shape": { "plane": { "normal": [0, 1] } } } ],
      "sinks": [ { "shape": { "plane": { "normal": [-1, 0], "offset": -0.2 } } } ] })");
    EXPECT_GT(run.state().particles.size(), 0u);
    ASSERT_TRUE(run.advance(45)) << run.error();
    EXPECT_EQ(run.state().particles.size(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Methods, NoParticles,
                         testing::Combine(testing::ValuesIn(every_method()), testing::Values(2, 3)),
                         [](const auto& of) {
                             return std::get<0>(of.param) + "_in_" + std::to_string(std::get<1>(of.param)) + "D";
                         });

}  // namespace
}  // namespace treacle::test
