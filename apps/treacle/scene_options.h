#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "scene/reader.h"

namespace treacle {

/// The options that choose a scene; shared by `run` and `check`.
struct SceneOptions {
    std::string file;
    std::string method;
    std::vector<std::string> overrides;  ///< "/json/pointer=VALUE"
    std::optional<int> frames;
    std::optional<double> duration;

    void declare(CLI::App& app);

    /// The scene with overrides, method and length applied, or all problems.
    Result<Scene> read(const Log& log) const;
};

}  // namespace treacle
