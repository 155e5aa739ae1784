#include <algorithm>
#include <cmath>
#include <map>

#include "methods/clavet2005/settings.h"
#include "pool.h"

/// Solids moved by fluid, gravity and each other: T6 of the checklist of clavet2005, and floating bodies.

namespace treacle {
namespace {

using test::body_named, test::expect_light_box_does_not_explode, test::height_of, test::pool, test::resting_height,
    test::submerged;

TEST(RigidBodies, ABallOfHalfTheDensityFloatsHalfSubmerged2D) {
    test::RunningScene run(
        pool("clavet2005", 2, R"({ "sphere": { "center": [0.5, 0.68], "radius": 0.15 } })", 500, 0.02));
    const double center = resting_height(run, 90);
    // The volume of the fluid and the displaced volume decide the level: 0.5 m and half a disc on 1 m of ground.
    const double level = 0.5 + 0.5 * M_PI * 0.15 * 0.15;
    EXPECT_NEAR(submerged(2, 0.15, center, level), 0.5, 0.07 * 0.5);
}

TEST(RigidBodies, ABallOfHalfTheDensityFloatsHalfSubmerged3D) {
    Scene scene = test::scene_from(
        pool("clavet2005", 3, R"({ "sphere": { "center": [0.25, 0.4, 0.25], "radius": 0.1 } })", 500, 0.02));
    // The method's own surface tension, 34 N/m at the default sound speed, would carry a fifth of this ball.
    scene.method_settings.at("clavet2005").as<clavet2005::Settings>().sound_speed = 8;
    test::RunningScene run(scene);
    const double center = resting_height(run, 60);
    const double level = 0.3 + 0.5 * 4.0 / 3 * M_PI * 0.001 / 0.25;
    EXPECT_NEAR(submerged(3, 0.1, center, level), 0.5, 0.07 * 0.5);
}

TEST(RigidBodies, ABoxOfATenthOfTheDensityDoesNotExplode) {
    expect_light_box_does_not_explode("clavet2005", 2, 0.02, 0.5);
    expect_light_box_does_not_explode("clavet2005", 3, 0.025, 0.5);
}

/// Level of the fluid in a 2D pool, away from a body in its middle: the topmost particles of columns two spacings wide,
/// averaged over columns and frames.
double level_beside(test::RunningScene& run, int frames) {
    double sum = 0;
    std::size_t counted = 0;
    for (int n = 0; n < frames; ++n) {
        if (!run.advance(1)) throw std::runtime_error(run.error());
        std::map<int, double> tops;
        for (const Vec3d& p : run.vectors("position")) {
            if (std::abs(p.x - 0.5) < 0.22) continue;
            double& top = tops[static_cast<int>(p.x / 0.04)];
            top = std::max(top, p.y);
        }
        for (const auto& [column, top] : tops) sum += top;
        counted += tops.size();
    }
    return sum / static_cast<double>(counted);
}

TEST(RigidBodies, ABallThatSinksRaisesTheLevelByItsVolume) {
    test::RunningScene run(
        pool("clavet2005", 2, R"({ "sphere": { "center": [0.5, 1.2], "radius": 0.15 } })", 3000, 0.02));
    const double before = level_beside(run, 6);
    ASSERT_GT(height_of(run, "body"), 0.8);  // still in the air
    ASSERT_TRUE(run.advance(60)) << run.error();
    const double after = level_beside(run, 10);
    EXPECT_NEAR(height_of(run, "body"), 0.15, 0.02);  // on the ground
    const double disc = M_PI * 0.15 * 0.15;           // on 1 m of ground
    std::printf("rise %g m, displaced %g m\n", after - before, disc);
    EXPECT_NEAR(after - before, disc, 0.05 * disc);
}

TEST(RigidBodies, ThreeStackedBoxesRest) {
    const std::string text =
        R"({ "treacle": 1, "method": "clavet2005", "particle_spacing": 0.05, "gravity": [0, -9.81, 0],
      "time": { "duration": 10, "fps": 10, "max_dt": 0.002 }, "materials": { "water": { "viscosity": 2 } },
      "fluids": [ { "material": "water", "shape": { "box": { "center": [3, 0.05, 0], "size": [0.1, 0.1, 0.1] } } } ],
      "solids": [ { "name": "floor", "shape": { "plane": { "normal": [0, 1, 0] } } },
                  { "name": "a", "shape": { "box": { "center": [0, 0.1, 0], "size": [0.2, 0.2, 0.2] } },
                    "motion": { "dynamic": { "density": 500 } } },
                  { "name": "b", "shape": { "box": { "center": [0.02, 0.3, 0], "size": [0.2, 0.2, 0.2] } },
                    "motion": { "dynamic": { "density": 500 } } },
                  { "name": "c", "shape": { "box": { "center": [0, 0.5, 0.02], "size": [0.2, 0.2, 0.2] } },
                    "motion": { "dynamic": { "density": 500 } } } ] })";
    test::RunningScene run(text);
    ASSERT_TRUE(run.advance(100)) << run.error();
    for (const char* name : {"a", "b", "c"}) {
        const Pose& pose = body_named(run, name).pose;
        EXPECT_LT(length(pose.position), 0.01) << name;  // 5 % of an edge in 10 s
        EXPECT_GT(pose.rotation.w, 0.9999) << name;
    }
}

TEST(RigidBodies, ABeltCarriesWhatLiesOnIt) {
    test::RunningScene run(R"({ "treacle": 1, "method": "clavet2005", "dimension": 2, "particle_spacing": 0.02,
      "time": { "duration": 2, "fps": 50 }, "materials": { "water": {} },
      "fluids": [ { "material": "water", "shape": { "box": { "center": [0, 50], "size": [0.04, 0.04] } } } ],
      "solids": [
        { "name": "belt", "friction": 0.5, "shape": { "box": { "center": [0, -0.1], "size": [8, 0.2] } },
          "motion": { "velocity": [0.5, 0] } },
        { "name": "crate", "friction": 0.5, "shape": { "box": { "center": [0, 0.1], "size": [0.2, 0.2] } },
          "motion": { "dynamic": { "density": 500 } } } ] })");
    ASSERT_TRUE(run.advance(3)) << run.error();
    // Coulomb friction of 0.5 g brings it to 0.5 m/s within 0.1 s.
    EXPECT_GT(run.state().bodies[1].velocity.x, 0.1);
    ASSERT_TRUE(run.advance(22)) << run.error();
    EXPECT_NEAR(run.state().bodies[1].velocity.x, 0.5, 0.02);
    EXPECT_NEAR(run.state().bodies[1].pose.position.x, 0.5 * 0.5 - 0.5 * 0.5 * 0.5 / (2 * 0.5 * 9.81), 0.02);
    EXPECT_NEAR(run.state().bodies[1].pose.position.y, 0, 0.01);
}

TEST(RigidBodies, BounceByTheirRestitution) {
    const std::string text =
        R"({ "treacle": 1, "method": "clavet2005", "dimension": 2, "particle_spacing": 0.05, "gravity": [0, -9.81],
      "time": { "duration": 10, "fps": 100 }, "materials": { "water": { "viscosity": 2 } },
      "fluids": [ { "material": "water", "shape": { "box": { "center": [30, 0.1], "size": [0.2, 0.2] } } } ],
      "solids": [ { "name": "floor", "shape": { "plane": { "normal": [0, 1] } }, "friction": 0 },
                  { "name": "ball", "shape": { "sphere": { "center": [0, 1.1], "radius": 0.1 } },
                    "motion": { "dynamic": { "mass": 3, "restitution": 0.8 } } } ] })";
    Scene scene = test::scene_from(text);
    test::RunningScene run(scene);
    EXPECT_NEAR(body_named(run, "ball").mass, 3, 1e-12);
    ASSERT_TRUE(run.advance(45));
    EXPECT_NEAR(height_of(run, "ball"), 0.1, 0.05);  // 1 m takes 0.45 s
    double highest = 0;
    for (int n = 0; n < 60; ++n) {
        ASSERT_TRUE(run.advance(1));
        highest = std::max(highest, height_of(run, "ball"));
    }
    // The floor's restitution counts too, and it has none; Bullet multiplies.
    EXPECT_LT(highest, 0.2);
}

/// A blob and a body fly into each other. Nothing else acts, so the total momentum stays.
TEST(RigidBodies, MomentumIsConservedWithTheFluid) {
    for (const int dimension : {2, 3}) {
        const bool flat = dimension == 2;
        const std::string text = R"({ "treacle": 1, "method": "clavet2005", "precision": "double", "dimension": )" +
                                 std::to_string(dimension) + R"(, "particle_spacing": 0.02, "gravity": )" +
                                 (flat ? "[0, 0]" : "[0, 0, 0]") + R"(, "time": { "duration": 10, "fps": 30 },
          "materials": { "slime": { "viscosity": 5, "shear_modulus": 500 } },
          "fluids": [ { "material": "slime", "velocity": )" +
                                 (flat ? "[2, 0]" : "[2, 0, 0]") + R"(, "shape": { "sphere": { "center": )" +
                                 (flat ? "[-0.25, 0.03]" : "[-0.25, 0.03, 0.02]") + R"(, "radius": 0.1 } } } ],
          "solids": [ { "name": "body", "friction": "no_slip", "adhesion": 1, "shape": { "box": { "center": )" +
                                 (flat ? "[0.02, 0]" : "[0.02, 0, 0]") + R"(, "size": )" +
                                 (flat ? "[0.2, 0.15]" : "[0.2, 0.15, 0.2]") +
                                 R"( } }, "motion": { "dynamic": { "density": 300 } } } ] })";
        test::RunningScene run(text);
        const double scale = run.metric("momentum_x");
        const auto momentum = [&] {
            const Body& body = body_named(run, "body");
            const Vec3d of_body = body.mass * body.velocity_at(body.center_of_mass_in_space());
            return of_body + Vec3d{run.metric("momentum_x"), run.metric("momentum_y"), run.metric("momentum_z")};
        };
        ASSERT_TRUE(run.advance(10)) << run.error();
        EXPECT_GT(body_named(run, "body").velocity.x, 0.2);  // it was hit
        EXPECT_GT(length(body_named(run, "body").angular_velocity), 0.01);
        EXPECT_LT(length(momentum() - Vec3d{scale, 0, 0}), 1e-4 * scale) << dimension;
    }
}

/// Movable against fixed and movable against movable: nothing passes through.
TEST(RigidBodies, SpheresDoNotPassEachOtherNorTheWalls) {
    std::string solids;
    for (int n = 0; n < 6; ++n) {
        solids += R"(, { "name": "ball )" + std::to_string(n) + R"(", "shape": { "sphere": { "center": [)" +
                  std::to_string(0.2 + 0.11 * (n % 3)) + ", " + std::to_string(0.5 + 0.25 * n) +
                  R"(], "radius": 0.1 } }, "motion": { "dynamic": { "density": )" + std::to_string(300 + 200 * n) +
                  " } } }";
    }
    const std::string text =
        R"({ "treacle": 1, "method": "clavet2005", "dimension": 2, "particle_spacing": 0.02, "gravity": [0, -9.81],
      "time": { "duration": 10, "fps": 30 }, "materials": { "water": { "viscosity": 2 } },
      "fluids": [ { "material": "water", "shape": { "box": { "center": [0.3, 0.15], "size": [0.6, 0.3] } } } ],
      "solids": [ { "name": "tank", "invert": true, "shape": { "box": { "center": [0.3, 2], "size": [0.6, 4] } } })" +
        solids + "] }";
    test::RunningScene run(text);
    for (int frame = 0; frame < 60; ++frame) {
        ASSERT_TRUE(run.advance(1)) << run.error();
        for (int n = 0; n < 6; ++n) {
            const Vec3d a = body_named(run, "ball " + std::to_string(n)).center_of_mass_in_space();
            EXPECT_GT(std::min({a.x, 0.6 - a.x, a.y}), 0.1 - 0.005);
            for (int k = 0; k < n; ++k) {
                EXPECT_GT(length(a - body_named(run, "ball " + std::to_string(k)).center_of_mass_in_space()),
                          0.2 - 0.005);
            }
        }
    }
}

}  // namespace
}  // namespace treacle
