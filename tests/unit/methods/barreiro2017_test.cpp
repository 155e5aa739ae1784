#include <cmath>
#include <limits>

#include "support/run_scene.h"

namespace treacle::test {
namespace {

/// A block of jelly, dropped or laid on a floor, at a given place. The place must not matter, except for the resolution
/// of floats.
std::string jelly(double x, double height) {
    const std::string at = std::to_string(x);
    return R"({ "treacle": 1, "method": "barreiro2017", "dimension": 2, "particle_spacing": 0.01,
      "time": { "duration": 1, "fps": 50 },
      "materials": { "jelly": { "viscosity": 1, "shear_modulus": 2000 } },
      "fluids": [ { "material": "jelly", "shape": { "box": { "center": [)" +
           at + ", " + std::to_string(height + 0.05) + R"(], "size": [0.1, 0.1] } } } ],
      "solids": [ { "name": "floor", "shape": { "plane": { "normal": [0, 1] } } } ] })";
}

/// Half of the last digit of a float at this place, m.
double rounding(double place) {
    const auto x = static_cast<float>(place);
    return 0.5 * static_cast<double>(std::nextafter(x, 2 * x) - x);
}

TEST(Barreiro2017, falls_far_from_the_origin_as_it_does_there) {
    RunningScene run(jelly(100, 1));
    ASSERT_TRUE(run.advance(10)) << run.error();
    // Only gravity acts: all have the same velocity, up to a few roundings of floats in a hundred steps.
    const double speed = 9.81 * 0.2;
    for (const Vec3d& v : run.vectors("velocity")) {
        EXPECT_NEAR(v.x, 0, 2e-5 * speed);
        EXPECT_NEAR(v.y, -speed, 2e-5 * speed);
    }
}

/// Root mean square of velocities over the last frames, in which it is at rest except for rounding.
double unrest(RunningScene& run) {
    EXPECT_TRUE(run.advance(40)) << run.error();
    double sum = 0;
    for (int n = 0; n < 10; ++n) {
        EXPECT_TRUE(run.advance(1)) << run.error();
        sum += 2 * run.metric("kinetic_energy") / run.metric("mass") / 10;
    }
    return std::sqrt(sum);
}

TEST(Barreiro2017, rests_far_from_the_origin_as_it_does_there) {
    RunningScene here(jelly(0, 0)), there(jelly(100, 0));
    const double at_origin = unrest(here), far = unrest(there), dt = there.metric("dt_mean");
    // A step rounds every place, by `one` at most along x. The next steps take that for strain and push it back by a
    // share of it. A velocity computed from the difference of two places is off by √(2/3) one/dt, anew in every step.
    const double one = rounding(100);
    EXPECT_LT(far, at_origin + 0.25 * one / dt) << "at the origin " << at_origin << " m/s, steps of " << dt << " s";
}

}  // namespace
}  // namespace treacle::test
