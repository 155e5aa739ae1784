#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <vector>

#include "support/run_scene.h"

/// Elastic bodies sag, turn and bounce as they should.

namespace treacle {
namespace {

/// With all its digits: steps must divide frames.
std::string exact(double value) {
    std::ostringstream text;
    text << std::setprecision(17) << value;
    return text.str();
}

/// A cube of 0.5 m, G = 50 kPa, 1000 kg/m³, that rests on a floor.
struct Cube {
    double spacing = 0.05;
    int steps_per_second = 240;
    int iterations = 10;
    std::string friction = "0";
    std::string settings{};

    std::string scene() const {
        return R"({ "treacle": 1, "method": "barreiro2017", "dimension": 3, "particle_spacing": )" + exact(spacing) +
               R"(, "gravity": [0, -9.81, 0], "time": { "duration": 10, "fps": 60, "fixed_dt": )" +
               exact(1.0 / steps_per_second) + R"( }, "barreiro2017": { "velocity_iterations": )" +
               std::to_string(iterations) + R"(, "position_iterations": )" + std::to_string(iterations) + settings +
               R"( },
          "materials": { "jelly": { "density": 1000, "shear_modulus": 50000, "viscosity": 300 } },
          "fluids": [ { "material": "jelly", "shape": { "box": { "center": [0, 0.25, 0],
            "size": [0.5, 0.5, 0.5] } } } ],
          "solids": [ { "name": "floor", "friction": )" +
               friction + R"(, "shape": { "plane": { "normal": [0, 1, 0], "offset": 0 } } } ] })";
    }
};

/// Drop of its center of mass, mm, after viscosity has brought it to rest.
double sag_of(const Cube& cube) {
    test::RunningScene run(cube.scene());
    const double start = run.metric("com_y");
    if (!run.advance(45)) throw std::runtime_error(run.error());
    double mean = 0;
    for (int n = 0; n < 15; ++n) {
        if (!run.advance(1)) throw std::runtime_error(run.error());
        mean += run.metric("com_y") / 15;
    }
    return 1000 * (start - mean);
}

// References: finite elements, incompressible, 5.41 mm without friction and 4.05 mm without slip; compressible
// (Poisson's ratio 0) ρ g H²/6G = 8.18 mm.
TEST(Barreiro2017Elastic, ACubeSagsAsItsModulusSays) {
    EXPECT_NEAR(sag_of({}), 5.41, 0.541);
    EXPECT_NEAR(sag_of({.friction = "\"no_slip\""}), 4.05, 0.405);
    EXPECT_NEAR(sag_of({.settings = R"(, "density_relaxation": 0, "hydrostatic_ratio": 1)"}), 8.18, 0.818);
}

TEST(Barreiro2017Elastic, SagDoesNotChangeWithStepIterationsAndSpacing) {
    const double sag = sag_of({});
    EXPECT_NEAR(sag_of({.steps_per_second = 480}) / sag, 1, 0.06);
    EXPECT_NEAR(sag_of({.iterations = 20}) / sag, 1, 0.06);
    EXPECT_NEAR(sag_of({.spacing = 0.05 / 1.5}) / sag, 1, 0.06);
}

/// Fig. 7: a block of 16 × 5 × 5 particles that spins at 3 rad/s; its angular momentum after 2 s, over that at the
/// start.
double spin_left(const std::string& settings, const std::string& material) {
    test::RunningScene run(
        R"({ "treacle": 1, "method": "barreiro2017", "dimension": 3, "particle_spacing": 0.05, "gravity": [0, 0, 0],
      "time": { "duration": 10, "fps": 10, "fixed_dt": 0.00833333333333333 },
      "barreiro2017": { "coefficients": "paper", "velocity_iterations": 20, "position_iterations": 20)" +
        settings + R"( },
      "materials": { "stuff": { "barreiro2017": )" +
        material + R"( } },
      "fluids": [ { "material": "stuff", "angular_velocity": [0, 171.887339, 0],
        "shape": { "box": { "size": [0.8, 0.25, 0.25] } } } ] })");
    const double start = run.metric("angular_momentum_y");
    if (!run.advance(20)) throw std::runtime_error(run.error());
    return run.metric("angular_momentum_y") / start;
}

TEST(Barreiro2017Elastic, RotationLosesWhatTheIntegratorLoses) {
    const double turn = 3.0 / 120, own = std::pow(1 + turn * turn, -240 / 2.0);
    EXPECT_NEAR(spin_left("", R"({ "compliance": 0, "relaxation": 1e6 })") / own, 1, 0.02);
}

TEST(Barreiro2017Elastic, RotationStaysWithTheGradientsOfTheStart) {
    EXPECT_NEAR(spin_left(R"(, "gradients": "start")", R"({ "compliance": 0, "relaxation": 1e6 })"), 1, 0.02);
}

TEST(Barreiro2017Elastic, RotationIsStoppedWithoutCorotation) {
    EXPECT_LT(std::abs(spin_left(R"(, "corotational": false)", R"({ "compliance": 0, "relaxation": 1e6 })")), 0.1);
}

/// Fig. 4, smaller: a cube of 10³ particles falls 0.5 m.
struct Drop {
    double rebound, spread;  ///< m; end over start
};

Drop drop_of(const std::string& coefficients, const std::string& material) {
    test::RunningScene run(R"({ "treacle": 1, "method": "barreiro2017", "dimension": 3, "particle_spacing": 0.05,
      "gravity": [0, -9.81, 0], "time": { "duration": 10, "fps": 60, "fixed_dt": 0.00416666666666667 },
      "barreiro2017": { "coefficients": ")" +
                           coefficients + R"(" }, "materials": { "stuff": )" + material + R"( },
      "fluids": [ { "material": "stuff", "shape": { "box": { "center": [0, 0.75, 0], "size": [0.5, 0.5, 0.5] } } } ],
      "solids": [ { "name": "floor", "friction": 0.3, "shape": { "plane": { "normal": [0, 1, 0],
        "offset": 0 } } } ] })");
    const auto spread = [&] {
        const auto x = run.vectors("position");
        double square = 0;
        for (const Vec3d& p : x) square += p.x * p.x + p.z * p.z;
        return std::sqrt(square / static_cast<double>(x.size()));
    };
    const double start = spread();
    double lowest = 1, highest_after = 0;
    for (int n = 0; n < 60; ++n) {
        if (!run.advance(1)) throw std::runtime_error(run.error());
        const double y = run.metric("com_y");
        if (y < lowest) lowest = highest_after = y;
        highest_after = std::max(highest_after, y);
    }
    return {highest_after - lowest, spread() / start};
}

TEST(Barreiro2017Elastic, ThePaletteOfMaterialsFallsAsInThePaper) {
    const auto paper = [](const std::string& compliance, const std::string& relaxation) {
        return drop_of("paper", R"({ "barreiro2017": { "compliance": )" + compliance + R"(, "relaxation": )" +
                                    relaxation + " } }");
    };
    const Drop elastic = paper("0.03", "1e6"), viscous = paper("0", "0"), inviscid = paper("1", "0");
    EXPECT_GT(elastic.rebound, 0.1);
    EXPECT_LT(viscous.rebound, 0.01);
    EXPECT_LT(inviscid.rebound, 0.01);
    EXPECT_LT(elastic.spread, viscous.spread);
    EXPECT_LT(viscous.spread, inviscid.spread);
}

TEST(Barreiro2017Elastic, PhysicalMaterialsFallInTheSameOrder) {
    const Drop elastic = drop_of("physical", R"({ "shear_modulus": 50000 })"),
               viscous = drop_of("physical", R"({ "viscosity": 2000 })"),
               inviscid = drop_of("physical", R"({ "viscosity": 1 })");
    EXPECT_GT(elastic.rebound, 0.1);
    EXPECT_LT(viscous.rebound, 0.01);
    EXPECT_LT(inviscid.rebound, 0.01);
    EXPECT_LT(elastic.spread, viscous.spread);
    EXPECT_LT(viscous.spread, inviscid.spread);
}

/// Fig. 6: the same cube at τ = α = 0 after 1.5 s; distances of particles from their places in a rigid cube, in
/// spacings.
struct Drift {
    double rms, most;
};

Drift drift_of(double dt, const std::string& settings) {
    test::RunningScene run(R"({ "treacle": 1, "method": "barreiro2017", "dimension": 3, "particle_spacing": 0.05,
      "gravity": [0, -9.81, 0], "time": { "duration": 10, "fps": )" +
                           exact(1 / dt) + R"(, "fixed_dt": )" + exact(dt) + R"( },
      "barreiro2017": { "coefficients": "paper", )" +
                           settings + R"( },
      "materials": { "stuff": { "barreiro2017": { "compliance": 0, "relaxation": 0 } } },
      "fluids": [ { "material": "stuff", "shape": { "box": { "center": [0, 0.75, 0], "size": [0.5, 0.5, 0.5] } } } ],
      "solids": [ { "name": "floor", "friction": 0.3, "shape": { "plane": { "normal": [0, 1, 0],
        "offset": 0 } } } ] })");
    const auto places = [&] {
        const auto x = run.vectors("position");
        const auto id = run.state().particles.get<std::uint32_t>("id");
        std::vector<Vec3d> result(x.size());
        const Vec3d center{run.metric("com_x"), run.metric("com_y"), run.metric("com_z")};
        for (std::size_t i = 0; i < x.size(); ++i) result[id[i]] = x[i] - center;
        return result;
    };
    const auto before = places();
    if (!run.advance(static_cast<int>(1.5 / dt))) throw std::runtime_error(run.error());
    const auto after = places();
    Drift drift{};
    for (std::size_t i = 0; i < before.size(); ++i) {
        const double distance = length(after[i] - before[i]) / 0.05;
        drift.rms += distance * distance / static_cast<double>(before.size());
        drift.most = std::max(drift.most, distance);
    }
    drift.rms = std::sqrt(drift.rms);
    return drift;
}

TEST(Barreiro2017Elastic, DriftsLessWithBothProjectionsThanWithPositionsAlone) {
    const auto both = [](double dt, int half) {
        return drift_of(dt, R"("velocity_solver": "conjugate_gradients", "velocity_iterations": )" +
                                std::to_string(half) + R"(, "position_iterations": )" + std::to_string(half));
    };
    const auto positions = [](double dt, int all) {
        return drift_of(dt, R"("projection": "position_only", "position_iterations": )" + std::to_string(all));
    };
    for (const int all : {10, 20, 40, 80}) EXPECT_LT(both(0.03, all / 2).rms, positions(0.03, all).rms) << all;
    const Drift long_steps = both(0.06, 10), without = positions(0.06, 20);
    EXPECT_LT(long_steps.rms, 1);
    EXPECT_LT(long_steps.most, 5);  // nothing is thrown out
    EXPECT_GT(without.rms, 2 * long_steps.rms);
}

}  // namespace
}  // namespace treacle
