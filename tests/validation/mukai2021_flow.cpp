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
        "fluids": [ { "material": "gum", "shape": { "box": { "center": [0, 0.005, 0], "size": [0.01, 0.01, 0.01] } } } ],
        "solids": [ { "name": "floor", "friction": "no_slip", "shape": { "plane": { "normal": [0, 1, 0], "offset": 0 } } } ] })";
    return s.str();
}

/// An elastic cube of side L that sticks to a floor sags by 0.0826 ρ g L²/G at its center of mass (4.05 mm for 0.5 m, 1000 kg/m³,
/// 50 kPa); a viscous one sinks at the speed that has η for G, and slower as it spreads. With errors of volume it sinks faster:
/// where particles of the second layer drifted outwards it did so at 1.4 times this speed, and the more the longer it lasted.
TEST(Mukai2021Flow, AViscousCubeSlumpsAtTheRateOfItsViscosity) {
    const double expected = 0.0826 * 1000 * 10 * 0.01 * 0.01 / 30;
    double before = 0;
    for (const int along : {8, 12}) {
        test::RunningScene run(slumping_cube(along));
        ASSERT_TRUE(run.advance(1)) << run.error();
        const double early = -run.metric("momentum_y") / run.metric("mass");
        EXPECT_NEAR(early / expected, 0.95, 0.08) << along;
        ASSERT_TRUE(run.advance(3)) << run.error();
        const double late = -run.metric("momentum_y") / run.metric("mass");
        EXPECT_LT(late, early) << along;
        if (before > 0) {
            EXPECT_NEAR(early / before, 1, 0.05);
        }
        before = early;
    }
}

/// The tension of a cylinder that is stretched is three viscosities times the rate of stretch (Trouton). Its particles start without
/// rows: a lattice that is stretched along its rows resists up to twice as much.
TEST(Mukai2021Flow, ACylinderResistsBeingStretchedThreeTimesAsMuchAsShear) {
    test::RunningScene run(R"({ "treacle": 1, "method": "mukai2021", "dimension": 3, "particle_spacing": 0.001, "gravity": [0, 0, 0],
      "time": { "duration": 1, "fps": 50, "max_dt": 0.004 }, "materials": { "gum": { "density": 1000, "viscosity": 28 } },
      "fluids": [ { "material": "gum", "packing": "relaxed",
                    "shape": { "cylinder": { "center": [0, 0.015, 0], "axis": [0, 1, 0], "radius": 0.005, "height": 0.03 } } } ],
      "solids": [
        { "name": "lower", "friction": "no_slip", "shape": { "box": { "center": [0, -0.0015, 0], "size": [0.02, 0.003, 0.02] } } },
        { "name": "upper", "friction": "no_slip", "shape": { "box": { "center": [0, 0.0315, 0], "size": [0.02, 0.003, 0.02] } },
          "motion": { "velocity": [0, 0.045, 0] } } ] })");
    for (int n = 0; n < 5; ++n) {
        ASSERT_TRUE(run.advance(4)) << run.error();
        const auto x = run.vectors("position"), v = run.vectors("velocity");
        // The middle half, where the ends do not matter: its area, and the slope of velocity over height.
        const double height = 0.03 + 0.045 * run.state().time;
        double count = 0, mean_y = 0, mean_v = 0, yy = 0, yv = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (std::abs(x[i].y - 0.5 * height) > 0.25 * height) continue;
            ++count, mean_y += x[i].y, mean_v += v[i].y, yy += x[i].y * x[i].y, yv += x[i].y * v[i].y;
        }
        const double rate = (yv - mean_y * mean_v / count) / (yy - mean_y * mean_y / count);
        const double area = count / static_cast<double>(x.size()) * run.metric("mass") / 1000 / (0.5 * height);
        const double tension = -run.state().bodies[1].force.y / area;
        EXPECT_NEAR(tension / (28 * rate), 3, 0.3) << run.state().time;
    }
}

/// A drop that is nearly round becomes round at the rate 20/19 σ/(η R) (Lamb, for a viscous drop in air).
TEST(Mukai2021Flow, ADropRoundsAtTheRateOfItsTension) {
    const char* capsule = R"({ "treacle": 1, "method": "mukai2021", "dimension": 3, "particle_spacing": 0.001, "gravity": [0, 0, 0],
      "time": { "duration": 1, "fps": 50 },
      "materials": { "oil": { "density": 1000, "viscosity": 1, "surface_tension": 0.05 } },
      "fluids": [ { "material": "oil", "packing": "relaxed",
                    "shape": { "capsule": { "center": [0, 0, 0], "axis": [0, 1, 0], "radius": 0.005, "height": 0.003 } } } ] })";
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
    EXPECT_NEAR(run.metric("momentum_y") / (run.metric("mass") * 0.05), 0, 1e-3);   // of a speed of σ/η
}

}  // namespace
}  // namespace treacle
