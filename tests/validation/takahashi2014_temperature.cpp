#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/run_scene.h"

/// Heat in whole simulations, and shapes whose material cures or melts.

namespace treacle {
namespace {

/// A slab 0.2 m high at 20 °C, without gravity, between insulating walls; the floor has 100 °C. Samples of a wall lie
/// on its surface and stand for matter behind it, so that heat comes from half a spacing deeper.
TEST(Takahashi2014Temperature, a_slab_on_a_hot_floor_warms_as_theory_says) {
    constexpr double deeper = 0.005, height = 0.2 + deeper, conductivity = 420, heat = 1000 * 4200;
    test::RunningScene run(R"({ "treacle": 1, "method": "takahashi2014", "dimension": 2, "particle_spacing": 0.01,
      "gravity": [0, 0], "time": { "duration": 400, "fps": 0.1 },
      "materials": { "oil": { "thermal_conductivity": 420, "heat_capacity": 4200 } },
      "fluids": [ { "material": "oil", "shape": { "box": { "center": [0, 0.1], "size": [0.16, 0.2] } } } ],
      "solids": [ { "name": "floor", "temperature": 100, "shape": { "plane": { "normal": [0, 1] } } },
                  { "name": "left", "shape": { "plane": { "normal": [1, 0], "offset": -0.08 } } },
                  { "name": "right", "shape": { "plane": { "normal": [-1, 0], "offset": -0.08 } } } ] })");
    // T = 100 - 80 Σ 4/(π n) sin(nπy/2H) exp(-(nπ/2H)² D t), n odd
    const auto theory = [&](double y, double t) {
        double sum = 0;
        for (int n = 1; n < 200; n += 2) {
            const double wave = n * std::numbers::pi / (2 * height);
            sum += 4 / (std::numbers::pi * n) * std::sin(wave * y) * std::exp(-wave * wave * conductivity / heat * t);
        }
        return 100 - 80 * sum;
    };
    for (const int frames : {1, 2, 5, 12}) {  // until 10, 30, 80 and 200 s
        ASSERT_TRUE(run.advance(frames)) << run.error();
        const auto position = run.vectors("position");
        const auto temperature = run.scalars("temperature");
        double square = 0, worst = 0;
        for (std::size_t i = 0; i < position.size(); ++i) {
            const double error = temperature[i] - theory(position[i].y + deeper, run.state().time);
            square += error * error;
            worst = std::max(worst, std::abs(error));
        }
        const double rms = std::sqrt(square / static_cast<double>(position.size()));
        EXPECT_LT(rms, 0.01 * 80) << run.state().time;
        EXPECT_LT(worst, 0.02 * 80) << run.state().time;
    }
}

/// Hot drops that fall into a cold pool.
TEST(Takahashi2014Temperature, mixing_keeps_the_heat) {
    test::RunningScene run(
        R"({ "treacle": 1, "method": "takahashi2014", "dimension": 2, "particle_spacing": 0.01, "precision": "double",
      "time": { "duration": 1, "fps": 50 },
      "materials": { "water": { "viscosity": 0.5, "thermal_conductivity": 2000, "heat_capacity": 4200 } },
      "fluids": [ { "material": "water", "temperature": 10, "shape": { "box": { "center": [0, 0.05],
        "size": [0.4, 0.1] } } },
                  { "material": "water", "temperature": 90, "shape": { "sphere": { "center": [0, 0.18],
                    "radius": 0.05 } } } ],
      "solids": [ { "name": "tank", "invert": true, "shape": { "box": { "center": [0, 0.5],
        "size": [0.4, 1] } } } ] })");
    const double before = run.metric("temperature_mean");
    EXPECT_EQ(run.metric("temperature_min"), 10);
    EXPECT_EQ(run.metric("temperature_max"), 90);
    ASSERT_TRUE(run.advance(25)) << run.error();
    EXPECT_NEAR(run.metric("temperature_mean"), before, 1e-11 * before);
    EXPECT_GT(run.metric("temperature_min"), 10);
    EXPECT_LT(run.metric("temperature_max"), 88);
}

/// A disc that is stretched while it is liquid, without gravity, and then treated in some way.
struct Drawn {
    std::string material;
    double temperature = 20;

    std::string scene() const {
        return R"({ "treacle": 1, "method": "takahashi2014", "dimension": 2, "particle_spacing": 0.02,
          "gravity": [0, 0],
          "time": { "duration": 10, "fps": 50 }, "materials": { "glue": { )" +
               material + R"( } },
          "fluids": [ { "material": "glue", "packing": "relaxed", "temperature": )" +
               std::to_string(temperature) + R"(,
                        "shape": { "sphere": { "center": [0, 0], "radius": 0.2 } } } ] })";
    }
};

double aspect(const Simulation& simulation) {
    double xx = 0, yy = 0;
    for (const auto& row : simulation.state().particles.get<Row4<float>>("position")) {
        xx += static_cast<double>(row.x * row.x);
        yy += static_cast<double>(row.y * row.y);
    }
    return std::sqrt(xx / yy);
}

/// Aspect ratio at these times (s) when the disc starts with a strain rate of 8/s.
std::vector<double> aspects(const Drawn& drawn, const std::vector<double>& times) {
    const Scene scene = test::scene_from(drawn.scene());
    State state = test::RunningScene(scene).state();
    const auto position = state.particles.get<Row4<float>>("position");
    const auto velocity = state.particles.get<Row4<float>>("velocity");
    for (std::size_t i = 0; i < position.size(); ++i)
        velocity[i] = Vec3<float>{8 * position[i].x, -8 * position[i].y, 0};
    auto simulation = std::move(*Simulation::resume(scene, std::move(state), 2, Log{}));
    std::vector<double> result;
    for (const double time : times) {
        while (simulation->state().time < time - 1e-9) {
            const auto outcome = simulation->advance_frame([](const StepInfo&) { return true; });
            if (!outcome) throw std::runtime_error(to_string(outcome.error()));
        }
        result.push_back(aspect(*simulation));
    }
    return result;
}

TEST(Takahashi2014Temperature, what_cures_keeps_the_shape_it_has) {
    const auto glue = aspects(
        {R"("viscosity": 300, "shear_modulus": { "over": "age", "points": [[0.8, 0], [0.9, 5000]] })"}, {0.8, 1, 1.5});
    const auto rubber = aspects({R"("viscosity": 300, "shear_modulus": 5000)"}, {1.5});
    EXPECT_GT(glue[0], 1.2);  // it was stretched
    EXPECT_NEAR(glue[1] / glue[0], 1, 0.02);
    EXPECT_NEAR(glue[2] / glue[0], 1, 0.02);  // and stayed so
    EXPECT_NEAR(rubber[0], 1, 0.02);          // unlike rubber
}

/// Stretched rubber springs back; with a modulus that vanishes for a while in between it forgets.
TEST(Takahashi2014Temperature, what_has_molten_remembers_no_shape) {
    const auto rubber = aspects({R"("viscosity": 300, "shear_modulus": 1000)"}, {0.06, 2});
    const auto wax = aspects({R"("viscosity": 300, "shear_modulus": { "over": "age",
                                 "points": [[0.06, 1000], [0.061, 0], [0.8, 0], [0.9, 1000]] })"},
                             {0.06, 0.8, 2});
    EXPECT_NEAR(wax[0] / rubber[0], 1, 0.01);
    EXPECT_GT(rubber[0], 1.1);
    EXPECT_NEAR(rubber[1], 1, 0.03);
    EXPECT_GT(wax[1], 1.1);
    EXPECT_NEAR(wax[2] / wax[1], 1, 0.03);
}

/// The same modulus whether it is a constant or a function that stays there: the same bits.
TEST(Takahashi2014Temperature, a_constant_function_is_a_constant) {
    const auto constant =
        aspects({R"("viscosity": 20, "shear_modulus": 2000, "relaxation_time": 0.2, "yield_stress": 30)"}, {0.1, 0.4});
    const auto function = aspects({R"("viscosity": { "over": "age", "points": [[0, 20]] },
        "shear_modulus": { "over": "temperature", "points": [[20, 2000], [40, 2000]] },
        "relaxation_time": { "over": "age", "points": [[0, 0.2]] },
        "yield_stress": { "over": "temperature", "points": [[20, 30]] },
        "takahashi2014": { "connect_distance": { "over": "age", "points": [[0, 1]] } })"},
                                  {0.1, 0.4});
    for (std::size_t n = 0; n < constant.size(); ++n) EXPECT_EQ(function[n], constant[n]) << n;
}

/// Hot from the emitter, old by its own time.
TEST(Takahashi2014Temperature, what_is_emitted_has_its_own_temperature_and_age) {
    test::RunningScene run(R"({ "treacle": 1, "method": "takahashi2014", "dimension": 2, "particle_spacing": 0.01,
      "time": { "duration": 1, "fps": 50 },
      "materials": { "icing": { "viscosity": { "over": "temperature", "points": [[20, 50], [80, 5]] },
                                "shear_modulus": { "over": "age", "points": [[0.1, 0], [0.2, 500]] },
                                  "relaxation_time": 0.5 } },
      "fluids": [ { "material": "icing", "shape": { "box": { "center": [0, 0.02], "size": [0.2, 0.04] } } } ],
      "emitters": [ { "material": "icing", "temperature": 80, "speed": 1, "shape": { "disk": { "radius": 0.02 } },
        "start": 0.1,
                      "position": [0, 0.15] } ],
      "solids": [ { "name": "floor", "shape": { "plane": { "normal": [0, 1] } } } ] })");
    ASSERT_TRUE(run.advance(12)) << run.error();
    const auto temperature = run.scalars("temperature"), age = run.scalars("age"),
               modulus = run.scalars("shear_modulus");
    std::size_t emitted = 0;
    for (std::size_t i = 0; i < age.size(); ++i) {
        const bool hot = run.state().particles.get<std::uint32_t>("fluid")[i] == 1;
        emitted += hot;
        EXPECT_EQ(temperature[i], hot ? 80 : 20);
        if (hot) EXPECT_LE(age[i], 0.14 + 1e-6);
        else EXPECT_NEAR(age[i], 0.24, 1e-6);
        EXPECT_NEAR(modulus[i], std::clamp((age[i] - 0.1) / 0.1, 0.0, 1.0) * 500, 1e-3);
    }
    EXPECT_GT(emitted, 20u);
}

}  // namespace
}  // namespace treacle
