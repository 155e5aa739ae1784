#include "run/resuming.h"

#include <gtest/gtest.h>

#include "scene/scene_json.h"
#include "unit/run/small_run.h"

namespace treacle {
namespace {

/// A material has the name of a method that does not run.
Scene scene_with(const std::string& viscosity, const std::string& of_material, const std::string& more = "") {
    return test::scene_from(R"({ "treacle": 1, "method": "clavet2005", "dimension": 2, "particle_spacing": 0.1,
      "materials": { "barreiro2017": { "viscosity": )" +
                            viscosity + of_material + R"( } },
      "fluids": [ { "material": "barreiro2017", "shape": { "box": { "center": [0, 0], "size": [1, 1] } } } ])" +
                            more + " }");
}

std::vector<Problem> problems_of(const Scene& before, const Scene& now) {
    const Checkpoint checkpoint{to_text(scene_to_json(before)), "0.1.0", State(ScalarType::f32)};
    const auto same = check_same_scene(now, {}, checkpoint, Json::object(), "run");
    return same ? std::vector<Problem>{} : same.error().problems;
}

TEST(Resuming, NeedsTheSceneOfTheRunAndSaysWhatThatHad) {
    const Scene run = scene_with("2", "");
    EXPECT_TRUE(problems_of(run, run).empty());
    const auto problems = problems_of(run, scene_with("3", ""));
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].pointer, "/materials/barreiro2017/viscosity");
    EXPECT_NE(problems[0].message.find("where it is 2;"), std::string::npos) << problems[0].message;
}

TEST(Resuming, DoesNotAskForKeysOfOtherMethods) {
    const Scene run = scene_with("2", "");
    EXPECT_TRUE(problems_of(run, scene_with("2", R"(, "mukai2021": { "young_modulus": 100 })")).empty());
    EXPECT_TRUE(problems_of(run, scene_with("2", "", R"(, "barreiro2017": { "position_iterations": 3 })")).empty());
    EXPECT_EQ(problems_of(run, scene_with("2", "", R"(, "clavet2005": { "support_radius": 3 })")).size(), 1u);
}

}  // namespace
}  // namespace treacle
