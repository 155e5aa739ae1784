#include <cmath>

#include <gtest/gtest.h>

#include "math/reproducible.h"
#include "scene/scene.h"
#include "unit/scene/scene_text.h"

namespace treacle {
namespace {

TEST(Frames, first_frame_is_the_start) {
    EXPECT_EQ(frame_count({0, 30, {}, {}}), 1);
    EXPECT_EQ(frame_count({3, 30, {}, {}}), 91);
    EXPECT_EQ(frame_count({0.1, 30, {}, {}}), 4);
    EXPECT_EQ(frame_count({0.99, 1, {}, {}}), 2);
}

TEST(Tracks, numbers_change_straight_and_stay_outside) {
    Scene scene = scene_of(with(small_scene_2d, "/materials/honey/viscosity",
                                R"({"keyframes": [{"time": 1, "value": 2}, {"time": 3, "value": 6}]})"));
    ASSERT_EQ(scene.tracks.size(), 1u);
    EXPECT_EQ(scene.tracks[0].pointer, "/materials/honey/viscosity");
    EXPECT_EQ(scene.materials[0].viscosity, 2) << "the value at time 0";
    EXPECT_FALSE(apply_tracks(scene, 0.5));
    EXPECT_TRUE(apply_tracks(scene, 1.5));
    EXPECT_EQ(scene.materials[0].viscosity, 3);
    EXPECT_FALSE(apply_tracks(scene, 1.5));
    EXPECT_TRUE(apply_tracks(scene, 3));
    EXPECT_EQ(scene.materials[0].viscosity, 6);
    EXPECT_FALSE(apply_tracks(scene, 100));
    EXPECT_TRUE(apply_tracks(scene, 0));
    EXPECT_EQ(scene.materials[0].viscosity, 2);
}

TEST(Tracks, vectors_change_by_component) {
    Scene scene = scene_of(with(small_scene_2d, "/gravity",
                                R"({"keyframes": [{"time": 0, "value": [0, -10]}, {"time": 2, "value": [4, 0]}]})"));
    EXPECT_EQ(scene.gravity, (Vec3d{0, -10, 0}));
    EXPECT_TRUE(apply_tracks(scene, 1));
    EXPECT_EQ(scene.gravity, (Vec3d{2, -5, 0}));
}

TEST(Tracks, words_hold_until_the_next_keyframe) {
    Scene scene = scene_of(with(small_scene_2d, "/solids/0/friction",
                                R"({"keyframes": [{"time": 0, "value": "no_slip"}, {"time": 1, "value": 0.5},
                                                  {"time": 2, "value": "no_slip"}]})"));
    EXPECT_TRUE(std::isinf(scene.solids[0].friction));
    EXPECT_FALSE(apply_tracks(scene, 0.9));
    EXPECT_TRUE(apply_tracks(scene, 1));
    EXPECT_EQ(scene.solids[0].friction, 0.5);
    EXPECT_FALSE(apply_tracks(scene, 1.5));
    EXPECT_TRUE(apply_tracks(scene, 2));
    EXPECT_TRUE(std::isinf(scene.solids[0].friction));
}

TEST(Tracks, coefficients_of_a_method) {
    Scene scene = scene_of(with(small_scene_2d, "/materials/honey/clavet2005/quadratic_viscosity",
                                R"({"keyframes": [{"time": 0, "value": 1}, {"time": 1, "value": 3}]})"));
    const Parameter& parameter = *scene.tracks.at(0).parameter;
    const auto value = [&] {
        return std::get<double>(parameter.read(scene.materials[0].by_method.at("clavet2005").address()));
    };
    EXPECT_EQ(value(), 1);
    EXPECT_TRUE(apply_tracks(scene, 0.5));
    EXPECT_EQ(value(), 2);
    // A copy has its own values.
    const Scene copy = scene;
    EXPECT_TRUE(apply_tracks(scene, 1));
    EXPECT_EQ(std::get<double>(parameter.read(copy.materials[0].by_method.at("clavet2005").address())), 2);
}

TEST(Tracks, mistakes) {
    const auto wrong = [](const std::string& pointer, const std::string& keyframes) {
        return problems_of(with(small_scene_2d, pointer, "{\"keyframes\": " + keyframes + "}"));
    };
    const std::string key = "/materials/honey/viscosity";
    EXPECT_EQ(wrong("/materials/honey/density", R"([{"time": 0, "value": 1000}])"),
              Texts{"/materials/honey/density: \"density\" cannot change during a run, so it takes no keyframes"});
    EXPECT_EQ(wrong("/particle_spacing", "[]"),
              Texts{"/particle_spacing: \"particle_spacing\" cannot change during a run, so it takes no keyframes"});
    EXPECT_EQ(wrong(key, "[]"), Texts{key + "/keyframes: there must be at least one keyframe"});
    EXPECT_EQ(wrong(key, "5"), Texts{key + "/keyframes: must be a list of keyframes, not the number 5"});
    EXPECT_EQ(wrong(key, R"([{"time": 0, "value": 1}, {"time": 0, "value": 2}])"),
              Texts{key + "/keyframes/1/time: must be later than the keyframe before, which is at 0 s"});
    EXPECT_EQ(wrong(key, R"([{"time": 0, "value": -1}])"),
              Texts{key + "/keyframes/0/value: must be a number from 0 to 1e+06, unit Pa·s; it is -1"});
    EXPECT_EQ(wrong(key, R"([{"tim": 0, "value": 1}])").size(), 2u);
    EXPECT_EQ(wrong(key, R"([7])").size(), 1u);
}

Motion there_and_back(Interpolation interpolation) {
    Motion motion;
    motion.interpolation = interpolation;
    motion.keyframes = {{1, Pose{{0, 0, 0}, {}}},
                        {2, Pose{{4, 0, 0}, from_axis_angle({0, 0, 1}, 90)}},
                        {4, Pose{{4, 8, 0}, from_axis_angle({0, 0, 1}, 90)}}};
    return motion;
}

TEST(Motion, without_keyframes_it_stands) { EXPECT_EQ(pose_at({}, 7), Pose{}); }

TEST(Motion, linear) {
    const Motion motion = there_and_back(Interpolation::linear);
    EXPECT_EQ(pose_at(motion, 0), Pose{});
    EXPECT_EQ(pose_at(motion, 1.25).position, (Vec3d{1, 0, 0}));
    EXPECT_EQ(pose_at(motion, 2), motion.keyframes[1].pose);
    EXPECT_EQ(pose_at(motion, 3).position, (Vec3d{4, 4, 0}));
    EXPECT_EQ(pose_at(motion, 4), motion.keyframes[2].pose);
    EXPECT_EQ(pose_at(motion, 1000), motion.keyframes[2].pose);
    const Vec3d half_turned = rotate(pose_at(motion, 1.5).rotation, {1, 0, 0});
    EXPECT_NEAR(half_turned.x, std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(half_turned.y, std::sqrt(0.5), 1e-12);
}

TEST(Motion, smooth_rests_at_keyframes) {
    const Motion motion = there_and_back(Interpolation::smooth);
    EXPECT_EQ(pose_at(motion, 1.5).position, (Vec3d{2, 0, 0}));
    EXPECT_DOUBLE_EQ(pose_at(motion, 1.25).position.x, 4 * (3 * 0.0625 - 2 * 0.015625));
    const double step = 1e-4;
    for (const double time : {1.0, 2.0, 4.0}) {
        const Vec3d moved = pose_at(motion, time + step).position - pose_at(motion, time - step).position;
        EXPECT_LT(length(moved) / (2 * step), 0.01) << time;
    }
    EXPECT_EQ(pose_at(motion, 2), motion.keyframes[1].pose);
}

TEST(Motion, one_keyframe_is_a_pose) {
    Motion motion;
    motion.keyframes = {{3, Pose{{1, 2, 3}, {}}}};
    for (const double time : {0.0, 3.0, 9.0}) EXPECT_EQ(pose_at(motion, time).position, (Vec3d{1, 2, 3}));
}

}  // namespace
}  // namespace treacle
