#include <algorithm>
#include <cmath>
#include <string>

#include "support/every_method.h"
#include "support/run_scene.h"

namespace treacle::test {
namespace {

class HealthOf : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, HealthOf, ::testing::ValuesIn(every_method()), MethodName());

/// 0.15 m of fluid that rests in a bin.
Scene pool(const std::string& method, const std::string& material) {
    return scene_from(R"({ "treacle": 1, "method": ")" + method + R"(", "dimension": 2, "particle_spacing": 0.01,
      "precision": ")" +
                      (method == "mukai2021" ? "double" : "float") + R"(",
      "time": { "duration": 1, "fps": 20 },
      "materials": { "a": { "density": 1000, )" +
                      material + R"( } },
      "fluids": [ { "material": "a", "shape": { "box": { "center": [0.1, 0.075], "size": [0.2, 0.15] } } } ],
      "solids": [ { "name": "bin", "invert": true, "shape": { "box": { "center": [0.1, 0.25], "size": [0.2, 0.5] } } } ]
    })");
}

/// Whatever the step: a run either ends as diverged, or is what it should be, which at rest is no height won.
TEST_P(HealthOf, a_step_beyond_the_limit_ends_well_or_with_an_error) {
    for (const char* material : {R"("viscosity": 0.001)", R"("viscosity": 1, "shear_modulus": 3000)"}) {
        for (const double dt : {0.05, 0.025, 0.0125, 0.00625}) {
            Scene scene = pool(GetParam(), material);
            scene.time.fixed_dt = dt;
            RunningScene run(scene);
            const double height = run.metric("com_y");
            const bool ended = run.advance(8);
            if (!ended) {
                EXPECT_NE(run.error().find("/time/fixed_dt"), std::string::npos) << run.error();
                continue;
            }
            // The slack of the energy is an eighth of m g H: a rise by a quarter of the height of the center.
            EXPECT_LT(run.metric("com_y"), 1.3 * height) << material << " " << dt;
            EXPECT_LT(run.metric("kinetic_energy"), 0.3 * run.metric("mass") * 9.81 * height) << material << " " << dt;
            EXPECT_GT(run.metric("volume_clamped"), 0.8 * 0.2 * 0.15) << material << " " << dt;
        }
    }
}

/// The errors of density in the metrics are those of the column that frames have.
TEST_P(HealthOf, density_errors_are_those_of_the_densities) {
    RunningScene run(pool(GetParam(), R"("viscosity": 1)"));
    for (int frame = 0; frame < 3; ++frame) {
        const auto density = run.scalars("density");
        double sum = 0, most = 0;
        for (const double rho : density) {
            sum += std::max(0.0, rho / 1000 - 1);
            most = std::max(most, rho / 1000 - 1);
        }
        EXPECT_NEAR(run.metric("density_error_mean"), sum / static_cast<double>(density.size()), 1e-9);
        EXPECT_NEAR(run.metric("density_error_max"), most, 1e-9);
        ASSERT_TRUE(run.advance(1)) << run.error();
    }
}

/// A block without pressure that falls on its edge gives way; what it loses is told.
TEST(Health, volume_that_fluidity_0_loses_is_in_the_metrics) {
    RunningScene run(R"({ "treacle": 1, "method": "takamatsu2011", "dimension": 2, "particle_spacing": 0.1,
      "time": { "duration": 1, "fps": 25 }, "materials": { "a": { "density": 1000, "shear_modulus": 38000,
        "takamatsu2011": { "fluidity": 0 } } },
      "fluids": [ { "material": "a", "shape": { "box": { "center": [0, 1], "size": [1.5, 1.5] } } } ],
      "solids": [ { "name": "floor", "shape": { "plane": { "normal": [0, 1], "offset": 0 } } } ] })");
    double error = 0;
    bool well = true;
    for (int frame = 0; frame < 12 && well; ++frame) {
        well = run.advance(1);
        if (well) error = std::max(error, run.metric("density_error_mean"));
    }
    EXPECT_TRUE(error > 0.05 || !well);
}

}  // namespace
}  // namespace treacle::test
