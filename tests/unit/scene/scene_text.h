#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/json.h"
#include "scene/reader.h"

namespace treacle {

/// A small scene that reads without a remark.
inline const char* small_scene_2d = R"({
  "treacle": 1, "method": "clavet2005", "dimension": 2, "particle_spacing": 0.01,
  "materials": { "honey": { "density": 1400, "viscosity": 5 } },
  "fluids": [ { "material": "honey", "shape": { "box": { "center": [0, 0.5], "size": [0.1, 0.2] } } } ],
  "solids": [ { "name": "floor", "shape": { "plane": { "normal": [0, 1] } } } ]
})";

inline const char* small_scene_3d = R"({
  "treacle": 1, "method": "clavet2005", "particle_spacing": 0.01,
  "materials": { "honey": { "density": 1400, "viscosity": 5 } },
  "fluids": [ { "material": "honey", "shape": { "box": { "center": [0, 0.5, 0], "size": [0.1, 0.2, 0.1] } } } ],
  "solids": [ { "name": "floor", "shape": { "plane": { "normal": [0, 1, 0] } } } ]
})";

/// JSON from a text that is known to be right.
inline Json json_of(const std::string& text) {
    Result<Json> json = parse_json(text, "scene.json");
    EXPECT_TRUE(json) << (json ? "" : to_string(json.error()));
    return json ? *json : Json();
}

/// The scene with one value replaced (or added).
inline Json with(const std::string& scene, const std::string& pointer, const std::string& value) {
    Json root = json_of(scene);
    const Result<void> done = set_at_pointer(root, pointer, json_of(value));
    EXPECT_TRUE(done) << pointer;
    return root;
}

inline Scene scene_of(const Json& root) {
    const Result<Scene> scene = read_scene(root, "scene.json", {});
    EXPECT_TRUE(scene) << (scene ? "" : to_string(scene.error()));
    return scene ? *scene : Scene();
}

/// "pointer: message" of everything that is wrong.
inline std::vector<std::string> problems_of(const Json& root) {
    std::vector<std::string> texts;
    const Result<Scene> scene = read_scene(root, "scene.json", {});
    if (scene) return texts;
    for (const Problem& problem : scene.error().problems) texts.push_back(problem.pointer + ": " + problem.message);
    return texts;
}

using Texts = std::vector<std::string>;

}  // namespace treacle
