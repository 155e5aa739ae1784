#include "sim/preflight.h"

#include <algorithm>

#include "support/run_scene.h"

namespace treacle::test {
namespace {

/// 20 by 10 particles that fall for a second; `more` is added to the scene.
Scene block(const std::string& time = "", const std::string& more = "") {
    return scene_from(R"({ "treacle": 1, "method": "takahashi2014", "dimension": 2, "particle_spacing": 0.01,
      "time": { "duration": 1, "fps": 25)" +
                      time + R"( },
      "materials": { "honey": { "viscosity": 5, "shear_modulus": 100000 } },
      "fluids": [ { "material": "honey", "shape": { "box": { "center": [0, 1], "size": [0.2, 0.1] } } } ])" +
                      more + " }");
}

bool mentions(const std::vector<std::string>& warnings, const std::string& part) {
    return std::ranges::any_of(warnings, [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

TEST(Preflight, counts_particles_and_frames) {
    const Preflight found = predict(block());
    EXPECT_NEAR(found.particles, 200, 1e-9);
    ASSERT_EQ(found.fluids.size(), 1u);
    EXPECT_EQ(found.fluids[0].name, "honey");
    EXPECT_EQ(found.frames, 26);
    EXPECT_GT(found.memory_bytes, 25e6);
    EXPECT_GT(found.bytes_per_frame, 200 * 12);
    EXPECT_GT(found.available_bytes, 0);
    EXPECT_TRUE(found.warnings.empty());
}

TEST(Preflight, counts_what_is_to_be_emitted) {
    const Preflight found = predict(block("", R"(, "emitters": [ { "material": "honey", "speed": 1, "end": 0.5,
      "shape": { "disk": { "radius": 0.03 } }, "position": [0, 2], "direction": [0, -1] } ])"));
    ASSERT_EQ(found.fluids.size(), 2u);
    EXPECT_EQ(found.fluids[1].name, "honey to be emitted");
    EXPECT_NEAR(found.fluids[1].particles, 51 * 6, 1e-9);
    EXPECT_NEAR(found.particles, 200 + 51 * 6, 1e-9);
}

TEST(Preflight, has_as_many_steps_as_the_smallest_bound_asks_for) {
    const Preflight found = predict(block());
    double dt = 1e9;
    for (const TimeStepLimit& limit : found.time_step_limits) dt = std::min(dt, limit.dt);
    EXPECT_LT(dt, 0.01);
    EXPECT_NEAR(found.steps, 25 * std::ceil(0.04 / dt), 1);
    const auto has = [&](const std::vector<TimeStepLimit>& limits, StepBound bound) {
        return std::ranges::any_of(limits, [&](const TimeStepLimit& limit) { return limit.bound == bound; });
    };
    EXPECT_TRUE(has(found.time_step_limits, StepBound::gravity));
    EXPECT_TRUE(has(found.time_step_limits, StepBound::elasticity));
    EXPECT_TRUE(has(found.time_step_limits, StepBound::frame));
    EXPECT_FALSE(has(found.time_step_limits, StepBound::max_dt));
    const Preflight short_steps = predict(block(R"(, "max_dt": 1e-5)"));
    EXPECT_TRUE(has(short_steps.time_step_limits, StepBound::max_dt));
    EXPECT_EQ(short_steps.steps, 25 * 4000);
}

TEST(Preflight, warns_of_fixed_steps_that_are_too_long_and_says_for_what) {
    const Preflight found = predict(block(R"(, "fixed_dt": 0.02)"));
    EXPECT_TRUE(mentions(found.warnings, "/time/fixed_dt: 0.02 s is more than the "));
    EXPECT_TRUE(mentions(found.warnings, " s that gravity allows"));
    EXPECT_TRUE(mentions(found.warnings, " s that elasticity allows"));
    EXPECT_EQ(found.steps, 25 * 2);
    EXPECT_TRUE(predict(block(R"(, "fixed_dt": 1e-5)")).warnings.empty());
}

TEST(Preflight, warns_of_frames_that_are_not_written) {
    Scene scene = block();
    scene.output.formats.clear();
    EXPECT_TRUE(mentions(predict(scene).warnings, "/output/formats: is empty"));
    scene.output.formats = {"vtp"};
    EXPECT_TRUE(mentions(predict(scene).warnings, "has no \"ply\""));
}

TEST(Preflight, refuses_what_does_not_fit_and_says_what_would) {
    const Scene scene = block();
    Preflight found = predict(scene);
    EXPECT_TRUE(refuse_if_too_large(scene, found));
    found.memory_bytes = 4e9;
    found.available_bytes = 1e9 / 0.8;  // four times too large
    const auto refused = refuse_if_too_large(scene, found);
    ASSERT_FALSE(refused);
    const std::string text = to_string(refused.error());
    EXPECT_NE(text.find("/particle_spacing"), std::string::npos) << text;
    EXPECT_NE(text.find("A spacing of about 0.021 m would fit"), std::string::npos) << text;  // √4 and 5 %
}

}  // namespace
}  // namespace treacle::test
