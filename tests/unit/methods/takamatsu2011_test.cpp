#include <algorithm>
#include <cmath>

#include "methods/takamatsu2011/settings.h"
#include "scene/method_input.h"
#include "support/run_scene.h"
#include "support/scene_remarks.h"

namespace treacle::test {
namespace {

using takamatsu2011::pull_of;

/// A block of jelly on a floor, or high above it.
std::string block(const std::string& material, const std::string& settings = "", int dimension = 3, double height = 0) {
    const bool flat = dimension == 2;
    const std::string y = std::to_string(height + 0.05);
    return R"({ "treacle": 1, "method": "takamatsu2011", "particle_spacing": 0.01, "dimension": )" +
           std::to_string(dimension) + R"(, "time": { "duration": 1, "fps": 50 }, "takamatsu2011": { )" + settings +
           R"( }, "materials": { "jelly": { )" + material + R"( } },
      "fluids": [ { "material": "jelly", "shape": { "box": { "center": )" +
           (flat ? "[0, " + y + "]" : "[0, " + y + ", 0]") + R"(, "size": )" +
           (flat ? "[0.1, 0.1]" : "[0.1, 0.1, 0.1]") + R"( } } } ],
      "solids": [ { "name": "floor", "shape": { "plane": { "normal": )" +
           (flat ? "[0, 1]" : "[0, 1, 0]") + " } } } ] }";
}

MethodInput input_of(const std::string& material, const std::string& settings = "", int dimension = 3) {
    return method_input(scene_from(block(material, settings, dimension)));
}

double pull(const std::string& material, const std::string& settings = "", int dimension = 3) {
    const MethodInput input = input_of(material, settings, dimension);
    return pull_of(input, input.materials[0]);
}

/// G = κ ρ σ² / (2 (D + 2)): the modulus of a body that is drawn to its shape by κ (g - x).
TEST(Takamatsu2011, the_pull_has_the_shear_modulus_of_the_material) {
    for (const int dimension : {2, 3}) {
        const double kappa = pull(R"("density": 800, "shear_modulus": 300)", R"("support_radius": 2)", dimension);
        EXPECT_NEAR(kappa * 800 * 0.02 * 0.02 / (2 * (dimension + 2)), 300, 1e-9) << dimension;
    }
    EXPECT_EQ(pull(R"("viscosity": 1)"), 0);
    EXPECT_DOUBLE_EQ(pull(R"("takamatsu2011": { "response_time": 0.05 })", R"("coefficients": "paper")"), 400);
}

TEST(Takamatsu2011, tells_the_modulus_that_acts) {
    const auto values =
        takamatsu2011::derived_values(input_of(R"("shear_modulus": 1000, "takamatsu2011": { "fluidity": 0.3 })"));
    const auto modulus =
        std::ranges::find_if(values, [](const DerivedValue& value) { return value.name == "jelly modulus in effect"; });
    ASSERT_NE(modulus, values.end());
    EXPECT_NEAR(modulus->value, 700, 1e-9);
    EXPECT_EQ(modulus->unit, "Pa");
}

const TimeStepLimit* limit_of(const std::vector<TimeStepLimit>& limits, StepBound bound) {
    for (const TimeStepLimit& limit : limits) {
        if (limit.bound == bound) return &limit;
    }
    return nullptr;
}

TEST(Takamatsu2011, steps_are_limited_by_the_pull_by_sound_and_by_tension) {
    const std::string jelly = R"("shear_modulus": 1000, "takamatsu2011": { "fluidity": 0.75 })";
    const auto limits = takamatsu2011::time_step_limits(input_of(jelly, R"("sound_speed": 11)"));
    const TimeStepLimit* matching = limit_of(limits, StepBound::shape_matching);
    ASSERT_NE(matching, nullptr);
    EXPECT_NEAR(matching->dt, 1 / std::sqrt(0.25 * pull(jelly)), 1e-12);
    EXPECT_EQ(matching->pointer, "/materials/jelly/shear_modulus");
    const TimeStepLimit* sound = limit_of(limits, StepBound::sound_speed);
    ASSERT_NE(sound, nullptr);
    EXPECT_NEAR(sound->dt, 0.2 * 0.022 / 11, 1e-12);
    EXPECT_EQ(sound->pointer, "/takamatsu2011/sound_speed");
    EXPECT_EQ(limit_of(limits, StepBound::gravity), nullptr);
    EXPECT_EQ(limit_of(limits, StepBound::surface_tension), nullptr);

    // Waves on a surface: √(ρ l³/σ), so a quarter of the tension allows twice the step.
    const auto strong = takamatsu2011::time_step_limits(input_of(R"("surface_tension": 4)"));
    const auto weak = takamatsu2011::time_step_limits(input_of(R"("surface_tension": 1)"));
    ASSERT_NE(limit_of(strong, StepBound::surface_tension), nullptr);
    EXPECT_EQ(limit_of(strong, StepBound::surface_tension)->pointer, "/materials/jelly/surface_tension");
    EXPECT_NEAR(limit_of(weak, StepBound::surface_tension)->dt / limit_of(strong, StepBound::surface_tension)->dt, 2,
                1e-9);

    // A pressure that is solved for knows no sound.
    const auto solved = takamatsu2011::time_step_limits(input_of(jelly, R"("pressure": "iisph")"));
    EXPECT_EQ(limit_of(solved, StepBound::sound_speed), nullptr);
    ASSERT_NE(limit_of(solved, StepBound::gravity), nullptr);
    EXPECT_NEAR(limit_of(solved, StepBound::gravity)->dt, 0.1 * std::sqrt(0.022 / 9.81), 1e-12);

    const std::string paper = R"("takamatsu2011": { "response_time": 0.05, "fluidity": 0.75 })";
    const auto of_paper = takamatsu2011::time_step_limits(input_of(paper, R"("coefficients": "paper")"));
    ASSERT_NE(limit_of(of_paper, StepBound::shape_matching), nullptr);
    EXPECT_EQ(limit_of(of_paper, StepBound::shape_matching)->pointer, "/materials/jelly/takamatsu2011/response_time");
    EXPECT_NEAR(limit_of(of_paper, StepBound::shape_matching)->dt, 0.1, 1e-12);
}

TEST(Takamatsu2011, says_which_keys_it_cannot_honor) {
    using Remarks = std::set<std::string>;
    const auto remarks = [](const std::string& material, const std::string& settings = "") {
        return remarks_on(block(material, settings));
    };
    const std::string paper = R"("coefficients": "paper")";
    EXPECT_EQ(remarks(R"("viscosity": 1, "shear_modulus": 100, "surface_tension": 0.01)"), Remarks{});
    EXPECT_EQ(remarks(R"("shear_modulus": 100, "relaxation_time": 1, "yield_stress": 5)"),
              (Remarks{"warning /materials/jelly/relaxation_time", "warning /materials/jelly/yield_stress"}));
    EXPECT_EQ(remarks(R"("viscosity": 1)"), Remarks{"warning /materials/jelly/shear_modulus"});
    EXPECT_EQ(remarks(R"("viscosity": 1, "takamatsu2011": { "fluidity": 1 })"), Remarks{});
    EXPECT_EQ(remarks(R"("shear_modulus": 100, "takamatsu2011": { "response_time": 1 })"),
              Remarks{"error /materials/jelly/takamatsu2011/response_time"});
    EXPECT_EQ(remarks(R"("shear_modulus": 100)", paper),
              (Remarks{"error /materials/jelly/shear_modulus", "error /materials/jelly/takamatsu2011/response_time"}));
    EXPECT_EQ(remarks(R"("shear_modulus": 100)", R"("equations": "printed")"),
              Remarks{"error /takamatsu2011/equations"});
    EXPECT_EQ(remarks(R"("takamatsu2011": { "response_time": 1 })", paper + R"(, "equations": "printed")"),
              Remarks{"warning /takamatsu2011/equations"});
}

TEST(Takamatsu2011, a_block_at_rest_is_one_piece_with_its_first_shape_as_reference) {
    RunningScene run(block(R"("shear_modulus": 1e4)", "", 2, 1));
    const auto& particles = run.state().particles;
    const auto piece = particles.get<std::uint32_t>("piece"), renewals = particles.get<std::uint32_t>("renewals");
    const auto id = particles.get<std::uint32_t>("id");
    const std::uint32_t first = std::ranges::min(id);
    EXPECT_EQ(std::ranges::count(piece, first), static_cast<std::ptrdiff_t>(particles.size()));
    EXPECT_EQ(std::ranges::count(renewals, 0u), static_cast<std::ptrdiff_t>(particles.size()));
    for (const auto& rotation : particles.get<Row4<float>>("rotation")) {
        EXPECT_EQ(length(rotation.xyz()), 0);  // the unit quaternion
        EXPECT_EQ(rotation.w, 1);
    }
    for (const char* column : {"push", "impact", "pressed", "pressure"}) {
        for (const double value : run.scalars(column)) EXPECT_EQ(value, 0) << column;
    }
}

/// Free fall neither pushes nor deforms: nothing is renewed, and only gravity acts.
TEST(Takamatsu2011, free_fall_renews_nothing_and_an_impact_does) {
    const std::string soft = R"("shear_modulus": 1e4, "takamatsu2011": { "fluidity": 0.5 })";
    const auto most = [](const RunningScene& run) {
        return std::ranges::max(run.state().particles.get<std::uint32_t>("renewals"));
    };
    RunningScene falling(block(soft, "", 2, 1));
    ASSERT_TRUE(falling.advance(15)) << falling.error();
    EXPECT_EQ(most(falling), 0u);
    EXPECT_NEAR(falling.metric("momentum_y") / falling.metric("mass"), -9.81 * 0.3, 1e-3);
    // 0.3 m are fallen through after 0.25 s. Solids then push by far more than 12 (1 - 0.5) weights.
    RunningScene landing(block(soft, "", 2, 0.3));
    ASSERT_TRUE(landing.advance(25)) << landing.error();
    EXPECT_GT(most(landing), 0u);
    // The threshold decides.
    RunningScene hard(block(soft, R"("update_threshold": 1e6)", 2, 0.3));
    ASSERT_TRUE(hard.advance(25)) << hard.error();
    EXPECT_EQ(most(hard), 0u);
}

}  // namespace
}  // namespace treacle::test
