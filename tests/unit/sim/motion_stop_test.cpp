#include <gtest/gtest.h>

#include "support/run_scene.h"

namespace treacle {
namespace {

/// A drop far above three boards that rise at 1 m/s and wait for different events.
const char* boards = R"({ "treacle": 1, "method": "clavet2005", "dimension": 2, "particle_spacing": 0.01,
  "time": { "duration": 1, "fps": 100 }, "materials": { "honey": {} },
  "fluids": [ { "material": "honey", "shape": { "box": { "center": [0, 9], "size": [0.05, 0.05] } } } ],
  "solids": [
    { "name": "never", "shape": { "box": { "size": [0.1, 0.1] } }, "motion": { "velocity": [0, 1] } },
    { "name": "rupture", "shape": { "box": { "size": [0.1, 0.1] } },
      "motion": { "stop": "rupture", "keyframes": [ { "time": 0 }, { "time": 1, "position": [0, 1] } ] } },
    { "name": "sides", "shape": { "box": { "size": [0.1, 0.1] } },
      "motion": { "velocity": [0, 1], "stop": "sides_meet" } } ] })";

TEST(MotionStop, the_clock_of_a_solid_stands_still_from_the_moment_that_it_waits_for) {
    const Scene scene = test::scene_from(boards);
    test::RunningScene run(scene);
    ASSERT_TRUE(run.advance(3)) << run.error();
    State state = run.state();
    for (const Body& body : state.bodies) EXPECT_NEAR(body.pose.position.y, 0.03, 1e-12);
    state.rupture.sides_met = state.time;
    state.rupture.parted = state.time + 0.015;  // in the middle of a frame
    auto later = Simulation::resume(scene, std::move(state), 1, Log{});
    ASSERT_TRUE(later);
    for (int n = 0; n < 3; ++n) ASSERT_TRUE((*later)->advance_frame([](const StepInfo&) { return true; }));
    const Bodies& bodies = (*later)->state().bodies;
    EXPECT_NEAR(bodies[0].pose.position.y, 0.06, 1e-12);
    EXPECT_NEAR(bodies[1].pose.position.y, 0.045, 1e-12);
    EXPECT_NEAR(bodies[2].pose.position.y, 0.03, 1e-12);
    EXPECT_NEAR(bodies[0].velocity.y, 1, 1e-9);
    EXPECT_EQ(bodies[1].velocity, Vec3d{});
    EXPECT_EQ(bodies[2].velocity, Vec3d{});
}

}  // namespace
}  // namespace treacle
