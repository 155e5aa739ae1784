#include "scene/scene_json.h"

#include <gtest/gtest.h>

#include "methods/registry.h"
#include "unit/scene/scene_text.h"

namespace treacle {
namespace {

/// The whole content of two scenes, compared to the bit.
void expect_equal(const Scene& a, const Scene& b) {
    EXPECT_EQ(to_text(scene_to_json(a)), to_text(scene_to_json(b)));
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.gravity, b.gravity);
    EXPECT_EQ(a.time.fixed_dt, b.time.fixed_dt);
    EXPECT_EQ(a.output.formats, b.output.formats);
    ASSERT_EQ(a.fluids.size(), b.fluids.size());
    for (std::size_t n = 0; n < a.fluids.size(); ++n) {
        EXPECT_EQ(a.fluids[n].material, b.fluids[n].material);
        EXPECT_EQ(a.fluids[n].shape.transform.rotate, b.fluids[n].shape.transform.rotate);
        EXPECT_EQ(a.fluids[n].angular_velocity, b.fluids[n].angular_velocity);
        EXPECT_EQ(a.fluids[n].count, b.fluids[n].count);
    }
    ASSERT_EQ(a.solids.size(), b.solids.size());
    for (std::size_t n = 0; n < a.solids.size(); ++n) {
        EXPECT_EQ(a.solids[n].friction, b.solids[n].friction);
        EXPECT_EQ(a.solids[n].motion.interpolation, b.solids[n].motion.interpolation);
        EXPECT_EQ(a.solids[n].motion.stop, b.solids[n].motion.stop);
        ASSERT_EQ(a.solids[n].motion.keyframes.size(), b.solids[n].motion.keyframes.size());
        for (std::size_t k = 0; k < a.solids[n].motion.keyframes.size(); ++k) {
            EXPECT_EQ(a.solids[n].motion.keyframes[k].time, b.solids[n].motion.keyframes[k].time);
            EXPECT_EQ(a.solids[n].motion.keyframes[k].pose, b.solids[n].motion.keyframes[k].pose);
        }
    }
    ASSERT_EQ(a.tracks.size(), b.tracks.size());
    for (const Track& track : a.tracks) {
        const auto twin = std::find_if(b.tracks.begin(), b.tracks.end(),
                                       [&](const Track& other) { return other.pointer == track.pointer; });
        ASSERT_NE(twin, b.tracks.end()) << track.pointer;
        EXPECT_EQ(twin->target, track.target);
        EXPECT_EQ(twin->index, track.index);
        EXPECT_EQ(twin->method, track.method);
        EXPECT_EQ(twin->parameter, track.parameter);
        EXPECT_EQ(twin->keyframes, track.keyframes);
    }
}

class RoundTrip : public testing::TestWithParam<int> {};

TEST_P(RoundTrip, scene_to_json_reads_back_to_the_same_scene) {
    const Scene scene = scene_of(full_scene(GetParam()));
    ASSERT_EQ(scene.tracks.size(), 6u);
    const std::string text = to_text(scene_to_json(scene));
    expect_equal(scene, scene_of(json_of(text)));
    EXPECT_EQ(text, to_text(scene_to_json(scene_of(json_of(text)))));
}

TEST_P(RoundTrip, a_scene_that_ran_on_gives_the_same_json) {
    // Tracks have changed the values meanwhile; the description must stay the same.
    Scene scene = scene_of(full_scene(GetParam()));
    const std::string before = to_text(scene_to_json(scene));
    EXPECT_TRUE(apply_tracks(scene, 1.3));
    EXPECT_EQ(to_text(scene_to_json(scene)), before);
}

INSTANTIATE_TEST_SUITE_P(, RoundTrip, testing::Values(2, 3),
                         [](const auto& tested) { return std::to_string(tested.param) + "d"; });

TEST(SceneJson, every_default_is_filled_in) {
    const Json json = scene_to_json(scene_of(json_of(small_scene_2d)));
    EXPECT_EQ(json.find("treacle")->number, 1);
    EXPECT_EQ(json.find("precision")->text, "float");
    EXPECT_EQ(json.find("time")->find("fps")->number, 30);
    EXPECT_EQ(json.find("time")->find("max_dt"), nullptr);
    EXPECT_EQ(json.find("output")->find("formats")->elements.size(), 1u);
    EXPECT_EQ(json.find("gravity")->elements.size(), 2u);
    EXPECT_EQ(json.find("solids")->elements[0].find("friction")->number, 0.3);
    for (const MethodRow& row : method_registry()) {
        ASSERT_NE(json.find(row.id), nullptr);
        for (const Parameter& parameter : row.settings_table().rows()) {
            EXPECT_TRUE(parameter.optional || json.find(row.id)->find(parameter.key)) << parameter.key;
        }
    }
}

TEST(DifferingKeys, names_what_differs) {
    const Json a = json_of(R"({"same": [1, {"x": 2}], "n": 1, "t": "a", "list": [1, 2, 3], "only a": 0, "type": 1})");
    const Json b = json_of(R"({"n": 1.5, "list": [1, 5], "same": [1.0, {"x": 2}], "t": "b", "a/b": 0, "type": "1"})");
    EXPECT_EQ(differing_keys(a, a), Texts{});
    const Texts expected{"/n", "/t", "/list/1", "/list/2", "/only a", "/type", "/a~1b"};
    EXPECT_EQ(differing_keys(a, b), expected);
    EXPECT_EQ(differing_keys(json_of("1"), json_of("2")), Texts{""});
    EXPECT_EQ(differing_keys(json_of("true"), json_of("false")), Texts{""});
}

TEST(DifferingKeys, of_scenes) {
    const Json base = scene_to_json(scene_of(json_of(small_scene_2d)));
    const Json other = scene_to_json(scene_of(with(small_scene_2d, "/materials/honey/viscosity", "6")));
    EXPECT_EQ(differing_keys(base, other), Texts{"/materials/honey/viscosity"});
    const Json longer = scene_to_json(scene_of(with(small_scene_2d, "/time/duration", "9")));
    EXPECT_EQ(differing_keys(base, longer), Texts{"/time/duration"});
}

}  // namespace
}  // namespace treacle
