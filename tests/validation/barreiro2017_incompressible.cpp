#include "support/run_scene.h"

/// Constraints on density at the level of velocities too.

namespace treacle {
namespace {

/// A column of water that collapses in a tank (2D, steps of 5 ms): its energy after a second, J/kg above that at rest,
/// and the mean compression on the way.
struct Broken {
    double energy = 0, compression = 0;
};
Broken broken_dam(const std::string& settings) {
    test::RunningScene run(
        R"({ "treacle": 1, "method": "barreiro2017", "dimension": 2, "particle_spacing": 0.04, "gravity": [0, -9.81],
      "time": { "duration": 10, "fps": 20, "fixed_dt": 0.005 }, "barreiro2017": { )" +
        settings + R"( },
      "materials": { "water": { "density": 1000 } },
      "fluids": [ { "material": "water", "shape": { "box": { "center": [0.3, 0.5], "size": [0.6, 1] } } } ],
      "solids": [ { "name": "tank", "invert": true, "friction": 0,
        "shape": { "box": { "center": [0.75, 1], "size": [1.5, 2] } } } ] })");
    Broken broken;
    for (int n = 0; n < 20; ++n) {
        if (!run.advance(1)) throw std::runtime_error(run.error());
        broken.compression += run.metric("density_error_mean") / 20;
    }
    broken.energy = run.metric("kinetic_energy") / run.metric("mass") + 9.81 * run.metric("com_y");
    return broken;
}

TEST(Barreiro2017Incompressible, ByVelocitiesTooLosesLessEnergyAndDensityIsAsGood) {
    const Broken positions =
        broken_dam(R"("incompressibility": "positions", "velocity_iterations": 0, "position_iterations": 20)");
    const Broken doubly =
        broken_dam(R"("incompressibility": "doubly", "velocity_iterations": 10, "position_iterations": 10)");
    EXPECT_GT(doubly.energy, positions.energy + 0.1);
    EXPECT_LT(doubly.energy, 0.5 * 9.81);  // nothing comes from nowhere
    EXPECT_LT(doubly.compression, 1.5 * positions.compression);
    EXPECT_LT(doubly.compression, 0.005);
}

}  // namespace
}  // namespace treacle
