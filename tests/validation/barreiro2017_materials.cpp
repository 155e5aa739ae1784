#include <cmath>

#include "support/run_scene.h"

/// Several viscoelastic materials in one scene.

namespace treacle {
namespace {

constexpr const char* jellies = R"("materials": { "firm": { "density": 1000, "shear_modulus": 40000, "viscosity": 100 },
                                                   "soft": { "density": 1200, "shear_modulus": 10000,
                                                     "viscosity": 100 } })";

struct Block {
    std::string material;
    double x, y;
};

/// Height of the center of mass of each fluid (m) after a second; 2D blocks of 0.3 m on a floor without friction.
std::vector<double> heights_of(const std::vector<Block>& blocks) {
    std::string fluids;
    for (const Block& block : blocks) {
        fluids += (fluids.empty() ? "" : ",") + std::string(R"({ "material": ")") + block.material +
                  R"(", "shape": { "box": { "center": [)" + std::to_string(block.x) + ", " + std::to_string(block.y) +
                  R"(], "size": [0.3, 0.3] } } })";
    }
    test::RunningScene run(
        R"({ "treacle": 1, "method": "barreiro2017", "dimension": 2, "particle_spacing": 0.03, "gravity": [0, -9.81],
      "time": { "duration": 10, "fps": 10, "fixed_dt": 0.005 }, )" +
        std::string(jellies) + R"(, "fluids": [)" + fluids + R"(],
      "solids": [ { "name": "floor", "friction": 0, "shape": { "plane": { "normal": [0, 1] } } } ] })");
    if (!run.advance(10)) throw std::runtime_error(run.error());
    std::vector<double> sum(blocks.size()), mass(blocks.size());
    const auto fluid = run.state().particles.get<std::uint32_t>("fluid");
    const auto x = run.vectors("position");
    for (std::size_t i = 0; i < x.size(); ++i) sum[fluid[i]] += x[i].y, mass[fluid[i]] += 1;
    for (std::size_t n = 0; n < sum.size(); ++n) sum[n] /= mass[n];
    return sum;
}

TEST(Barreiro2017Materials, EachBehavesAsItDoesAlone) {
    const double firm = heights_of({{"firm", 0, 0.15}})[0], soft = heights_of({{"soft", 0, 0.15}})[0];
    EXPECT_GT(firm - soft, 0.003);  // sags that differ clearly
    const auto apart = heights_of({{"firm", -0.4, 0.15}, {"soft", 0.4, 0.15}});
    EXPECT_NEAR(apart[0], firm, 1e-4);
    EXPECT_NEAR(apart[1], soft, 1e-4);
}

/// The upper of two blocks sags as on a floor, and the lower one sags under the weight of both.
TEST(Barreiro2017Materials, OneStandsOnTheOther) {
    const double firm = heights_of({{"firm", 0, 0.15}})[0], soft = heights_of({{"soft", 0, 0.15}})[0];
    const auto stacked = heights_of({{"firm", 0, 0.15}, {"soft", 0, 0.45}});
    // Plane strain, incompressible: a column under its weight and a load bears 4 G of strain; sags add up.
    const double load = 1200 * 9.81 * 0.3;
    const double under_load = load * 0.3 / (4 * 40000);  // drop of the lower block's top
    EXPECT_NEAR(stacked[0], firm - under_load / 2, 0.15 * (0.15 - firm + under_load / 2) + 0.001);
    EXPECT_NEAR(stacked[1] - 0.3, soft - (0.15 - firm) * 1.5 - under_load, 0.3 * (0.15 - soft) + 0.002);
}

/// Two blocks of different materials that collide, without gravity: one gains the momentum that the other loses.
TEST(Barreiro2017Materials, MomentumPassesFromOneToTheOther) {
    const std::string precision = TREACLE_DOUBLE ? "double" : "float";  // depends on the build (TREACLE_DOUBLE)
    const double rounding = TREACLE_DOUBLE ? 1e-9 : 1e-4;
    test::RunningScene run(
        R"({ "treacle": 1, "method": "barreiro2017", "dimension": 2, "particle_spacing": 0.03, "gravity": [0, 0],
      "precision": ")" +
        precision + R"(", "time": { "duration": 10, "fps": 10, "fixed_dt": 0.005 }, )" + std::string(jellies) + R"(,
      "fluids": [ { "material": "firm", "velocity": [1, 0.1],
        "shape": { "box": { "center": [-0.2, 0], "size": [0.3, 0.3] } } },
                  { "material": "soft", "shape": { "box": { "center": [0.2, 0.1], "size": [0.3, 0.3] } } } ] })");
    const auto of_soft = [&] {
        const auto fluid = run.state().particles.get<std::uint32_t>("fluid");
        const auto v = run.vectors("velocity");
        const auto m = run.scalars("mass");
        double sum = 0;
        for (std::size_t i = 0; i < v.size(); ++i) sum += fluid[i] == 1 ? m[i] * v[i].x : 0;
        return sum;
    };
    const double x = run.metric("momentum_x"), y = run.metric("momentum_y"), turn = run.metric("angular_momentum_z");
    ASSERT_TRUE(run.advance(5)) << run.error();
    EXPECT_GT(of_soft(), 0.2 * x);
    EXPECT_NEAR(run.metric("momentum_x"), x, rounding * x);
    EXPECT_NEAR(run.metric("momentum_y"), y, rounding * x);
    EXPECT_NEAR(run.metric("angular_momentum_z"), turn, 0.05 * std::abs(turn));
}

}  // namespace
}  // namespace treacle
