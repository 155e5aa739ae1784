#include "scene/method_input.h"

#include <gtest/gtest.h>

#include "math/reproducible.h"
#include "unit/scene/scene_text.h"

namespace treacle {
namespace {

TEST(MethodInput, holds_what_the_scene_says) {
    const MethodInput input = method_input(scene_of(with(small_scene_2d, "/time/fixed_dt", "0.0033333333333")));
    EXPECT_EQ(input.dimension, 2);
    EXPECT_EQ(input.spacing, 0.01);
    EXPECT_EQ(input.gravity, (Vec3d{0, -9.81, 0}));
    EXPECT_EQ(input.fixed_dt, 0.0033333333333);
    ASSERT_EQ(input.materials.size(), 1u);
    EXPECT_EQ(input.materials[0].density, 1400);
    EXPECT_EQ(input.speed, 0);
}

TEST(MethodInput, heights_down_to_the_floor) {
    const MethodInput input = method_input(scene_of(json_of(small_scene_2d)));
    EXPECT_NEAR(input.fluid_height, 0.2, 1e-12);
    EXPECT_NEAR(input.fall_height, 0.6, 1e-12);
}

TEST(MethodInput, without_a_floor_the_fluid_is_its_own) {
    const MethodInput input = method_input(scene_of(with(small_scene_3d, "/solids", "[]")));
    EXPECT_NEAR(input.fall_height, 0.2, 1e-12);
}

TEST(MethodInput, gravity_decides_what_is_down) {
    const MethodInput sideways = method_input(scene_of(with(small_scene_2d, "/gravity", "[3, 0]")));
    EXPECT_NEAR(sideways.fluid_height, 0.1, 1e-12);
    EXPECT_NEAR(sideways.fall_height, 0.1, 1e-12) << "the floor is a wall now";
    const MethodInput weightless = method_input(scene_of(with(small_scene_2d, "/gravity", "[0, 0]")));
    EXPECT_EQ(weightless.fall_height, 0);
    EXPECT_NEAR(weightless.fluid_height, 0.2, 1e-12);
}

TEST(MethodInput, solids_with_a_bottom) {
    const char* tank = R"([{"name": "tank", "invert": true, "shape": {"box": {"center": [0, 0.5], "size": [1, 2]}}}])";
    EXPECT_NEAR(method_input(scene_of(with(small_scene_2d, "/solids", tank))).fall_height, 0.6 + 0.5, 1e-12);
    const char* lift = R"([{"name": "lift", "shape": {"sphere": {"center": [0, 0], "radius": 0.1}},
        "motion": {"keyframes": [{"time": 0}, {"time": 2, "position": [0, -1]}]}}])";
    const MethodInput input = method_input(scene_of(with(small_scene_2d, "/solids", lift)));
    EXPECT_NEAR(input.fall_height, 0.6 + 1.1, 1e-12);
    EXPECT_NEAR(input.speed, 0.5, 1e-12);
}

TEST(MethodInput, depth_leaves_out_the_gaps_between_fluids) {
    const auto fluids = [](const char* second) {
        return R"([{"material": "honey", "shape": {"box": {"center": [0, 0.1], "size": [0.1, 0.2]}}},
                   {"material": "honey", "shape": {"box": {"center": )" +
               std::string(second) + R"(, "size": [0.1, 0.2]}}}])";
    };
    const auto depth = [&](const char* second) {
        return method_input(scene_of(with(small_scene_2d, "/fluids", fluids(second).c_str()))).fluid_depth;
    };
    EXPECT_NEAR(depth("[0, 1]"), 0.4, 1e-12) << "one will fall on the other";
    EXPECT_NEAR(depth("[0.5, 0.1]"), 0.2, 1e-12) << "they stand side by side";
}

TEST(MethodInput, a_turned_box_spans_its_diagonal) {
    const char* shape =
        R"({"box": {"size": [0.1, 0.1]}, "transform": {"rotate": 45, "scale": 2, "translate": [0, 1]}})";
    const MethodInput input = method_input(scene_of(with(small_scene_2d, "/fluids/0/shape", shape)));
    EXPECT_NEAR(input.fluid_height, 0.2 * std::sqrt(2.0), 1e-12);
    EXPECT_NEAR(input.fall_height, 1 + 0.1 * std::sqrt(2.0), 1e-12);
}

TEST(MethodInput, speeds_of_fluid_and_solids) {
    Json root = with(small_scene_2d, "/fluids/0/velocity", "[3, 4]");
    EXPECT_NEAR(method_input(scene_of(root)).speed, 5, 1e-12);
    root.find("fluids")->elements[0].set("angular_velocity", 180 / reproducible::pi);
    EXPECT_NEAR(method_input(scene_of(root)).speed, 5 + length(Vec3d{0.05, 0.1, 0}), 1e-12);
    const char* paddle = R"([{"name": "paddle", "shape": {"sphere": {"center": [0, 0], "radius": 0.1}},
        "motion": {"interpolation": "smooth", "keyframes": [{"time": 0}, {"time": 0.1, "position": [0, -1]}]}}])";
    EXPECT_NEAR(method_input(scene_of(with(small_scene_2d, "/solids", paddle))).speed, 15, 1e-12);
}

}  // namespace
}  // namespace treacle
