#include "sim/preflight.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "unit/scene/scene_text.h"

namespace treacle {
namespace {

/// Warnings about the small scene in 2D with one value changed.
Texts warnings_with(const std::string& pointer, const std::string& value) {
    return predict(scene_of(with(small_scene_2d, pointer, value))).warnings;
}

bool any_begins(const Texts& warnings, const std::string& start) {
    return std::any_of(warnings.begin(), warnings.end(), [&](const auto& text) { return text.starts_with(start); });
}

std::string dynamic_ball(const std::string& dynamic) {
    return R"([{"name": "ball", "shape": {"sphere": {"center": [0.5, 0.5], "radius": 0.02}}, "motion": {"dynamic": )" +
           dynamic + "}}]";
}

std::string plate(const std::string& motion) {
    return R"([{"name": "plate", "shape": {"box": {"center": [0.5, 0.5], "size": [0.1, 0.1]}}, "motion": )" + motion +
           "}]";
}

TEST(PreflightWarnings, tells_of_what_is_too_fast_for_any_step) {
    const auto jump = [](const char* time) {
        return plate(R"({"keyframes": [{"time": 0}, {"time": )" + std::string(time) + R"(, "position": [0.1, 0]}]})");
    };
    const Texts fast = warnings_with("/solids", jump("1e-9"));
    ASSERT_TRUE(any_begins(fast, "/solids/0/motion: 1e+08 m/s takes about ")) << testing::PrintToString(fast);
    EXPECT_TRUE(warnings_with("/solids", jump("0.5")).empty());
    EXPECT_TRUE(any_begins(warnings_with("/solids", plate(R"({"velocity": [1e5, 0]})")), "/solids/0/motion: "));
    EXPECT_TRUE(any_begins(warnings_with("/fluids/0/velocity", "[1e5, 0]"), "/fluids/0/velocity: 1e+05 m/s"));
    const auto emitter = [](const char* speed) {
        return R"([{"material": "honey", "shape": {"disk": {"radius": 0.03}}, "position": [0.3, 0.5],
                   "direction": [0, -1], "max_particles": 100, "speed": )" +
               std::string(speed) + "}]";
    };
    EXPECT_TRUE(any_begins(warnings_with("/emitters", emitter("1e5")), "/emitters/0/speed: 1e+05 m/s"));
    EXPECT_TRUE(warnings_with("/emitters", emitter("0.5")).empty());
}

TEST(PreflightWarnings, counts_the_steps_that_moving_solids_ask_for) {
    const auto steps_at = [](const char* speed) {
        Json scene = with(small_scene_2d, "/solids", plate("{\"velocity\": [" + std::string(speed) + ", 0]}"));
        scene.set("method", "takahashi2014");  // it has no sound speed, which would limit the step as well
        return predict(scene_of(scene)).steps;
    };
    EXPECT_NEAR(steps_at("1e5") / steps_at("5e4"), 2, 1e-3);
    EXPECT_EQ(steps_at("1e-3"), steps_at("1e-6"));
}

TEST(PreflightWarnings, tells_of_bodies_lighter_than_a_particle) {
    const Texts light = warnings_with("/solids", dynamic_ball(R"({"mass": 1e-12})"));
    EXPECT_TRUE(any_begins(light, "/solids/0/motion/dynamic: weighs 1e-12 kg, less than a particle"))
        << testing::PrintToString(light);
    EXPECT_TRUE(
        any_begins(warnings_with("/solids", dynamic_ball(R"({"density": 0.001})")), "/solids/0/motion/dynamic"));
    EXPECT_TRUE(warnings_with("/solids", dynamic_ball(R"({"density": 500})")).empty());
}

TEST(PreflightWarnings, overlap_is_counted_for_who_asks) {
    Scene scene = scene_of(json_of(small_scene_2d));
    EXPECT_EQ(count_overlap(scene), std::size_t{0});
    scene = scene_of(with(small_scene_2d, "/solids", R"([{"name": "ball", "shape": {"sphere": {"radius": 0.03,
        "center": [0.05, 0.5]}}}])"));
    EXPECT_TRUE(predict(scene).warnings.empty()) << "a run lays the particles anyway and tells then";
    EXPECT_GT(count_overlap(scene).value(), 5u);
    EXPECT_LT(count_overlap(scene).value(), 30u);
}

}  // namespace
}  // namespace treacle
