#pragma once

#include <string>

#include "core/result.h"
#include "scene_options.h"

namespace treacle {

struct RunOptions {
    SceneOptions scene;
    std::string folder;  ///< empty: out/<name of the scene file>
    int threads = 0;     ///< 0: all cores
    bool resume = false;
    bool quiet = false;
    bool no_preview = false;
};

/// Simulates a scene and writes its run folder. The result is 0, or 128 + signal after an orderly stop.
Result<int> run_scene(RunOptions options);

}  // namespace treacle
