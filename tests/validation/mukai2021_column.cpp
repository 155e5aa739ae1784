// A Newtonian fluid of mukai2021 at rest.

#include "validation/rheometer.h"

namespace treacle::test {
namespace {

TEST(Mukai2021Newtonian, a_column_bears_its_weight) {
    Reading pressure_error("pressure_error"), bottom("pressure_at_the_bottom");
    for (const char* viscosity : {"5", "0.1"}) {
        RunningScene run(
            R"({ "treacle": 1, "method": "mukai2021", "dimension": 2, "particle_spacing": 0.005, "periodic": [0.06, 0],
          "time": { "duration": 10, "fps": 50 }, "materials": { "oil": { "density": 1000, "viscosity": )" +
            std::string(viscosity) + R"( } },
          "fluids": [ { "material": "oil", "shape": { "box": { "center": [0.03, 0.05], "size": [0.06, 0.1] } } } ],
          "solids": [ { "name": "floor", "friction": "no_slip", "shape": { "plane": { "normal": [0, 1] } } } ] })");
        ASSERT_TRUE(run.advance(50)) << run.error();
        const auto x = run.vectors("position");
        const auto pressure = run.scalars("pressure");
        double error = 0, norm = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double exact = 1000 * 9.81 * (0.1 - x[i].y);
            error += (pressure[i] - exact) * (pressure[i] - exact), norm += exact * exact;
        }
        const std::size_t lowest = static_cast<std::size_t>(
            std::min_element(x.begin(), x.end(), [](Vec3d a, Vec3d b) { return a.y < b.y; }) - x.begin());
        pressure_error.add(std::sqrt(error / norm));
        bottom.add(pressure[lowest], 1000 * 9.81 * (0.1 - x[lowest].y));
        EXPECT_LT(std::sqrt(error / norm), 0.05);
        EXPECT_NEAR(run.metric("max_y"), 0.0975, 0.001) << "its height is kept";
        const double weight = 1000 * 9.81 * 0.1 * 0.06;
        EXPECT_NEAR(-body_named(run, "floor").force.y, weight, 0.01 * weight);
    }
}

}  // namespace
}  // namespace treacle::test
