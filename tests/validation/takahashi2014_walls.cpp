#include <algorithm>
#include <cmath>
#include <string>

#include "support/run_scene.h"

/// Jelly, goo and liquids of takahashi2014 at rest on walls and sliding along them. Friction comes after the pressure,
/// and a wall holds no more than the fluid's own stress does (docs/decisions/wall-traction.md).

namespace treacle {
namespace {

std::string number(double value) { return std::to_string(value); }

struct Block {
    int dimension = 2;
    double spacing = 0.01;
    std::string material;
    std::string friction;
    double height = 0.1;
    double slope = 0;  ///< degrees
    std::string time = "";
    std::string packing = "relaxed";
};

/// A block 0.1 m wide on a floor.
std::string scene_of(const Block& block) {
    const bool flat = block.dimension == 2;
    const double angle = block.slope * M_PI / 180, g = 9.81;
    return R"({ "treacle": 1, "method": "takahashi2014", "dimension": )" + std::to_string(block.dimension) +
           R"(, "particle_spacing": )" + number(block.spacing) + R"(, "gravity": [)" + number(g * std::sin(angle)) +
           ", " + number(-g * std::cos(angle)) + (flat ? "" : ", 0") + R"(], "time": { "duration": 10, "fps": 20)" +
           block.time + R"( }, "materials": { "m": { )" + block.material +
           R"( } }, "fluids": [ { "material": "m", "packing": ")" + block.packing +
           R"(", "shape": { "box": { "center": [0, )" + number(block.height / 2) + (flat ? "" : ", 0") +
           R"(], "size": [0.1, )" + number(block.height) + (flat ? "" : ", 0.1") +
           R"(] } } } ], "solids": [ { "name": "floor", "friction": )" + block.friction +
           R"(, "shape": { "plane": { "normal": [0, 1)" + (flat ? "" : ", 0") + R"(] } } } ] })";
}

/// Sags by ρ g H²/(3 E') at most, E' = 4 G (3D: 3 G), and half of the spacing for the packing; goes nowhere; and no
/// connection is made, broken or changes its length.
void expect_to_stay(const Block& block, double modulus) {
    const std::string what = block.friction + " " + number(block.spacing) + " " + number(modulus) + " " + block.packing;
    test::RunningScene run(scene_of(block));
    const auto rest_lengths = [&] {
        double sum = 0;
        const ConnectionGraph& graph = run.state().connections;
        const auto rest = graph.values<float>("rest_length");
        for (std::size_t i = 0; i < run.state().particles.size(); ++i) {
            for (std::size_t n = 0; n < graph.count(i); ++n) sum += static_cast<double>(rest[graph.begin(i) + n]);
        }
        return sum;
    };
    const double x = run.metric("com_x"), y = run.metric("com_y"), lengths = rest_lengths();
    const std::size_t count = run.state().connections.connection_count();
    ASSERT_TRUE(run.advance(50)) << what << ": " << run.error();
    const double sag = 1000 * 9.81 * 0.01 / (3 * (block.dimension == 2 ? 4 : 3) * modulus);
    EXPECT_NEAR(run.metric("com_y"), y - 0.5 * sag, 0.5 * sag + 0.1 * block.spacing) << what;
    EXPECT_NEAR(run.metric("com_x"), x, 0.1 * block.spacing) << what;
    EXPECT_EQ(run.state().connections.connection_count(), count) << what;
    EXPECT_NEAR(rest_lengths(), lengths, 1e-6 * lengths) << what;
    EXPECT_LT(run.metric("kinetic_energy") / run.metric("mass"), 1e-3) << what;
}

TEST(Takahashi2014Walls, JellyKeepsItsShapeAndPlaceOnEveryFloor) {
    for (const char* friction : {"0.3", "\"no_slip\""}) {
        for (const double modulus : {5000.0, 20000.0}) {
            Block block{.material = R"("viscosity": 1, "shear_modulus": )" + number(modulus), .friction = friction};
            expect_to_stay(block, modulus);
            block.spacing = 0.008, block.packing = "lattice";
            expect_to_stay(block, modulus);
        }
    }
    expect_to_stay({.dimension = 3,
                    .spacing = 0.0167,
                    .material = R"("viscosity": 1, "shear_modulus": 5000)",
                    .friction = "\"no_slip\""},
                   5000);
}

TEST(Takahashi2014Walls, GooSlumpsAlikeInLongAndShortSteps) {
    for (const char* friction : {"0.3", "\"no_slip\""}) {
        double height[2];
        for (const bool fine : {false, true}) {
            const char* goo = R"("viscosity": 5, "shear_modulus": 300, "relaxation_time": 0.2)";
            const char* steps = fine ? R"(, "max_dt": 0.0005)" : "";
            test::RunningScene run(scene_of({.material = goo, .friction = friction, .time = steps}));
            ASSERT_TRUE(run.advance(20)) << run.error();
            height[fine] = run.metric("com_y");
        }
        EXPECT_NEAR(height[0] / height[1], 1, 0.03) << friction;  // the first has steps of 4 ms
    }
}

/// g (sin - μ cos)
TEST(Takahashi2014Walls, ABlockSlidesByCoulombsLaw) {
    const auto acceleration = [](const Block& block) {
        test::RunningScene run(scene_of(block));
        double x[3];
        for (double& place : x) {
            if (!run.advance(4)) throw std::runtime_error(run.error());
            place = run.metric("com_x");
        }
        return (x[2] - 2 * x[1] + x[0]) / (0.2 * 0.2);
    };
    const auto wanted = [](double friction) { return 9.81 * (0.5 - friction * std::cos(M_PI / 6)); };
    for (const char* viscosity : {"0.05", "5"}) {
        Block block{.material = std::string(R"("shear_modulus": 5000, "viscosity": )") + viscosity,
                    .friction = "0.1",
                    .height = 0.05,
                    .slope = 30};
        EXPECT_NEAR(acceleration(block), wanted(0.1), 0.1 * wanted(0.1)) << viscosity;
        block.friction = "0.3";
        EXPECT_NEAR(acceleration(block), wanted(0.3), 0.1 * wanted(0.3)) << viscosity;
    }
}

/// Side walls carry under 1 % of a liquid at rest, whatever their coefficient: it stays on the floor.
TEST(Takahashi2014Walls, LiquidsDoNotHangOnSideWalls) {
    for (const char* friction : {"0.3", "1"}) {
        const std::string rough = std::string(R"("friction": )") + friction;
        test::RunningScene run(R"({ "treacle": 1, "method": "takahashi2014", "dimension": 2, "particle_spacing": 0.01,
          "gravity": [0, -9.81], "time": { "duration": 10, "fps": 50 }, "materials": { "oil": { "viscosity": 5 } },
          "fluids": [ { "material": "oil", "packing": "relaxed",
            "shape": { "box": { "center": [0, 0.08], "size": [0.16, 0.16] } } } ],
          "solids": [ { "name": "floor", )" +
                               rough + R"(, "shape": { "plane": { "normal": [0, 1] } } }, { "name": "left", )" + rough +
                               R"(, "shape": { "plane": { "normal": [1, 0], "offset": -0.08 } } },
                      { "name": "right", )" +
                               rough + R"(, "shape": { "plane": { "normal": [-1, 0], "offset": -0.08 } } } ] })");
        ASSERT_TRUE(run.advance(50)) << run.error();
        double sides = 0;
        for (int frame = 0; frame < 50; ++frame) {
            ASSERT_TRUE(run.advance(1)) << run.error();
            for (const Body& body : run.state().bodies) sides += body.name == "floor" ? 0 : body.force.y / 50;
        }
        EXPECT_LT(std::abs(sides), 0.01 * run.metric("mass") * 9.81) << friction;
    }
}

}  // namespace
}  // namespace treacle
