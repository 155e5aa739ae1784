#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "scene/reader.h"

namespace treacle {

/// Options that several commands share.

/// --threads; `remark` is a further sentence of its help.
void declare_threads(CLI::App& app, int& threads, const std::string& remark = {});

/// --quiet
void declare_quiet(CLI::App& app, bool& quiet);

/// The options that choose a scene.
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
