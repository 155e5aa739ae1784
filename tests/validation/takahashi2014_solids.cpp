#include <algorithm>
#include <cmath>

#include "pool.h"

/// Solids that the fluid of takahashi2014 carries, holds and pulls.

namespace treacle {
namespace {

using test::body_named, test::expect_light_box_does_not_explode, test::height_of, test::pool, test::resting_height,
    test::submerged;

/// With little friction: Coulomb friction holds fluid at the walls and at the ball up to a share of the pressure, and
/// with the usual 0.3 the ball comes to rest anywhere between 0.2 and 0.75 submerged.
TEST(Takahashi2014Solids, ABallOfHalfTheDensityFloatsHalfSubmerged) {
    test::RunningScene flat(
        pool("takahashi2014", 2, R"({ "sphere": { "center": [0.5, 0.68], "radius": 0.15 } })", 500, 0.02, 0.02));
    EXPECT_NEAR(submerged(2, 0.15, resting_height(flat, 90), 0.5 + 0.5 * M_PI * 0.15 * 0.15), 0.5, 0.035);
    test::RunningScene solid(
        pool("takahashi2014", 3, R"({ "sphere": { "center": [0.25, 0.4, 0.25], "radius": 0.1 } })", 500, 0.025, 0.02));
    // In this coarse tank fluid comes closer to the walls than half a spacing, which lowers the level by 8 mm: 0.61 of
    // the ball are below the theoretical level, 0.51 below the actual one.
    EXPECT_NEAR(submerged(3, 0.1, resting_height(solid, 60), 0.3 + 0.5 * 4.0 / 3 * M_PI * 0.001 / 0.25), 0.5, 0.12);
}

/// It bobs on the noise of the pressure, up to 0.6 m/s; an explosion gives 15.
TEST(Takahashi2014Solids, ABoxOfATenthOfTheDensityDoesNotExplode) {
    expect_light_box_does_not_explode("takahashi2014", 2, 0.02, 1);
    expect_light_box_does_not_explode("takahashi2014", 3, 0.03, 1);
}

/// A weight of 60 times its mass falls on a ball of jelly and presses it to a film.
TEST(Takahashi2014Solids, ACrushedBallStaysOutsideTheSolidsAndGainsNoEnergy) {
    test::RunningScene run(R"({ "treacle": 1, "method": "takahashi2014", "particle_spacing": 0.025,
      "time": { "duration": 1, "fps": 50 }, "materials": { "jelly": { "shear_modulus": 3000, "viscosity": 2 } },
      "fluids": [ { "material": "jelly", "packing": "relaxed",
        "shape": { "sphere": { "center": [0, 0.16, 0], "radius": 0.15 } } } ],
      "solids": [ { "name": "floor", "shape": { "plane": { "normal": [0, 1, 0] } } },
                  { "name": "weight", "shape": { "box": { "center": [0, 0.6, 0], "size": [0.6, 0.3, 0.6] } },
                    "motion": { "dynamic": { "density": 8000, "velocity": [0, -2, 0] } } } ] })");
    std::size_t inside = 0;
    double fastest = 0, lowest = 1;
    for (int frame = 0; frame < 20; ++frame) {
        ASSERT_TRUE(run.advance(1)) << run.error();
        const Body& weight = body_named(run, "weight");
        for (const Vec3d& x : run.vectors("position")) {
            for (const Body& body : run.state().bodies) inside += body.surface_at(x).distance < -0.5 * 0.025;
        }
        fastest = std::max(fastest, weight.velocity.y);
        lowest = std::min(lowest, height_of(run, "weight") - 0.15);
    }
    EXPECT_EQ(inside, 0u);
    EXPECT_LT(lowest, 0.03);  // it was crushed indeed
    EXPECT_LT(fastest, 1);    // it fell at 3 m/s; an explosion throws it back at 8
}

/// A block of jelly between a fixed and a movable plate, in free space; the movable one is moving away.
std::string bridge(double adhesion) {
    const std::string sticky = R"("adhesion": )" + std::to_string(adhesion);
    return R"({ "treacle": 1, "method": "takahashi2014", "particle_spacing": 0.02, "gravity": [0, 0, 0],
      "time": { "duration": 1, "fps": 100 }, "materials": { "jelly": { "shear_modulus": 2000, "viscosity": 1 } },
      "fluids": [ { "material": "jelly", "packing": "relaxed",
        "shape": { "box": { "center": [0, 0, 0], "size": [0.2, 0.16, 0.16] } } } ],
      "solids": [ { "name": "left", )" +
           sticky + R"(, "shape": { "box": { "center": [-0.15, 0, 0], "size": [0.1, 0.24, 0.24] } },
                    "motion": { "dynamic": { "density": 800 } } },
                  { "name": "right", )" +
           sticky + R"(, "shape": { "box": { "center": [0.15, 0, 0], "size": [0.1, 0.24, 0.24] } },
                    "motion": { "dynamic": { "density": 800, "velocity": [0.3, 0, 0] } } } ] })";
}

Vec3d momentum_of_all(const test::RunningScene& run) {
    Vec3d sum{run.metric("momentum_x"), run.metric("momentum_y"), run.metric("momentum_z")};
    for (const Body& body : run.state().bodies) sum += body.mass * body.velocity_of_center();
    return sum;
}

TEST(Takahashi2014Solids, PullsABodyBackAndKeepsMomentum) {
    test::RunningScene run(bridge(1)), control(bridge(0));
    const Vec3d before = momentum_of_all(run);
    double fastest_back = 0;
    for (int frame = 0; frame < 40; ++frame) {
        ASSERT_TRUE(run.advance(1)) << run.error();
        const Bodies& bodies = run.state().bodies;
        fastest_back = std::min(fastest_back, bodies[1].velocity.x - bodies[0].velocity.x);
    }
    EXPECT_LT(fastest_back, -0.05);
    EXPECT_LT(length(momentum_of_all(run) - before), 1e-4 * length(before));
    EXPECT_GT(run.state().anchors.connection_count(), 100u);
    ASSERT_TRUE(control.advance(40)) << control.error();
    EXPECT_GT(control.state().bodies[1].velocity.x, 0.25);  // nothing holds it
}

TEST(Takahashi2014Solids, ADropHangsOnlyWithAdhesion) {
    const auto scene = [](double adhesion) {
        return R"({ "treacle": 1, "method": "takahashi2014", "particle_spacing": 0.01,
          "time": { "duration": 1, "fps": 50 }, "materials": { "slime": { "shear_modulus": 1500, "viscosity": 1 } },
          "fluids": [ { "material": "slime", "packing": "relaxed",
            "shape": { "box": { "center": [0, -0.03, 0], "size": [0.1, 0.06, 0.1] } } } ],
          "solids": [ { "name": "plate", "adhesion": )" +
               std::to_string(adhesion) +
               R"(, "shape": { "box": { "center": [0, 0.02, 0], "size": [0.2, 0.04, 0.2] } } } ] })";
    };
    test::RunningScene holds(scene(1)), falls(scene(0));
    ASSERT_TRUE(holds.advance(25)) << holds.error();
    ASSERT_TRUE(falls.advance(25)) << falls.error();
    EXPECT_GT(holds.metric("com_y"), -0.05);
    EXPECT_LT(falls.metric("com_y"), -1.0);  // free fall of half a second is 1.23 m
}

}  // namespace
}  // namespace treacle
