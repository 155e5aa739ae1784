#include "sim/health.h"

#include <limits>
#include <string>

#include "scene/method_input.h"
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
    std::string complaint() {
        HealthWatch<Space2f> watch;
        watch.set(scene, method_input(scene), last.sound_speed, state.signs);
        watch.begin_step(scene, state, Parallel(1));
        const auto healthy = watch.end_step(scene, state, last, Parallel(1), Log{});
        if (healthy) return "";
        EXPECT_EQ(healthy.error().code, ExitCode::diverged);
        return to_string(healthy.error());
    }

    Scene scene;
    State state{ScalarType::f32};
    StepRecord last{{0.01, StepBound::frame}, 0.2, 0};

    void densities(float first, float second, float third) {
        const auto density = state.particles.get<float>("density");
        density[0] = first, density[1] = second, density[2] = third;
    }
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
    patient.densities(1990, 1990, 1990);
    EXPECT_EQ(patient.complaint(), "");
    patient.densities(1750, 4000, 1750);
    const std::string text = patient.complaint();
    EXPECT_TRUE(says(text, "compressed by 150 % on average")) << text;
    EXPECT_TRUE(says(text, "particle 11 (honey)")) << text;
    EXPECT_TRUE(says(text, "4 times its density")) << text;
    EXPECT_TRUE(says(text, "/solids leave less room")) << text;
}

TEST(Health, blames_a_fixed_step_first) {
    Patient patient(R"(, "fixed_dt": 0.01)");
    patient.last.dt = {0.01, StepBound::fixed_dt};
    patient.densities(2500, 2500, 2500);
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

TEST(Health, never_advises_steps_that_would_not_end) {
    Patient patient;
    patient.velocity()[2].x = std::numeric_limits<float>::quiet_NaN();
    patient.last.dt = {4e-20, StepBound::springs};
    const std::string text = patient.complaint();
    EXPECT_FALSE(says(text, "max_dt")) << text;
    EXPECT_TRUE(says(text, "too stiff, too light or too fast")) << text;
    EXPECT_TRUE(says(text, "/materials/jelly/shear_modulus")) << text;
}

/// A pool of 40 x 20 particles at rest, in a scene whose fastest fall is 0.2 m.
struct Pool {
    explicit Pool(const std::string& material = "")
        : scene(scene_from(R"({ "treacle": 1, "method": "clavet2005",
      "dimension": 2, "particle_spacing": 0.01, "time": { "duration": 1, "fps": 50 },
      "materials": { "a": { "density": 1000)" +
                           material + R"( } },
      "fluids": [ { "material": "a", "shape": { "box": { "center": [0.2, 0.1], "size": [0.4, 0.2] } } } ] })")) {
        state.particles.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            position()[i] = Vec3<float>{0.01F * static_cast<float>(i % 40), 0.01F * static_cast<float>(i / 40), 0};
            state.particles.get<float>("density")[i] = 1000;
            state.particles.get<float>("mass")[i] = 0.1F;
            state.particles.get<std::uint32_t>("id")[i] = static_cast<std::uint32_t>(i);
        }
        begin();
    }
    void begin() {
        watch.set(scene, method_input(scene), 0, state.signs);
        watch.begin_step(scene, state, parallel);
    }
    std::span<Row4<float>> position() { return state.particles.get<Row4<float>>("position"); }
    std::span<Row4<float>> velocity() { return state.particles.get<Row4<float>>("velocity"); }
    std::span<float> density() { return state.particles.get<float>("density"); }

    /// Every particle gets this speed within the step.
    void kick(float speed) {
        for (auto& v : velocity()) v = Vec3<float>{speed, 0, 0};
    }
    std::string after_step() {
        Log log;
        log.warning = [&](const std::string& text) { warnings += text; };
        const auto healthy = watch.end_step(scene, state, last, parallel, log);
        return healthy ? "" : to_string(healthy.error());
    }
    std::string after_frame() {
        Neighbors<Space2f> neighbors;
        neighbors.update(position(), 0.03, parallel, no_period);
        const auto healthy = watch.end_frame(scene, state, last, neighbors, parallel);
        return healthy ? "" : to_string(healthy.error());
    }

    static constexpr std::size_t count = 800;
    Scene scene;
    State state{ScalarType::f32};
    Parallel parallel{1};
    HealthWatch<Space2f> watch;
    StepRecord last{{0.001, StepBound::particle_speed}, 0.03, 0};
    std::string warnings;
};

TEST(Health, warns_of_a_handful_of_strays_once) {
    Pool pool;
    pool.velocity()[7].x = 50;
    EXPECT_EQ(pool.after_step(), "");
    EXPECT_TRUE(says(pool.warnings, "1 of 800 particles are faster than")) << pool.warnings;
    pool.warnings.clear();
    pool.begin();
    EXPECT_EQ(pool.after_step(), "");
    EXPECT_EQ(pool.warnings, "");
}

TEST(Health, asks_for_more_than_a_handful_of_strays) {
    Pool pool;
    for (std::size_t i = 0; i < 5; ++i) pool.velocity()[i].x = 50;
    EXPECT_TRUE(says(pool.after_step(), "5 of 800 particles are faster than"));
}

/// What the pool may get from errors of its packing is m g H / 8: (1/2) sqrt(9.81 x 0.2) m/s = 0.7 m/s for all of it.
TEST(Health, asks_where_energy_comes_from) {
    Pool calm;
    calm.kick(1.3F);  // a tenth of the sound, 10 sqrt(g 0.2 m), is 1.4 m/s
    EXPECT_EQ(calm.after_step(), "");
    Pool wild;
    wild.kick(1.5F);
    EXPECT_TRUE(says(wild.after_step(), "energy of the fluid rose by"));
}

TEST(Health, adds_up_what_comes_in_small_portions) {
    Pool pool;
    std::string complaint;
    for (int step = 1; step <= 40 && complaint.empty(); ++step) {
        pool.kick(0.05F * static_cast<float>(step));
        complaint = pool.after_step();
        if (step == 26) EXPECT_EQ(complaint, "");
        pool.begin();
    }
    EXPECT_TRUE(says(complaint, "energy of the fluid rose by"));
}

TEST(Health, knows_what_a_fall_gives) {
    Pool pool;
    for (auto& x : pool.position()) x = Vec3<float>{x.x, x.y - 1, 0};
    pool.kick(4.4F);  // sqrt(2 g)
    EXPECT_EQ(pool.after_step(), "");
}

/// Jelly gives back what it has taken, a liquid has turned it into heat.
TEST(Health, knows_that_elastic_fluid_stores_energy) {
    for (const bool elastic : {false, true}) {
        Pool pool(elastic ? R"(, "shear_modulus": 1000)" : "");
        pool.kick(3);
        pool.begin();
        pool.kick(0);
        EXPECT_EQ(pool.after_step(), "");
        for (int step = 0; step < 2000; ++step) {
            pool.begin();
            EXPECT_EQ(pool.after_step(), "");
        }
        pool.begin();
        pool.kick(2.9F);
        EXPECT_EQ(pool.after_step().empty(), elastic);
    }
}

TEST(Health, knows_the_work_of_solids) {
    for (const bool pushed : {false, true}) {
        Pool pool;
        Body piston;
        piston.velocity = {1, 0, 0};
        if (pushed) piston.force = {-160 / 0.001, 0, 0};  // on the piston: the fluid of 80 kg/m got 2 m/s
        pool.state.bodies.push_back(piston);
        pool.begin();
        pool.kick(2);
        EXPECT_EQ(pool.after_step().empty(), pushed);
    }
}

TEST(Health, asks_for_steps_that_shrink_to_nothing) {
    Pool pool;
    EXPECT_EQ(pool.after_step(), "");
    pool.last.dt = {0.9e-5, StepBound::elasticity};
    std::string complaint;
    int steps = 0;
    for (; steps < 200 && complaint.empty(); ++steps) complaint = pool.after_step();
    EXPECT_EQ(steps, 100);
    EXPECT_TRUE(says(complaint, "less than a hundredth of the longest before")) << complaint;
    Pool chosen;
    chosen.after_step();
    chosen.last.dt = {0.9e-5, StepBound::solid_speed};
    for (steps = 0; steps < 200; ++steps) EXPECT_EQ(chosen.after_step(), "");
}

TEST(Health, asks_for_lost_volume) {
    Pool pool;
    for (std::size_t i = 0; i < Pool::count / 2; ++i) pool.density()[i] = 1400;
    EXPECT_EQ(pool.after_step() + pool.after_frame(), "") << "a seventh is lost";
    for (float& rho : pool.density()) rho = 1300;
    EXPECT_EQ(pool.after_step(), "");
    EXPECT_TRUE(says(pool.after_frame(), "has lost 23 % of its volume"));
}

TEST(Health, asks_for_gained_volume) {
    Pool pool;
    for (float& rho : pool.density()) rho = 1000 / 1.3F;
    for (auto& x : pool.position()) x = Vec3<float>{1.14F * x.x, 1.14F * x.y, 0};
    pool.begin();
    EXPECT_EQ(pool.after_step(), "");
    EXPECT_TRUE(says(pool.after_frame(), "has gained 30 % of its volume"));
    pool.kick(2);  // spray
    pool.begin();
    EXPECT_EQ(pool.after_step() + pool.after_frame(), "");
}

}  // namespace
}  // namespace treacle::test
