#include <cmath>

#include "support/run_scene.h"

/// T3, T4: springs make a block bounce, plasticity makes it creep.

namespace treacle {
namespace {

std::string block(int dimension, const std::string& material, double drop) {
    const bool flat = dimension == 2;
    const double side = flat ? 0.32 : 0.2;
    const std::string center =
        flat ? "[0, " + std::to_string(side / 2 + drop) + "]" : "[0, " + std::to_string(side / 2 + drop) + ", 0]";
    const std::string size = flat ? "[0.32, 0.32]" : "[0.2, 0.2, 0.2]";
    return R"({ "treacle": 1, "method": "clavet2005", "dimension": )" + std::to_string(dimension) +
           R"(, "particle_spacing": 0.02,
      "gravity": )" +
           (flat ? "[0, -9.81]" : "[0, -9.81, 0]") + R"(, "time": { "duration": 4, "fps": 50 },
      "materials": { "m": )" +
           material + R"( },
      "fluids": [ { "material": "m", "shape": { "box": { "center": )" +
           center + R"(, "size": )" + size + R"( } } } ],
      "solids": [ { "name": "floor", "shape": { "plane": { "normal": )" +
           (flat ? "[0, 1]" : "[0, 1, 0]") + R"(, "offset": 0 } } } ] })";
}

/// Rise of the center of mass over its lowest point after the impact, over the height of the drop.
double rebound(test::RunningScene& run, double drop) {
    double lowest = 1e9, highest_after = 0;
    for (int n = 0; n < 40; ++n) {
        if (!run.advance(1)) throw std::runtime_error(run.error());
        const double y = run.metric("com_y");
        if (y < lowest) {
            lowest = y;
            highest_after = y;
        }
        highest_after = std::max(highest_after, y);
    }
    return (highest_after - lowest) / drop;
}

TEST(Clavet2005Elastic, SpringsMakeABlockBounce) {
    for (const int dimension : {2, 3}) {
        const double drop = dimension == 2 ? 0.16 : 0.1;
        test::RunningScene elastic(block(dimension, R"({ "shear_modulus": 10000 })", drop));
        test::RunningScene liquid(block(dimension, R"({ "density": 1000 })", drop));
        EXPECT_GE(rebound(elastic, drop), 0.2) << dimension;
        EXPECT_LE(rebound(liquid, drop), 0.05) << dimension;
    }
}

TEST(Clavet2005Elastic, FastRelaxationTakesTheBounceAway) {
    test::RunningScene run(block(2, R"({ "shear_modulus": 10000, "relaxation_time": 0.02 })", 0.16));
    EXPECT_LE(rebound(run, 0.16), 0.05);
}

TEST(Clavet2005Elastic, RelaxationMakesABlockCreepAndYieldHoldsIt) {
    const auto height_after = [](const std::string& material, int frames) {
        test::RunningScene run(block(2, material, 0));
        if (!run.advance(frames)) throw std::runtime_error(run.error());
        return run.metric("com_y");
    };
    const double solid = height_after(R"({ "shear_modulus": 20000, "viscosity": 50 })", 60);
    const double creeping_early =
        height_after(R"({ "shear_modulus": 20000, "viscosity": 50, "relaxation_time": 0.1 })", 20);
    const double creeping_late =
        height_after(R"({ "shear_modulus": 20000, "viscosity": 50, "relaxation_time": 0.1 })", 60);
    const double yielding = height_after(
        R"({ "shear_modulus": 20000, "viscosity": 50, "relaxation_time": 0.1, "yield_stress": 4000 })", 60);
    EXPECT_GT(solid, 0.14);  // of 0.16
    EXPECT_LT(creeping_late, creeping_early - 0.01);
    EXPECT_LT(creeping_late, solid - 0.02);
    EXPECT_GT(yielding, creeping_late + 0.015);  // stress stays below the yield: it stands
}

TEST(Clavet2005Elastic, ASolidKeepsItsSpringsAndAFluidRenewsThem) {
    test::RunningScene solid(block(2, R"({ "shear_modulus": 10000 })", 0.16));
    const double at_start = solid.metric("connections");
    ASSERT_TRUE(solid.advance(30));
    EXPECT_EQ(solid.metric("connections"), at_start);
    test::RunningScene fluid(block(2, R"({ "shear_modulus": 10000, "relaxation_time": 0.02 })", 0.16));
    const auto count_of_common = [&] {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
        const auto& graph = fluid.state().connections;
        const auto id = fluid.state().particles.get<std::uint32_t>("id");
        for (std::size_t i = 0; i < graph.particle_count(); ++i) {
            for (std::size_t slot = graph.begin(i); slot < graph.begin(i) + graph.count(i); ++slot) {
                pairs.emplace_back(id[i], id[graph.others()[slot]]);
            }
        }
        std::sort(pairs.begin(), pairs.end());
        return pairs;
    };
    const auto before = count_of_common();
    ASSERT_TRUE(fluid.advance(40));
    const auto after = count_of_common();
    std::vector<std::pair<std::uint32_t, std::uint32_t>> kept;
    std::set_intersection(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(kept));
    EXPECT_LT(kept.size(), 9 * before.size() / 10);
}

}  // namespace
}  // namespace treacle
