// mukai2021: friction of solids follows Coulomb, and bodies of any weight move with the fluid around them.

#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "support/run_scene.h"

namespace treacle::test {
namespace {

struct Block {
    double viscosity = 5;
    double friction = 0.1;
    double degrees = 30;
    double spacing = 0.02;
    int dimension = 2;
    const char* packing = "lattice";
    double max_dt = 1;
};

/// An elastic block on a slope, which is drawn level while gravity leans.
std::string scene_of(const Block& block) {
    const double angle = block.degrees * std::numbers::pi / 180, g = 9.81;
    const bool flat = block.dimension == 2;
    char text[1200];
    std::snprintf(text, sizeof text, R"({ "treacle": 1, "method": "mukai2021", "dimension": %d, "particle_spacing": %g,
      "gravity": [%.17g, %.17g%s], "time": { "duration": 10, "fps": 20, "max_dt": %g },
      "materials": { "rubber": { "density": 1000, "viscosity": %g, "shear_modulus": 20000 } },
      "fluids": [ { "material": "rubber", "packing": "%s",
                    "shape": { "box": { "center": [0, 0.05%s], "size": [0.2, 0.1%s] } } } ],
      "solids": [ { "name": "floor", "friction": %g, "shape": { "plane": { "normal": [0, 1%s] } } } ] })",
                  block.dimension, block.spacing, g * std::sin(angle), -g * std::cos(angle), flat ? "" : ", 0",
                  block.max_dt, block.viscosity, block.packing, flat ? "" : ", 0", flat ? "" : ", 0.1", block.friction,
                  flat ? "" : ", 0");
    return text;
}

/// m/s² along the slope, over 0.1 s after the block has come down on it.
double acceleration(const Block& block) {
    RunningScene run(scene_of(block));
    EXPECT_TRUE(run.advance(2)) << run.error();
    const double before = run.metric("momentum_x");
    EXPECT_TRUE(run.advance(2)) << run.error();
    return (run.metric("momentum_x") - before) / (0.1 * run.metric("mass"));
}

double coulombs(const Block& block) {
    const double angle = block.degrees * std::numbers::pi / 180;
    return 9.81 * (std::sin(angle) - block.friction * std::cos(angle));
}

TEST(Mukai2021Friction, elastic_blocks_slide_as_coulomb_says) {
    for (const Block& block : {Block{}, Block{.viscosity = 0.05}, Block{.friction = 0.3},
                               Block{.friction = 0.3, .degrees = 40, .packing = "relaxed"}, Block{.max_dt = 1e-3},
                               Block{.friction = 0.3, .dimension = 3}}) {
        EXPECT_NEAR(acceleration(block), coulombs(block), 0.1 * coulombs(block))
            << block.viscosity << " " << block.friction << " " << block.dimension;
    }
}

/// It may come down on the slope, but not slide: by a hundredth of what it would without friction.
TEST(Mukai2021Friction, holds_below_its_angle) {
    for (const double viscosity : {0.05, 5.0}) {
        RunningScene run(scene_of({.viscosity = viscosity, .friction = 0.3, .degrees = 10}));
        ASSERT_TRUE(run.advance(8)) << run.error();
        const double sliding = coulombs({.friction = 0, .degrees = 10}) * 0.4;
        EXPECT_LT(std::abs(run.metric("momentum_x") / run.metric("mass")), 0.01 * sliding) << viscosity;
    }
}

/// A disc of 4 spacings radius in thick fluid that does not slip: it must not be thrown, however light.
TEST(Mukai2021Bodies, light_ones_rise_slowly_in_thick_fluid) {
    for (const double viscosity : {10.0, 100.0}) {
        for (const double density : {50.0, 300.0}) {
            char text[1200];
            std::snprintf(text, sizeof text, R"({ "treacle": 1, "method": "mukai2021", "dimension": 2,
              "particle_spacing": 0.01, "time": { "duration": 10, "fps": 20 },
              "materials": { "syrup": { "density": 1000, "viscosity": %g } },
              "fluids": [ { "material": "syrup", "shape": { "box": { "center": [0, 0.1], "size": [0.2, 0.2] } } } ],
              "solids": [
                { "name": "tank", "invert": true, "friction": "no_slip",
                  "shape": { "box": { "center": [0, 0.25], "size": [0.2, 0.5] } } },
                { "name": "float", "friction": "no_slip",
                  "shape": { "sphere": { "center": [0, 0.08], "radius": 0.04 } },
                  "motion": { "dynamic": { "density": %g } } } ] })",
                          viscosity, density);
            RunningScene run(text);
            ASSERT_TRUE(run.advance(2)) << run.error();
            // In a long channel of 2.5 diameters: F = 4 pi eta v/(ln(1/k) - 0.9157 + 1.7244 k² - 1.7302 k⁴), k = 0.4.
            const double k = 0.4, drag = 4 * std::numbers::pi * viscosity /
                                         (std::log(1 / k) - 0.9157 + 1.7244 * k * k - 1.7302 * k * k * k * k);
            const double stokes = (1000 - density) * 9.81 * std::numbers::pi * 0.0016 / drag;
            const double speed = run.state().bodies[1].velocity.y;
            EXPECT_GT(speed, 0.3 * stokes) << viscosity << " " << density;
            EXPECT_LT(speed, 2 * stokes) << viscosity << " " << density;
        }
    }
}

}  // namespace
}  // namespace treacle::test
