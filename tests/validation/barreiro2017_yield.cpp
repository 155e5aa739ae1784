#include <cmath>

#include "support/run_scene.h"

/// Materials that hold their shape up to a stress.

namespace treacle {
namespace {

/// Heights of the center of mass (m) of a cube of 0.5 m, 1000 kg/m³, on a floor without friction, every 0.5 s.
std::vector<double> slump(const std::string& material) {
    test::RunningScene run(R"({ "treacle": 1, "method": "barreiro2017", "dimension": 3, "particle_spacing": 0.05,
      "gravity": [0, -9.81, 0], "time": { "duration": 10, "fps": 2 }, "materials": { "cream": { "density": 1000, )" +
                           material + R"( } },
      "fluids": [ { "material": "cream", "shape": { "box": { "center": [0, 0.25, 0], "size": [0.5, 0.5, 0.5] } } } ],
      "solids": [ { "name": "floor", "friction": 0, "shape": { "plane": { "normal": [0, 1, 0] } } } ] })");
    std::vector<double> heights;
    for (int n = 0; n < 4; ++n) {
        if (!run.advance(1)) throw std::runtime_error(run.error());
        heights.push_back(run.metric("com_y"));
    }
    return heights;
}

TEST(Barreiro2017Yield, BelowItsYieldStressACubeKeepsItsHeight) {
    const auto cream =
        slump(R"("viscosity": 50, "shear_modulus": 100000, "relaxation_time": 0.003, "yield_stress": 2500)");
    const auto rubber = slump(R"("viscosity": 50, "shear_modulus": 100000)");
    EXPECT_NEAR(cream[3], rubber[3], 0.003);  // at its corners it yields a little
    EXPECT_NEAR(cream[3], cream[0], 1e-4);    // and then no more
}

/// Every layer spreads until it bears the weight above it at the yield stress (Pashias et al. 1996, for a base without
/// friction): of a cube of height H, the part more than h below the top spreads, h = √3 (yield stress)/ρg under
/// uniaxial load, and the center of mass comes down to h - h²/2H.
TEST(Barreiro2017Yield, AboveItACubeSpreadsUntilItsWeightIsBorne) {
    const auto cream =
        slump(R"("viscosity": 50, "shear_modulus": 100000, "relaxation_time": 0.003, "yield_stress": 1500)");
    const double h = std::sqrt(3) * 1500 / 9810;
    EXPECT_NEAR(cream[3] / (h - h * h), 1, 0.06);
    EXPECT_NEAR(cream[3] / cream[2], 1, 0.015);  // comes to rest
    const auto honey = slump(R"("viscosity": 50, "shear_modulus": 100000, "relaxation_time": 0.003)");
    EXPECT_LT(honey[3], 0.6 * cream[3]);  // without a yield stress it does not
}

}  // namespace
}  // namespace treacle
