#include "methods/clavet2005/calibration.h"

#include <cmath>
#include <numbers>

#include "scene/method_input.h"
#include "support/run_scene.h"
#include "support/scene_remarks.h"

namespace treacle::test {
namespace {

using namespace clavet2005;

/// A block of one material in free fall.
std::string block(const std::string& material, const std::string& settings = "", int dimension = 3,
                  const std::string& time = "") {
    const bool flat = dimension == 2;
    return R"({ "treacle": 1, "method": "clavet2005", "particle_spacing": 0.01, "dimension": )" +
           std::to_string(dimension) + R"(, "time": { "duration": 1, "fps": 50)" + time + R"( }, "clavet2005": { )" +
           settings + R"( }, "materials": { "slime": { )" + material + R"( } },
      "fluids": [ { "material": "slime", "shape": { "box": { "center": )" +
           (flat ? "[0, 1]" : "[0, 1, 0]") + R"(, "size": )" + (flat ? "[0.1, 0.1]" : "[0.1, 0.1, 0.1]") + " } } } ] }";
}

MethodInput input_of(const std::string& material, const std::string& settings = "", int dimension = 3) {
    return method_input(scene_from(block(material, settings, dimension)));
}

OwnCoefficients::OfMaterial slime(const std::string& material, const std::string& settings = "", int dimension = 3) {
    return coefficients(input_of(material, settings, dimension)).materials[0];
}

/// Sums over a lattice against the integrals of the same functions over a ball with the lattice's number density.
TEST(Clavet2005, packing_sums_approach_the_integrals_for_wide_supports) {
    const double h = 12, pi = std::numbers::pi;
    const PackingSums disc = packing_sums(2, 1, h), ball = packing_sums(3, 1, h);
    EXPECT_NEAR(disc.count / (pi * h * h), 1, 0.03);
    EXPECT_NEAR(disc.density / (2 * pi * h * h / 12), 1, 0.02);  // ∫ (1-q)² 2π q dq = 2π/12
    EXPECT_NEAR(disc.weighted_square / (2 * pi * h * h * h * h / 20), 1, 0.005);
    EXPECT_NEAR(ball.count / (4 * pi / 3 * h * h * h), 1, 0.03);
    EXPECT_NEAR(ball.density / (4 * pi * h * h * h / 30), 1, 0.005);  // ∫ (1-q)² 4π q² dq = 4π/30
    EXPECT_NEAR(ball.weighted_square / (4 * pi * std::pow(h, 5) / 30), 1, 0.005);
    double count = 0;
    for (const auto& shell : ball.shells) count += shell.count;
    EXPECT_NEAR(count, ball.count, 1e-9 * count);
}

/// An isotropic network of springs of stiffness (ρ V/2) k w has G = ρ k Σ w r² / (4 D (D+2)).
TEST(Clavet2005, springs_have_the_shear_modulus_of_the_material) {
    for (const int dimension : {2, 3}) {
        const auto input = input_of(R"("density": 1200, "shear_modulus": 500)", "", dimension);
        const OwnCoefficients c = coefficients(input);
        const double sum = packing_sums(dimension, 0.01, c.support_radius).weighted_square;
        const double modulus = 1200 * c.materials[0].spring_stiffness * sum / (4 * dimension * (dimension + 2));
        EXPECT_NEAR(modulus, 500, 1e-9) << dimension;
    }
}

TEST(Clavet2005, relaxation_and_yield_are_those_of_the_springs) {
    const auto c = slime(R"("shear_modulus": 500, "relaxation_time": 0.25, "yield_stress": 100)");
    EXPECT_DOUBLE_EQ(c.creep_rate, 4);
    EXPECT_DOUBLE_EQ(c.yield_stretch, 0.5 * 100 / 500);
    EXPECT_EQ(c.yield_compress, c.yield_stretch);
    EXPECT_TRUE(c.renews_springs);
    const auto elastic = slime(R"("shear_modulus": 500)");
    EXPECT_EQ(elastic.creep_rate, 0);
    EXPECT_FALSE(elastic.renews_springs);
}

/// For short steps σ = 8 D (D+2) ν / Σ w r², and halves of a step have the same viscosity as the whole.
TEST(Clavet2005, impulses_have_the_viscosity_of_the_material_at_any_step) {
    for (const int dimension : {2, 3}) {
        const double nu = 2e-3, h = 0.03;
        const PackingSums packing = packing_sums(dimension, 0.01, h);
        const ViscosityCalibration calibration(dimension, packing.shells);
        const double limit = 8 * dimension * (dimension + 2) * nu / packing.weighted_square;
        EXPECT_NEAR(calibration.linear_viscosity(nu, 1e-9) / limit, 1, 1e-4) << dimension;
        const double dt = calibration.longest_sweep(nu), sigma = calibration.linear_viscosity(nu, dt);
        EXPECT_GT(sigma, 1.02 * limit);  // impulses saturate, so that long sweeps need more
        double sum = 0;                  // ν dt by its definition
        for (const auto& shell : packing.shells)
            sum += shell.count * (1 - std::exp(-sigma * shell.w * dt)) * shell.square;
        EXPECT_NEAR(sum / (8 * dimension * (dimension + 2)) / (nu * dt), 1, 1e-3) << dimension;
        EXPECT_EQ(calibration.linear_viscosity(0, 1e-3), 0);
    }
}

/// p/ρ = (h/2D)[k (ρ-ρ0) S1 + k_near ρn S2 - A Sg] vanishes at the given spacing.
TEST(Clavet2005, fluid_at_its_spacing_has_no_pressure) {
    for (const int dimension : {2, 3}) {
        for (const char* material : {R"("density": 1000)", R"("density": 1000, "surface_tension": 0.4)"}) {
            const OwnCoefficients own = coefficients(input_of(material, R"("sound_speed": 10)", dimension));
            const auto& c = own.materials[0];
            const PackingSums& sums = own.packing;
            const double near = c.near_stiffness * sums.near_density * sums.s2;
            const double pressure =
                c.stiffness * (sums.density - c.rest_density) * sums.s1 + near - c.cohesion * sums.sg;
            EXPECT_NEAR(pressure / near, 0, 1e-9) << dimension << material;
        }
    }
}

TEST(Clavet2005, stiffness_grows_with_the_square_of_the_sound_speed) {
    const auto slow = slime(R"("density": 1000)", R"("sound_speed": 5)");
    const auto fast = slime(R"("density": 1000)", R"("sound_speed": 20)");
    EXPECT_NEAR(fast.stiffness / slow.stiffness, 16, 1e-9);
    EXPECT_DOUBLE_EQ(slow.near_stiffness, 0.2 * slow.stiffness);  // near_ratio
    EXPECT_NEAR(fast.rest_density, slow.rest_density, 1e-12);
}

/// Weight alone asks for less than speeds do: the own stress of the pressure grows with the square.
TEST(Clavet2005, sound_is_slower_where_only_weight_asks_for_it) {
    MethodInput input = input_of(R"("density": 1000)");
    input.fluid_height = 0.4, input.fall_height = 0, input.speed = 0, input.fastest_shear_wave = 0;
    const double weight = std::sqrt(input.strongest_gravity * input.fluid_height);
    EXPECT_NEAR(coefficients(input).sound_speed / weight, 6, 1e-9);
    input.speed = 2 * weight;
    EXPECT_NEAR(coefficients(input).sound_speed / weight, 10, 1e-9);
}

TEST(Clavet2005, paper_coefficients_are_taken_as_they_are) {
    const Scene scene = scene_from(block(
        R"("clavet2005": { "stiffness": 0.004, "near_stiffness": 0.01, "rest_density": 10, "linear_viscosity": 0.5,
           "quadratic_viscosity": 0.25, "spring_stiffness": 0.3, "plasticity": 0.125, "yield_ratio": 0.1,
           "stickiness": 7, "stick_distance": 0.02 })",
        R"("coefficients": "paper")", 2, R"(, "fixed_dt": 0.02)"));
    const OwnCoefficients own = coefficients(method_input(scene));
    const auto& c = own.materials[0];
    EXPECT_EQ(c.stiffness, 0.004);
    EXPECT_EQ(c.near_stiffness, 0.01);
    EXPECT_EQ(c.rest_density, 10);
    EXPECT_EQ(c.linear_viscosity, 0.5);
    EXPECT_EQ(c.quadratic_viscosity, 0.25);
    EXPECT_EQ(c.spring_stiffness, 0.3);
    EXPECT_EQ(c.creep_rate, 0.125);
    EXPECT_EQ(c.yield_stretch, 0.1);
    EXPECT_EQ(c.yield_compress, 0.1);
    EXPECT_EQ(own.stick_strength, 7);
    EXPECT_EQ(own.stick_distance, 0.02);
    EXPECT_TRUE(stability_limits(own, 0).empty());  // nothing is known of their units
}

const TimeStepLimit* limit_of(const std::vector<TimeStepLimit>& limits, StepBound bound) {
    for (const TimeStepLimit& limit : limits) {
        if (limit.bound == bound) return &limit;
    }
    return nullptr;
}

TEST(Clavet2005, steps_are_limited_by_sound_by_springs_or_by_viscosity) {
    const auto sound = clavet2005::time_step_limits(input_of(R"("density": 1000)", R"("sound_speed": 20)"));
    ASSERT_EQ(sound.size(), 1u);
    EXPECT_EQ(sound[0].bound, StepBound::sound_speed);
    EXPECT_EQ(sound[0].pointer, "/clavet2005/sound_speed");
    // (ω dt)² <= 4/3 with ω = 1.95 c/h √1.15, and half of it is taken.
    EXPECT_NEAR(sound[0].dt, 0.5 * std::sqrt(4.0 / 3 / 1.15) * 0.0255 / (1.95 * 20), 1e-9);

    const std::string stiff = R"("shear_modulus": 5e7)";
    const auto springs = clavet2005::time_step_limits(input_of(stiff, R"("sound_speed": 20)"));
    EXPECT_NE(limit_of(springs, StepBound::springs), nullptr);
    EXPECT_EQ(limit_of(springs, StepBound::sound_speed), nullptr);

    // Solved for the end of the step, viscosity is no limit; one pair after the other it is.
    EXPECT_EQ(limit_of(clavet2005::time_step_limits(input_of(R"("viscosity": 1000)", R"("sound_speed": 20)")),
                       StepBound::viscosity),
              nullptr);
    const std::string sweeps = R"("sound_speed": 20, "sweep": "sequential")";
    const auto thin = clavet2005::time_step_limits(input_of(R"("viscosity": 10)", sweeps));
    const auto thick = clavet2005::time_step_limits(input_of(R"("viscosity": 1000)", sweeps));
    ASSERT_NE(limit_of(thin, StepBound::viscosity), nullptr);
    EXPECT_NEAR(limit_of(thin, StepBound::viscosity)->dt / limit_of(thick, StepBound::viscosity)->dt, 100, 1e-6);
}

TEST(Clavet2005, steps_are_shorter_in_compressed_fluid) {
    const OwnCoefficients c = coefficients(input_of(R"("density": 1000)"));
    EXPECT_NEAR(stability_limits(c, 0)[0].dt / stability_limits(c, 0.1)[0].dt, 1.1 * 1.1, 1e-9);
}

TEST(Clavet2005, says_which_keys_it_cannot_honor) {
    using Remarks = std::set<std::string>;
    const auto remarks = [](const std::string& material, const std::string& settings = "") {
        return remarks_on(block(material, settings));
    };
    EXPECT_EQ(remarks(R"("viscosity": 1, "shear_modulus": 100, "relaxation_time": 1, "yield_stress": 5)"), Remarks{});
    EXPECT_EQ(remarks(R"("relaxation_time": 1)"), Remarks{"warning /materials/slime/relaxation_time"});
    EXPECT_EQ(remarks(R"("yield_stress": 1)"), Remarks{"warning /materials/slime/yield_stress"});
    EXPECT_EQ(remarks(R"("shear_modulus": 100, "yield_stress": 1)"),
              Remarks{"warning /materials/slime/yield_stress"});  // it would never flow
    EXPECT_EQ(remarks(R"("surface_tension": 100)", R"("sound_speed": 5)"),
              Remarks{"warning /materials/slime/surface_tension"});
    EXPECT_EQ(remarks(R"("clavet2005": { "plasticity": 1 })"), Remarks{"error /materials/slime/clavet2005/plasticity"});
    EXPECT_EQ(remarks("", R"("equations": "printed")"), Remarks{"error /clavet2005/equations"});
    EXPECT_EQ(remarks(R"("viscosity": 1, "clavet2005": { "stiffness": 1, "near_stiffness": 1 })",
                      R"("coefficients": "paper")"),
              (Remarks{"error /time/fixed_dt", "error /materials/slime/viscosity",
                       "error /materials/slime/clavet2005/rest_density"}));
}

/// Only gravity acts on a block that falls freely, and all particles fall alike.
TEST(Clavet2005, a_settled_block_falls_as_one) {
    RunningScene run(block(R"("viscosity": 1)", "", 2));
    EXPECT_LT(run.metric("density_error_mean"), 0.05);  // known before the first step
    ASSERT_TRUE(run.advance(5)) << run.error();
    EXPECT_NEAR(run.metric("momentum_y") / run.metric("mass"), -9.81 * 0.1, 1e-3);
    EXPECT_NEAR(run.metric("momentum_x") / run.metric("mass"), 0, 1e-3);
    for (const double pressed : run.scalars("pressed")) EXPECT_EQ(pressed, 0);  // no wall is near
}

}  // namespace
}  // namespace treacle::test
