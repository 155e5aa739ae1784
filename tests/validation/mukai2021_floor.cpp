// Floors of mukai2021 slow down fluid that slides on them.

#include "support/run_scene.h"

namespace treacle::test {
namespace {

/// Thin fluid that slides on a rough, level floor: the only force along it is the friction of the floor.
TEST(Mukai2021Floor, does_not_push) {
    RunningScene run(R"({ "treacle": 1, "method": "mukai2021", "dimension": 2, "particle_spacing": 0.01,
      "time": { "duration": 10, "fps": 20 }, "materials": { "water": { "density": 1000, "viscosity": 0.001 } },
      "fluids": [ { "material": "water", "velocity": [1, 0],
                    "shape": { "box": { "center": [0, 0.05], "size": [0.4, 0.1] } } } ],
      "solids": [ { "name": "floor", "friction": "no_slip", "shape": { "plane": { "normal": [0, 1] } } } ] })");
    const auto momentum = [&] {
        const auto v = run.vectors("velocity");
        const auto m = run.scalars("mass");
        double sum = 0;
        for (std::size_t i = 0; i < v.size(); ++i) sum += m[i] * v[i].x;
        return sum;
    };
    double before = momentum();
    const double start = before;
    for (int n = 0; n < 16; ++n) {
        ASSERT_TRUE(run.advance(1)) << run.error();
        EXPECT_LT(momentum(), before + 0.01 * start) << n;
        before = momentum();
    }
    EXPECT_LT(before, start);
}

}  // namespace
}  // namespace treacle::test
