#include <algorithm>
#include <cmath>

#include "support/run_scene.h"

/// Materials that change: over time, by temperature and by age.

namespace treacle {
namespace {

/// Height of the center of mass (m) of a 2D block of 0.2 m on a floor, after some seconds.
double height_of(const std::string& material, double temperature, double seconds, const std::string& settings = "") {
    test::RunningScene run(R"({ "treacle": 1, "method": "barreiro2017", "dimension": 2, "particle_spacing": 0.02,
      "gravity": [0, -9.81], "time": { "duration": 10, "fps": 10 }, "barreiro2017": { )" +
                           settings + R"( },
      "materials": { "ice": )" +
                           material + R"( },
      "fluids": [ { "material": "ice", "temperature": )" +
                           std::to_string(temperature) + R"(,
                    "shape": { "box": { "center": [0, 0.1], "size": [0.2, 0.2] } } } ],
      "solids": [ { "name": "floor", "friction": "no_slip", "shape": { "plane": { "normal": [0, 1] } } } ] })");
    if (!run.advance(static_cast<int>(std::lround(10 * seconds)))) throw std::runtime_error(run.error());
    return run.metric("com_y");
}

TEST(Barreiro2017Changes, IceCreamMeltsOverTime) {
    const std::string material = R"({ "viscosity": 1, "shear_modulus": { "keyframes": [ { "time": 0.5, "value": 20000 },
                                      { "time": 1, "value": 100 } ] },
                                        "relaxation_time": { "keyframes": [ { "time": 0.5, "value": 1000 },
                                      { "time": 0.6, "value": 0.02 } ] } })";
    EXPECT_GT(height_of(material, 20, 0.5), 0.09);
    EXPECT_LT(height_of(material, 20, 2.5), 0.05);
    const std::string paper =
        R"({ "barreiro2017": { "relaxation": 0, "compliance": { "keyframes": [ { "time": 0.5, "value": 0 },
                                   { "time": 1, "value": 1 } ] } } })";
    EXPECT_GT(height_of(paper, 20, 0.5, R"("coefficients": "paper", "velocity_iterations": 40)"), 0.07);
    EXPECT_LT(height_of(paper, 20, 2, R"("coefficients": "paper", "velocity_iterations": 40)"), 0.05);
}

TEST(Barreiro2017Changes, WaxMeltsWhereItIsHot) {
    const std::string material =
        R"({ "viscosity": { "over": "temperature", "points": [[40, 20], [60, 2]] }, "shear_modulus": 20000,
                                      "relaxation_time": { "over": "temperature", "interpolation": "logarithmic",
                                                           "points": [[40, 1000], [60, 0.0005]] } })";
    EXPECT_GT(height_of(material, 20, 1), 0.09);
    EXPECT_LT(height_of(material, 80, 1), 0.05);
}

/// A disc of rubber, stretched without gravity; its greatest kinetic energy from 0.1 s on, over that at the start.
double swing(const std::string& modulus) {
    const Scene scene =
        test::scene_from(R"({ "treacle": 1, "method": "barreiro2017", "dimension": 2, "particle_spacing": 0.02,
      "gravity": [0, 0], "time": { "duration": 10, "fps": 100, "fixed_dt": 0.002 },
      "materials": { "glue": { "shear_modulus": )" +
                         modulus + R"( } },
      "fluids": [ { "material": "glue", "packing": "relaxed", "shape": { "sphere": { "radius": 0.2 } } } ] })");
    State state = test::RunningScene(scene).state();
    const auto position = state.particles.get<Row4<float>>("position");
    const auto velocity = state.particles.get<Row4<float>>("velocity");
    for (std::size_t i = 0; i < position.size(); ++i)
        velocity[i] = Vec3<float>{2 * position[i].x, -2 * position[i].y, 0};
    auto simulation = std::move(*Simulation::resume(scene, std::move(state), 2, Log{}));
    const auto energy = [&] {
        double sum = 0;
        for (const auto& row : simulation->state().particles.get<Row4<float>>("velocity"))
            sum += static_cast<double>(dot(row.xyz(), row.xyz()));
        return sum;
    };
    const double start = energy();
    double most = 0;
    for (int n = 0; n < 40; ++n) {
        if (!simulation->advance_frame([](const StepInfo&) { return true; })) throw std::runtime_error("diverged");
        if (n >= 10) most = std::max(most, energy());
    }
    return most / start;
}

TEST(Barreiro2017Changes, StiffeningBringsNoEnergy) {
    const double before = swing("1000");
    EXPECT_GT(before, 0.1);  // it swings
    EXPECT_LT(swing(R"({ "keyframes": [ { "time": 0.1, "value": 1000 }, { "time": 0.101, "value": 100000 } ] })"),
              before);
    EXPECT_LT(swing(R"({ "over": "age", "points": [[0.1, 1000], [0.101, 100000]] })"), before);
    EXPECT_LT(swing(R"({ "keyframes": [ { "time": 0.1, "value": 1000 }, { "time": 0.101, "value": 10 } ] })"), before);
}

}  // namespace
}  // namespace treacle
