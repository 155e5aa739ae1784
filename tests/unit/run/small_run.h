#pragma once

#include <string>

#include <gtest/gtest.h>

#include "core/json.h"
#include "run/run.h"
#include "scene/reader.h"
#include "support/temporary_folder.h"

/// Short runs that are driven through the library.

namespace treacle::test {

inline Scene scene_from(const std::string& text) {
    const auto json = parse_json(text, "scene");
    if (!json) throw std::runtime_error(to_string(json.error()));
    auto scene = read_scene(*json, "scene.json", Log{});
    if (!scene) throw std::runtime_error(to_string(scene.error()));
    return std::move(*scene);
}

/// A block of 16 particles that falls on a floor; 30 frames a second.
inline Scene falling_block(int frames, const std::string& formats = R"(["ply"])") {
    return scene_from(R"({ "treacle": 1, "method": "clavet2005", "dimension": 2, "particle_spacing": 0.05,
        "time": { "duration": )" +
                      std::to_string((frames - 1) / 30.0) + R"(, "fps": 30 },
        "output": { "checkpoint_interval": 4, "formats": )" +
                      formats + R"( },
        "materials": { "honey": { "viscosity": 1 } },
        "fluids": [ { "material": "honey", "shape": { "box": { "center": [0.1, 0.2], "size": [0.2, 0.2] } } } ],
        "solids": [ { "name": "floor", "shape": { "plane": { "normal": [0, 1], "offset": 0 } } } ] })");
}

/// A piston that leaves no room: no step is short enough.
inline Scene crushed_block() {
    return scene_from(R"({ "treacle": 1, "method": "clavet2005", "dimension": 2, "particle_spacing": 0.02,
        "gravity": [0, 0], "time": { "duration": 1, "fps": 30 }, "output": { "checkpoint_interval": 3 },
        "materials": { "honey": { "viscosity": 1 } },
        "fluids": [ { "material": "honey", "shape": { "box": { "center": [0.2, 0.1], "size": [0.4, 0.2] } } } ],
        "solids": [
          { "name": "tank", "invert": true, "shape": { "box": { "center": [0.2, 0.1], "size": [0.4, 0.2] } } },
          { "name": "piston", "shape": { "box": { "center": [0.6, 0.1], "size": [0.4, 0.4] } }, "motion": {
            "keyframes": [ { "time": 0.1 }, { "time": 0.6, "position": [-0.38, 0] } ] } } ] })");
}

/// Begins a run, or throws.
inline std::unique_ptr<Run> begin(Scene scene, const std::string& folder, bool resume = false, RunEvents events = {}) {
    auto run = Run::begin(std::move(scene), {folder, 1, resume}, std::move(events));
    if (!run) throw std::runtime_error(to_string(run.error()));
    return std::move(*run);
}

/// The frames that manifest.json lists.
inline std::vector<int> listed_frames(const RunFolder& folder) {
    std::vector<int> numbers;
    const auto manifest = folder.read_manifest();
    if (!manifest) return numbers;
    for (const Json& entry : manifest->find("frames")->elements) {
        numbers.push_back(static_cast<int>(entry.find("frame")->number));
    }
    return numbers;
}

inline std::vector<int> frames_on_disk(const RunFolder& folder) {
    std::vector<int> numbers;
    for (const NumberedFile& file : folder.frames("ply")) numbers.push_back(file.frame);
    return numbers;
}

}  // namespace treacle::test
