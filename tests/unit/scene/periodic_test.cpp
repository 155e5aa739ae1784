#include <algorithm>

#include "scene/scene_json.h"
#include "scene_text.h"

namespace treacle {
namespace {

const char* channel = R"({
  "treacle": 1, "method": "mukai2021", "dimension": 2, "particle_spacing": 0.01, "periodic": [0.2, 0],
  "materials": { "honey": { "density": 1400, "viscosity": 5 } },
  "fluids": [ { "material": "honey", "shape": { "box": { "center": [0.1, 0.1], "size": [0.2, 0.2] } } } ],
  "solids": [ { "name": "floor", "shape": { "plane": { "normal": [0, 1] } } } ]
})";

Texts wrong(const std::string& pointer, const std::string& value) { return problems_of(with(channel, pointer, value)); }

bool says(const Texts& problems, const std::string& text) {
    return std::any_of(problems.begin(), problems.end(),
                       [&](const std::string& p) { return p.find(text) != std::string::npos; });
}

TEST(Periodic, is_read_and_written) {
    const Scene scene = scene_of(json_of(channel));
    ASSERT_TRUE(scene.periodic);
    EXPECT_EQ(*scene.periodic, (Vec3d{0.2, 0, 0}));
    const Scene again = scene_of(json_of(to_text(scene_to_json(scene))));
    EXPECT_EQ(again.periodic, scene.periodic);
    EXPECT_EQ(scene_to_json(scene_of(json_of(small_scene_2d))).find("periodic"), nullptr);
}

TEST(Periodic, is_long_enough) {
    EXPECT_TRUE(says(wrong("/periodic", "[0.05, 0]"),
                     "/periodic: 0.05 m along x is shorter than three times the radius of interaction"));
}

TEST(Periodic, holds_the_fluid) {
    const Texts problems = wrong("/fluids/0/shape/box/center", "[0, 0.1]");
    EXPECT_TRUE(
        says(problems,
             "/fluids/0/shape: reaches from -0.1 to 0.1 m along x; it must lie between 0 and the 0.2 m of /periodic"));
}

TEST(Periodic, has_solids_that_are_the_same_everywhere) {
    EXPECT_TRUE(says(wrong("/solids/0/shape", R"({ "sphere": { "center": [0, -1], "radius": 0.5 } })"),
                     "/solids/0: only planes"));
    EXPECT_TRUE(says(wrong("/solids/0/shape/plane/normal", "[1, 1]"), "/solids/0: must lie along x"));
    EXPECT_TRUE(says(wrong("/solids/0/motion", R"({ "angular_velocity": 10 })"), "/solids/0: must not turn"));
    EXPECT_TRUE(wrong("/solids/0/motion", R"({ "velocity": [0.1, 0] })").empty());
}

TEST(Periodic, has_no_emitters) {
    EXPECT_TRUE(says(wrong("/emitters",
                           R"([ { "material": "honey", "shape": { "disk": { "radius": 0.03 } }, "position": [0.1, 0.5],
                                               "direction": [0, -1], "speed": 0.1 } ])"),
                     "/emitters: emitters do not know"));
}

}  // namespace
}  // namespace treacle
