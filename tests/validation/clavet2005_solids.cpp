#include <cmath>

#include "support/run_scene.h"

/// T7: friction and stickiness; solids that move.

namespace treacle {
namespace {

/// A small elastic block on a slope of 30 degrees.
std::string slope(const std::string& friction) {
    return R"({ "treacle": 1, "method": "clavet2005", "dimension": 2, "particle_spacing": 0.01, "gravity": [0, -9.81],
      "time": { "duration": 1, "fps": 50 }, "materials": { "rubber": { "shear_modulus": 20000, "viscosity": 5 } },
      "fluids": [ { "material": "rubber", "shape": { "box": { "center": [0, 0.04], "size": [0.16, 0.08] },
                    "transform": { "rotate": -30 } } } ],
      "solids": [ { "name": "slope", "friction": )" +
           friction + R"(, "shape": { "plane": { "normal": [0.5, 0.8660254037844386], "offset": 0 } } } ] })";
}

double acceleration_on_slope(const std::string& friction) {
    test::RunningScene run(slope(friction));
    if (!run.advance(5)) throw std::runtime_error(run.error());  // until it has settled on the slope
    const auto along = [&] {
        return (run.metric("momentum_x") * 0.8660254 - run.metric("momentum_y") * 0.5) / run.metric("mass");
    };
    const double before = along();
    if (!run.advance(10)) throw std::runtime_error(run.error());
    return (along() - before) / (10 / 50.0);
}

TEST(Clavet2005Solids, FrictionOnASlopeFollowsCoulomb) {
    const double g = 9.81, sine = 0.5, cosine = 0.8660254;
    EXPECT_NEAR(acceleration_on_slope("0"), g * sine, 0.05 * g);
    EXPECT_NEAR(acceleration_on_slope("0.2"), g * (sine - 0.2 * cosine), 0.07 * g);
    EXPECT_NEAR(acceleration_on_slope("0.4"), g * (sine - 0.4 * cosine), 0.07 * g);
    EXPECT_NEAR(acceleration_on_slope("1"), 0, 0.03 * g);
    EXPECT_NEAR(acceleration_on_slope("\"no_slip\""), 0, 0.03 * g);
}

/// A drop under a plate hangs if the plate is sticky enough and falls if it is not.
double height_after_half_a_second(double adhesion) {
    const std::string text = R"({ "treacle": 1, "method": "clavet2005", "dimension": 2, "particle_spacing": 0.01,
      "gravity": [0, -9.81], "time": { "duration": 1, "fps": 10 }, "clavet2005": { "sound_speed": 7 },
      "materials": { "slime": { "viscosity": 5 } },
      "fluids": [ { "material": "slime", "shape": { "box": { "center": [0, -0.02], "size": [0.1, 0.04] } } } ],
      "solids": [ { "name": "plate", "adhesion": )" +
                             std::to_string(adhesion) +
                             R"(, "shape": { "plane": { "normal": [0, -1], "offset": 0 } } } ] })";
    test::RunningScene run(text);
    if (!run.advance(5)) throw std::runtime_error(run.error());
    return run.metric("com_y");
}

TEST(Clavet2005Solids, ADropHangsUnderAPlateIfItIsStickyEnough) {
    EXPECT_LT(height_after_half_a_second(0), -0.4);  // free fall: 1.2 m
    EXPECT_GT(height_after_half_a_second(3), -0.06);
}

TEST(Clavet2005Solids, AMovingPistonPushesTheFluidAndNothingLeaks) {
    const std::string text = R"({ "treacle": 1, "method": "clavet2005", "dimension": 2, "particle_spacing": 0.02,
      "gravity": [0, -9.81], "time": { "duration": 1, "fps": 20 }, "materials": { "honey": { "viscosity": 5 } },
      "fluids": [ { "material": "honey", "shape": { "box": { "center": [0.4, 0.1], "size": [0.8, 0.2] } } } ],
      "solids": [ { "name": "tank", "invert": true, "shape": { "box": { "center": [0.4, 0.5], "size": [0.8, 1] } } },
                  { "name": "piston", "shape": { "box": { "center": [-0.2, 0.5], "size": [0.4, 1] } },
                    "motion": { "keyframes": [ { "time": 0 }, { "time": 1, "position": [0.3, 0] } ],
                      "interpolation": "smooth" } } ] })";
    test::RunningScene run(text);
    const double depth = run.metric("com_y");
    ASSERT_TRUE(run.advance(20)) << run.error();
    EXPECT_NEAR(run.state().bodies[1].pose.position.x, 0.3, 1e-9);
    EXPECT_GT(run.metric("min_x"), 0.3);  // all in front of the piston
    EXPECT_LT(run.metric("max_x"), 0.8);
    EXPECT_GT(run.metric("com_y"), 1.3 * depth);  // 0.8 m pressed into 0.5 m: 1.6 times as deep
    EXPECT_LT(run.metric("density_error_max"), 0.3);
}

TEST(Clavet2005Solids, AFallingBlockDoesNotPassASphere) {
    for (const int dimension : {2, 3}) {
        const bool flat = dimension == 2;
        const std::string text = R"({ "treacle": 1, "method": "clavet2005", "dimension": )" +
                                 std::to_string(dimension) + R"(, "particle_spacing": 0.02, "gravity": )" +
                                 (flat ? "[0, -9.81]" : "[0, -9.81, 0]") + R"(, "time": { "duration": 1, "fps": 20 },
          "materials": { "water": { "viscosity": 0.1 } },
          "fluids": [ { "material": "water", "shape": { "box": )" +
                                 (flat ? R"({ "center": [0.02, 0.55], "size": [0.3, 0.3] })"
                                       : R"({ "center": [0.02, 0.45, 0], "size": [0.16, 0.16, 0.16] })") +
                                 R"( } } ],
          "solids": [ { "name": "ball", "shape": { "sphere": { "center": )" +
                                 (flat ? "[0, 0.2]" : "[0, 0.2, 0]") + R"(, "radius": 0.12 } } },
                      { "name": "floor", "shape": { "plane": { "normal": )" +
                                 (flat ? "[0, 1]" : "[0, 1, 0]") + R"(, "offset": 0 } } } ] })";
        test::RunningScene run(text);
        const Vec3d center{0, 0.2, 0};
        for (int n = 0; n < 12; ++n) {
            ASSERT_TRUE(run.advance(1)) << run.error();
            double deepest = 1;
            for (const Vec3d& x : run.vectors("position")) deepest = std::min(deepest, length(x - center) - 0.12);
            EXPECT_GT(deepest, 0.0) << "frame " << n;
            EXPECT_GT(run.metric("min_y"), 0.0);
        }
    }
}

}  // namespace
}  // namespace treacle
