#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/json.h"
#include "scene/reader.h"

namespace treacle {

/// A small scene without errors or warnings.
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

/// JSON from a text that is known to be valid.
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

/// "pointer: message" of all problems.
inline std::vector<std::string> problems_of(const Json& root) {
    std::vector<std::string> texts;
    const Result<Scene> scene = read_scene(root, "scene.json", {});
    if (scene) return texts;
    for (const Problem& problem : scene.error().problems) texts.push_back(problem.pointer + ": " + problem.message);
    return texts;
}

using Texts = std::vector<std::string>;

/// A scene that uses everything, with numbers that have no short decimal form.
inline Json full_scene(int dimension) {
    const bool flat = dimension == 2;
    const auto vector = [&](const std::string& x, const std::string& y, const std::string& z) {
        return "[" + x + ", " + y + (flat ? "" : ", " + z) + "]";
    };
    return json_of(
        R"({
      "treacle": 1, "name": "everything / \"quoted\"", "method": "clavet2005",
      "dimension": )" +
        std::to_string(dimension) +
        R"(, "precision": "double", "particle_spacing": 0.0333333333333333333,
      "gravity": {"keyframes": [{"time": 0, "value": )" +
        vector("0.1", "-9.81", "0.3") + R"(},
                                {"time": 0.7, "value": )" +
        vector("0", "0", "0") + R"(}]},
      "time": {"duration": 2.5, "fps": 24, "max_dt": 0.01, "fixed_dt": 0.00208333333333333333},
      "output": {"formats": ["vtp"], "checkpoint_interval": 3},
      "clavet2005": {"sweep": "sequential", "near_ratio": 0.123},
      "materials": {
        "honey / dark": {"density": 1400.1, "viscosity": 5, "color": "#123aBc",
                         "clavet2005": {"quadratic_viscosity": {"keyframes": [{"time": 0.1, "value": 0.2}]}}},
        "slime": {"shear_modulus": 100,
                  "relaxation_time": {"keyframes": [{"time": 0, "value": 1}, {"time": 1, "value": 2}]}}},
      "fluids": [
        {"material": "slime", "shape": {"sphere": {"center": )" +
        vector("0.1", "0.7", "-0.1") + R"(, "radius": 0.31},
         "transform": {"translate": )" +
        vector("0", "2", "0") + R"(, "rotate": )" + (flat ? "33.3" : "[10, 20.2, 30]") +
        R"(, "scale": 1.1}}, "velocity": )" + vector("1", "2", "3") + R"(, "angular_velocity": )" +
        (flat ? "77.7" : "[1, 2, 77.7]") + R"(},
        {"material": "honey / dark", "count": 100,
         "shape": {"box": {"center": )" +
        vector("-3", "0.5", "0") + R"(, "size": )" + vector("0.3", "0.4", "0.5") + R"(}}}],
      "emitters": [
        {"material": "slime", "position": )" +
        vector("0.1", "0.2", "0.3") + R"(, "direction": )" + vector("1", "2", "3") +
        R"(, "speed": {"keyframes": [{"time": 0, "value": 0.1}, {"time": 1, "value": 0.3}]}, "start": 0.1, "end": 0.7,
          "max_particles": 12345, "layers": "hexagonal", "layer_rotation": 33.3,
         "shape": {)" +
        (flat ? R"("disk": {"radius": 0.0777})"
              : R"("star": {"radius": 0.1777, "inner_radius": 0.0777, "points": 7})") +
        R"(, "transform": {"scale": 1.3}},
         "motion": {"keyframes": [{"time": 0}, {"time": 1, "position": )" +
        vector("0.1", "0", "0") + R"(}]}}],
      "sinks": [{"shape": {"sphere": {"center": )" +
        vector("9.1", "0", "0") + R"(, "radius": 0.11}}}],
      "solids": [
        {"name": "floor", "shape": {"plane": {"normal": )" +
        vector("0.1", "2", "0") + R"(, "offset": -3}},
         "friction": "no_slip"},
        {"name": "paddle", "invert": false,
         "adhesion": {"keyframes": [{"time": 0, "value": 0}, {"time": 2, "value": 0.5}]},
         "friction": {"keyframes": [{"time": 0, "value": "no_slip"}, {"time": 2, "value": 0.5}]},
         "shape": {"box": {"center": )" +
        vector("5", "5", "5") + R"(, "size": )" + vector("0.1", "1", "0.1") + R"(}},
         "motion": {"interpolation": "smooth", "stop": "sides_meet", "keyframes": [
            {"time": 0.1, "position": )" +
        vector("0.1", "0", "0") + R"(},
            {"time": 0.9, "rotation": )" +
        (flat ? "123.4" : "{\"axis\": [1, 2, 3], \"angle\": 123.4}") + R"(}]}},
        {"name": "wheel", "shape": {"box": {"center": )" +
        vector("7", "5", "5") + R"(, "size": )" + vector("0.1", "1", "0.1") + R"(}},
         "motion": {"velocity": )" +
        vector("0.1", "0.2", "0.3") + R"(, "angular_velocity": )" + (flat ? "33.3" : "[1, 2, 33.3]") + R"(}},
        {"name": "bar", "shape": {"cylinder": {"center": )" +
        vector("11.1", "5", "5") + R"(, "axis": )" + vector("0.1", "0.7", "0.3") +
        R"(, "radius": 0.177, "height": 0.3}}},
        {"name": "pipe", "shape": {"tube": {"center": )" +
        vector("13.1", "5", "5") + R"(, "radius": 0.177, "inner_radius": 0.111, "height": 0.3}}},
        {"name": "pill", "shape": {"capsule": {"center": )" +
        vector("15.1", "5", "5") + R"(, "radius": 0.177, "height": 0.3}}},
        {"name": "cork", "shape": {"sphere": {"center": )" +
        vector("9", "5", "5") + R"(, "radius": 0.0777}},
         "motion": {"dynamic": {"density": 123.4, "restitution": 0.3, "velocity": )" +
        vector("0.1", "0.2", "0.3") + R"(}}}]
    })");
}

/// Problems of a 2D or 3D scene in which one value was replaced.
inline Texts wrong_2d(const std::string& pointer, const std::string& value) {
    return problems_of(with(small_scene_2d, pointer, value));
}
inline Texts wrong_3d(const std::string& pointer, const std::string& value) {
    return problems_of(with(small_scene_3d, pointer, value));
}

}  // namespace treacle
