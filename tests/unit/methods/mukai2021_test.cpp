#include <algorithm>
#include <cmath>
#include <set>

#include "methods/mukai2021/settings.h"
#include "support/run_scene.h"

namespace treacle::test {
namespace {

/// The words of a scene stand for values of enums that belong to blocks.
TEST(Mukai2021, words_choose_schemes) {
    mukai2021::Settings settings;
    mukai2021::MaterialSettings material;
    const auto choose = [](const ParameterTable& table, void* owner, const char* key, const char* word) {
        table.find(key)->write(owner, std::string(word));
    };
    choose(mukai2021::settings_table(), &settings, "pressure_source", "number_density");
    EXPECT_EQ(settings.pressure_source, PressureSource::number_density);
    choose(mukai2021::settings_table(), &settings, "pressure_source", "divergence");
    EXPECT_EQ(settings.pressure_source, PressureSource::divergence);
    choose(mukai2021::settings_table(), &settings, "pressure_reference", "own");
    EXPECT_EQ(settings.reference(), PressureReference::own);
    choose(mukai2021::settings_table(), &settings, "pressure_reference", "minimum");
    EXPECT_EQ(settings.reference(), PressureReference::minimum);
    choose(mukai2021::settings_table(), &settings, "pressure_reference", "symmetric");
    EXPECT_EQ(settings.reference(), PressureReference::symmetric);
    choose(mukai2021::material_settings_table(), &material, "law", "fene_p");
    EXPECT_EQ(material.law, RelaxationLaw::fene_p);
    choose(mukai2021::material_settings_table(), &material, "law", "giesekus");
    EXPECT_EQ(material.law, RelaxationLaw::giesekus);
    choose(mukai2021::material_settings_table(), &material, "law", "oldroyd_b");
    EXPECT_EQ(material.law, RelaxationLaw::oldroyd_b);
}

/// A jet in 2D whose elastic stress is that of the paper, or of Oldroyd and Maxwell.
std::string jet(const char* coefficients) {
    const bool paper = std::string(coefficients) == "paper";
    return R"({ "treacle": 1, "method": "mukai2021", "dimension": 2, "particle_spacing": 0.01,
      "mukai2021": { "coefficients": ")" +
           std::string(coefficients) + R"(" }, "time": { "duration": 1, "fps": 50 },
      "materials": { "paste": { "viscosity": 5, )" +
           (paper ? R"("mukai2021": { "young_modulus": 300, "elastic_coefficient": 0.5 })"
                  : R"("shear_modulus": 100, "relaxation_time": 0.5)") +
           R"( } },
      "emitters": [ { "material": "paste", "shape": { "disk": { "radius": 0.04 } }, "speed": 0.5,
        "position": [0, 1], "direction": [0, -1] } ] })";
}

/// Rows above the mouth, which only the emitter moves.
std::vector<std::size_t> plug(const RunningScene& run, double mouth) {
    std::vector<std::size_t> rows;
    const auto position = run.vectors("position");
    for (std::size_t i = 0; i < position.size(); ++i) {
        if (position[i].y > mouth + 1e-9) rows.push_back(i);
    }
    return rows;
}

TEST(Mukai2021, what_is_still_in_the_pipe_is_not_strained) {
    for (const char* coefficients : {"paper", "physical"}) {
        RunningScene run(jet(coefficients));
        const double rest = std::string(coefficients) == "paper" ? 0 : 1;
        for (int frame = 0; frame < 5; ++frame) {
            ASSERT_TRUE(run.advance(1)) << run.error();
            const auto conformation = run.state().particles.get<SymMat<double>>("conformation");
            const auto rows = plug(run, 1);
            EXPECT_GT(rows.size(), 8u);
            for (const std::size_t i : rows) {
                EXPECT_EQ(conformation[i].xx, rest) << coefficients;
                EXPECT_EQ(conformation[i].yy, rest) << coefficients;
                EXPECT_EQ(conformation[i].xy, 0) << coefficients;
            }
        }
    }
}

/// Two fluids are too dense where they overlap, both at the start and in the first step.
TEST(Mukai2021, tells_at_the_start_how_dense_the_fluid_is) {
    RunningScene run(R"({ "treacle": 1, "method": "mukai2021", "dimension": 2, "particle_spacing": 0.01,
      "time": { "duration": 1, "fps": 1000, "fixed_dt": 0.001 }, "materials": { "syrup": { "viscosity": 5 } },
      "fluids": [ { "material": "syrup", "shape": { "box": { "center": [0, 0], "size": [0.2, 0.2] } } },
                  { "material": "syrup", "shape": { "box": { "center": [0.185, 0], "size": [0.2, 0.2] } } } ] })");
    const double at_start = run.metric("density_error_max");
    EXPECT_GT(at_start, 0.1);
    ASSERT_TRUE(run.advance(1)) << run.error();
    EXPECT_DOUBLE_EQ(run.metric("density_error_max"), at_start);
}

/// A jet that is so thin that its particles are halved.
const char* thin_jet = R"({ "treacle": 1, "method": "mukai2021", "particle_spacing": 0.001,
  "mukai2021": { "halvings": 3 }, "time": { "duration": 1, "fps": 50 },
  "materials": { "syrup": { "viscosity": 5 } },
  "emitters": [ { "material": "syrup", "shape": { "disk": { "radius": 0.0018 } }, "speed": 0.1,
    "position": [0, 0.1, 0], "direction": [0, -1, 0] } ] })";

TEST(Mukai2021, halves_of_a_jet_stay_where_the_jet_is) {
    RunningScene run(thin_jet);
    const std::size_t per_layer = run.state().particles.size() / run.state().emission.emitters[0].layers;
    const double layer_mass = run.metric("mass") / run.state().emission.emitters[0].layers;
    std::size_t most_halves = 0;
    for (int frame = 1; frame <= 6; ++frame) {
        ASSERT_TRUE(run.advance(1)) << run.error();
        const auto position = run.vectors("position");
        const auto id = run.state().particles.get<std::uint32_t>("id");
        const auto halvings = run.state().particles.get<std::uint8_t>("halvings");
        const double time = frame / 50.0, fallen = 0.1 * time + 0.5 * 9.81 * time * time;
        for (const Vec3d& x : position) {
            ASSERT_LT(x.y, 0.1 + 0.004) << frame;
            ASSERT_GT(x.y, 0.1 - fallen - 0.004) << frame;
            ASSERT_LT(std::hypot(x.x, x.z), 0.004) << frame;
        }
        const auto rows = plug(run, 0.1);
        EXPECT_EQ(rows.size() % per_layer, 0u) << frame;
        EXPECT_GT(rows.size(), per_layer) << frame;
        for (const std::size_t i : rows) EXPECT_EQ(halvings[i], 0) << frame;
        const auto& emitter = run.state().emission.emitters[0];
        EXPECT_NEAR(run.metric("mass"), layer_mass * emitter.layers, 1e-9 * run.metric("mass")) << frame;
        EXPECT_EQ(std::set<std::uint32_t>(id.begin(), id.end()).size(), id.size()) << frame;
        most_halves =
            std::max(most_halves,
                     static_cast<std::size_t>(std::ranges::count_if(halvings, [](std::uint8_t n) { return n > 0; })));
    }
    EXPECT_GT(most_halves, 10u);  // otherwise nothing was tested
}

/// The emitter ends: its plug vanishes, and nothing else.
TEST(Mukai2021, halves_outlive_their_emitter) {
    std::string text = thin_jet;
    text.insert(text.find("\"position\""), R"("end": 0.09, )");
    RunningScene run(text);
    ASSERT_TRUE(run.advance(4)) << run.error();
    const double layer_mass = run.metric("mass") / run.state().emission.emitters[0].layers;
    ASSERT_TRUE(run.advance(2)) << run.error();
    const auto halvings = run.state().particles.get<std::uint8_t>("halvings");
    EXPECT_GT(std::ranges::count_if(halvings, [](std::uint8_t n) { return n > 0; }), 10);
    EXPECT_TRUE(plug(run, 0.1).empty());
    EXPECT_NEAR(run.metric("mass"), layer_mass * run.state().emission.emitters[0].layers, 1e-9 * run.metric("mass"));
}

/// A block of fluid that is denser than it can be.
std::string pool(double overlap) {
    return R"({ "treacle": 1, "method": "mukai2021", "dimension": 2, "particle_spacing": 0.01, "gravity": [0, 0],
      "time": { "duration": 1, "fps": 1000 }, "materials": { "honey": { "viscosity": 1 } },
      "fluids": [ { "material": "honey", "shape": { "box": { "center": [0, 0], "size": [0.2, 0.2] } } },
        { "material": "honey", "shape": { "box": { "center": [)" +
           std::to_string(0.2 - overlap) + R"(, 0.005], "size": [0.2, 0.2] } } } ] })";
}

TEST(Mukai2021, tells_how_dense_its_fluid_is) {
    RunningScene fit(pool(0)), doubled(pool(0.1));
    // Seen at once and after a step.
    for (const double step : {0, 1}) {
        EXPECT_LT(fit.metric("density_error_mean"), 0.05) << step;
        // A third of the particles have twice as much fluid around them as there should be.
        EXPECT_GT(doubled.metric("density_error_mean"), 0.1) << step;
        EXPECT_GT(doubled.metric("density_error_max"), 0.5) << step;
        if (step == 0) {
            ASSERT_TRUE(fit.advance(1)) << fit.error();
            ASSERT_TRUE(doubled.advance(1)) << doubled.error();
        }
    }
}

}  // namespace
}  // namespace treacle::test
