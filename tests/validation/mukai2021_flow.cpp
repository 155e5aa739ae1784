#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "support/run_scene.h"

namespace treacle {
namespace {

/// A cube of viscous fluid on a floor that it sticks to.
std::string slumping_cube(int along) {
    std::ostringstream s;
    s << R"({ "treacle": 1, "method": "mukai2021", "dimension": 3, "particle_spacing": )" << 0.01 / along
      << R"(, "gravity": [0, -10, 0], "time": { "duration": 1, "fps": 50, "max_dt": 0.004 },
        "materials": { "gum": { "density": 1000, "viscosity": 30 } },
        "fluids": [ { "material": "gum", "shape": { "box": { "center": [0, 0.005, 0],
          "size": [0.01, 0.01, 0.01] } } } ],
        "solids": [ { "name": "floor", "friction": "no_slip",
          "shape": { "plane": { "normal": [0, 1, 0], "offset": 0 } } } ] })";
    return s.str();
}

/// An elastic cube of side L that sticks to a floor sags by 0.0826 ρ g L²/G at its center of mass (4.05 mm for 0.5 m,
/// 1000 kg/m³, 50 kPa); a viscous one sinks at the speed with η in place of G, and more slowly as it spreads. With
/// errors of volume it sinks faster: when particles of the second layer drifted outward, it sank at 1.4 times this
/// speed, and more so the longer it lasted.
TEST(Mukai2021Flow, AViscousCubeSlumpsAtTheRateOfItsViscosity) {
    const double expected = 0.0826 * 1000 * 10 * 0.01 * 0.01 / 30;
    double before = 0;
    for (const int along : {8, 12}) {
        test::RunningScene run(slumping_cube(along));
        ASSERT_TRUE(run.advance(1)) << run.error();
        const double early = -run.metric("momentum_y") / run.metric("mass");
        // Measured after a frame, when it has begun to spread: a little slower, hardly faster.
        EXPECT_GT(early / expected, 0.85) << along;
        EXPECT_LT(early / expected, 1.05) << along;
        ASSERT_TRUE(run.advance(3)) << run.error();
        const double late = -run.metric("momentum_y") / run.metric("mass");
        EXPECT_LT(late, early) << along;
        if (before > 0) { EXPECT_NEAR(early / before, 1, 0.05); }
        before = early;
    }
}

/// A cylinder of 5 mm, with particles that are `spacing` apart, between two plates, one of which is pulled away. Its
/// packing has no rows: a lattice that is stretched along its rows resists up to twice as much.
std::string pulled_cylinder(double spacing, int halvings) {
    std::ostringstream s;
    s << R"({ "treacle": 1, "method": "mukai2021", "dimension": 3, "particle_spacing": )" << spacing
      << R"(, "gravity": [0, 0, 0],
      "time": { "duration": 1, "fps": 50, "max_dt": 0.004 }, "mukai2021": { "halvings": )"
      << halvings << R"( },
      "materials": { "gum": { "density": 1000, "viscosity": 28 } },
      "fluids": [ { "material": "gum", "packing": "relaxed",
                    "shape": { "cylinder": { "center": [0, 0.015, 0], "axis": [0, 1, 0], "radius": 0.005,
                      "height": 0.03 } } } ],
      "solids": [
        { "name": "lower", "friction": "no_slip", "shape": { "box": { "center": [0, -0.0015, 0],
          "size": [0.02, 0.003, 0.02] } } },
        { "name": "upper", "friction": "no_slip", "shape": { "box": { "center": [0, 0.0315, 0],
          "size": [0.02, 0.003, 0.02] } },
          "motion": { "velocity": [0, 0.045, 0] } } ] })";
    return s.str();
}

/// The tension in the middle of the cylinder over the viscosity and the rate of stretching there.
double trouton_ratio(test::RunningScene& run) {
    const auto x = run.vectors("position"), v = run.vectors("velocity");
    const auto mass = run.state().particles.get<double>("mass");
    // The middle half, where the ends do not matter: its area, and the slope of velocity over height.
    const double height = 0.03 + 0.045 * run.state().time;
    double sum = 0, mean_y = 0, mean_v = 0, yy = 0, yv = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::abs(x[i].y - 0.5 * height) > 0.25 * height) continue;
        sum += mass[i], mean_y += mass[i] * x[i].y, mean_v += mass[i] * v[i].y;
        yy += mass[i] * x[i].y * x[i].y, yv += mass[i] * x[i].y * v[i].y;
    }
    const double rate = (yv - mean_y * mean_v / sum) / (yy - mean_y * mean_y / sum), area = sum / 1000 / (0.5 * height);
    return -run.state().bodies[1].force.y / area / (28 * rate);
}

/// Trouton: three times the viscosity.
TEST(Mukai2021Flow, ACylinderResistsBeingStretchedThreeTimesAsMuchAsShear) {
    test::RunningScene run(pulled_cylinder(0.001, 0));
    for (int n = 0; n < 5; ++n) {
        ASSERT_TRUE(run.advance(4)) << run.error();
        EXPECT_NEAR(trouton_ratio(run), 3, 0.3) << run.state().time;
    }
}

/// Particles of one size or of several: a thread that is four particles thick at first resists equally, and more than
/// Trouton's 3, like every coarse thread.
TEST(Mukai2021Flow, HalvedParticlesResistAsWholeOnesDo) {
    test::RunningScene run(pulled_cylinder(0.0022, 6));
    const std::size_t before = run.state().particles.size();
    const double mass = run.metric("mass");
    for (int n = 0; n < 5; ++n) {
        ASSERT_TRUE(run.advance(4)) << run.error();
        EXPECT_GT(trouton_ratio(run), 0.9 * 3) << run.state().time;
        EXPECT_LT(trouton_ratio(run), 1.25 * 3) << run.state().time;
    }
    EXPECT_GT(static_cast<double>(run.state().particles.size()), 1.5 * static_cast<double>(before));
    EXPECT_NEAR(run.metric("mass"), mass, 1e-14 * mass);
}

/// A drop that is nearly round becomes round at the rate 20/19 σ/(η R) (Lamb, for a viscous drop in air).
TEST(Mukai2021Flow, ADropRoundsAtTheRateOfItsTension) {
    const char* capsule =
        R"({ "treacle": 1, "method": "mukai2021", "dimension": 3, "particle_spacing": 0.001, "gravity": [0, 0, 0],
      "time": { "duration": 1, "fps": 50 },
      "materials": { "oil": { "density": 1000, "viscosity": 1, "surface_tension": 0.05 } },
      "fluids": [ { "material": "oil", "packing": "relaxed",
                    "shape": { "capsule": { "center": [0, 0, 0], "axis": [0, 1, 0], "radius": 0.005,
                      "height": 0.003 } } } ] })";
    test::RunningScene run(capsule);
    const auto elongation = [&] {
        Vec3d center{}, square{};
        const auto places = run.vectors("position");
        for (const Vec3d& x : places) center += (1.0 / static_cast<double>(places.size())) * x;
        for (const Vec3d& x : places) {
            const Vec3d r = x - center;
            square += Vec3d{r.x * r.x, r.y * r.y, r.z * r.z};
        }
        const double across = 0.5 * (square.x + square.z);
        return (square.y - across) / (square.y + across);
    };
    ASSERT_TRUE(run.advance(2)) << run.error();
    const double first = elongation();
    ASSERT_TRUE(run.advance(4)) << run.error();
    const double volume = run.metric("mass") / 1000, radius = std::cbrt(3 * volume / (4 * 3.14159265));
    const double rate = std::log(first / elongation()) / (4.0 / 50);
    EXPECT_NEAR(rate / (20.0 / 19 * 0.05 / (1 * radius)), 1, 0.15);
    EXPECT_NEAR(run.metric("momentum_y") / (run.metric("mass") * 0.05), 0, 1e-3);  // as a share of the speed σ/η
}

}  // namespace
}  // namespace treacle
