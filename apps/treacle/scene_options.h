#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "scene/reader.h"

namespace treacle {

/// The options that decide which scene is meant; shared by `run` and `check`.
struct SceneOptions {
    std::string file;
    std::string method;
    std::vector<std::string> overrides;  ///< "/json/pointer=VALUE"
    std::optional<int> frames;
    std::optional<double> duration;

    void declare(CLI::App& app);

    /// The scene with overrides, method and length applied, or everything that is wrong.
    Result<Scene> read(const Log& log) const;
};

}  // namespace treacle
