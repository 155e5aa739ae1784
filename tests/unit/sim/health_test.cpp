#include "sim/health.h"

#include <limits>
#include <string>

#include "support/run_scene.h"

namespace treacle::test {
namespace {

/// Three particles at rest, of two materials.
struct Patient {
    explicit Patient(const std::string& time = "")
        : scene(scene_from(R"({ "treacle": 1, "method": "clavet2005",
      "dimension": 2, "particle_spacing": 0.1, "time": { "duration": 1, "fps": 50)" +
                           time + R"( },
      "materials": { "honey": { "density": 1000 }, "jelly": { "density": 1000, "shear_modulus": 100 } },
      "fluids": [ { "material": "honey", "shape": { "box": { "center": [0, 0], "size": [0.3, 0.3] } } } ] })")) {
        state.particles.resize(3);
        for (std::size_t i = 0; i < 3; ++i) {
            position()[i] = Vec3<float>{static_cast<float>(i), 0, 0};
            state.particles.get<float>("density")[i] = 1000;
            state.particles.get<std::uint32_t>("id")[i] = static_cast<std::uint32_t>(10 + i);
            state.particles.get<std::uint8_t>("material")[i] = i == 2;
        }
        state.step = 7, state.frame = 3, state.time = 0.05;
    }
    std::span<Row4<float>> position() { return state.particles.get<Row4<float>>("position"); }
    std::span<Row4<float>> velocity() { return state.particles.get<Row4<float>>("velocity"); }

    /// The message; empty if all is well.
    std::string complaint() const {
        const auto healthy = check_health<Space2f>(scene, state, last, Parallel(1));
        if (healthy) return "";
        EXPECT_EQ(healthy.error().code, ExitCode::diverged);
        return to_string(healthy.error());
    }

    Scene scene;
    State state{ScalarType::f32};
    StepRecord last{{0.01, StepBound::frame}, {}, 0.2, 0};
};

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Health, is_good_at_rest_and_without_particles) {
    Patient patient;
    EXPECT_EQ(patient.complaint(), "");
    patient.state.particles.resize(0);
    EXPECT_EQ(patient.complaint(), "");
}

TEST(Health, asks_for_particles_that_are_nowhere) {
    for (const float place : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        Patient patient;
        patient.position()[1].y = place;
        const std::string text = patient.complaint();
        EXPECT_TRUE(says(text, "1 of 3 particles are lost")) << text;
        EXPECT_TRUE(says(text, "particle 11 (honey)")) << text;
        EXPECT_TRUE(says(text, "in step 7 of frame 4")) << text;
    }
}

TEST(Health, asks_for_speeds_that_are_not_numbers) {
    Patient patient;
    patient.velocity()[2].x = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(says(patient.complaint(), "particle 12 (jelly)")) << patient.complaint();
}

TEST(Health, asks_for_particles_that_cross_five_radii_in_a_step) {
    Patient patient;
    patient.velocity()[0].x = 99;  // 5 × 0.2 m in 0.01 s are 100 m/s
    EXPECT_EQ(patient.complaint(), "");
    patient.velocity()[0].x = 101;
    EXPECT_TRUE(says(patient.complaint(), "faster than 100 m/s")) << patient.complaint();
}

TEST(Health, asks_for_particles_that_outrun_sound_and_fall) {
    Patient patient;
    patient.last.sound_speed = 2;  // 10 × 2 m/s and 2 × 9.81 m/s² × 0.05 s
    patient.velocity()[0].x = 20.9F;
    EXPECT_EQ(patient.complaint(), "");
    patient.velocity()[0].x = 21.1F;
    EXPECT_TRUE(says(patient.complaint(), "faster than 21 m/s")) << patient.complaint();
}

TEST(Health, asks_for_fluid_pressed_to_half_its_volume) {
    Patient patient;
    patient.last.report.density_error_mean = 0.99;
    EXPECT_EQ(patient.complaint(), "");
    patient.last.report.density_error_mean = 1.5;
    patient.state.particles.get<float>("density")[1] = 4000;
    const std::string text = patient.complaint();
    EXPECT_TRUE(says(text, "compressed by 150 % on average")) << text;
    EXPECT_TRUE(says(text, "particle 11 (honey)")) << text;
    EXPECT_TRUE(says(text, "4 times its density")) << text;
    EXPECT_TRUE(says(text, "/solids leave less room")) << text;
}

TEST(Health, blames_a_fixed_step_first) {
    Patient patient(R"(, "fixed_dt": 0.01)");
    patient.last.dt = {0.01, StepBound::fixed_dt};
    patient.last.report.density_error_mean = 1.5;
    EXPECT_TRUE(says(patient.complaint(), "The likely cause is /time/fixed_dt")) << patient.complaint();
    EXPECT_TRUE(says(patient.complaint(), "--set /time/fixed_dt=0.005")) << patient.complaint();
}

/// The worst particle is jelly.
std::string cause(StepBound bound, const std::string& pointer = "") {
    Patient patient;
    patient.velocity()[2].x = 1000;
    patient.last.dt = {0.01, bound, pointer};
    const std::string text = patient.complaint(), begin = "the likely cause is ";
    EXPECT_TRUE(says(text, std::string("was limited by ") + text_of(bound))) << text;
    const std::size_t from = text.find(begin) + begin.size();
    return text.substr(from, text.find(": try") - from);
}

TEST(Health, names_the_parameter_behind_every_bound) {
    EXPECT_EQ(cause(StepBound::shape_matching, "/materials/jelly/shear_modulus"), "/materials/jelly/shear_modulus");
    EXPECT_EQ(cause(StepBound::viscosity, "/materials/honey/viscosity"), "/materials/honey/viscosity");
    EXPECT_EQ(cause(StepBound::surface_tension, "/materials/honey/surface_tension"),
              "/materials/honey/surface_tension");
    EXPECT_EQ(cause(StepBound::gravity, "/gravity"), "/gravity");
    EXPECT_EQ(cause(StepBound::sound_speed, "/takamatsu2011/sound_speed"), "/takamatsu2011/sound_speed");
    EXPECT_EQ(cause(StepBound::depth_pressure, "/gravity"), "the depth of the fluid under /gravity");
    EXPECT_EQ(cause(StepBound::pressure), "a depth or an impact that presses harder than the step before told");
    EXPECT_EQ(cause(StepBound::solid_speed), "the motion of a solid");
    EXPECT_EQ(cause(StepBound::particle_speed), "a speed of the scene (velocity, speed, motion)");
    for (const StepBound bound : {StepBound::max_dt, StepBound::frame, StepBound::method})
        EXPECT_EQ(cause(bound), "the step");
}

TEST(Health, looks_at_the_worst_particle_where_the_limit_names_no_material) {
    EXPECT_EQ(cause(StepBound::springs), "/materials/jelly/shear_modulus");
    EXPECT_EQ(cause(StepBound::elasticity), "/materials/jelly/shear_modulus");
    EXPECT_EQ(cause(StepBound::viscosity), "/materials/jelly/viscosity");
}

}  // namespace
}  // namespace treacle::test
