#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json.h"
#include "core/log.h"
#include "core/result.h"
#include "scene/method_input.h"
#include "scene/scene.h"

namespace treacle {

/// Builds and checks a scene. All errors are reported at once, with file, line and JSON pointer, in the order of the
/// lines; warnings go to the log.
Result<Scene> read_scene(const Json& root, const std::string& file, const Log& log);

/// A value of a scene that is replaced from outside (--set): JSON pointer and value.
using SceneOverride = std::pair<std::string, std::string>;

/// The value of an override: JSON, or else a text.
Json override_value(const std::string& text);

/// Reads a file, applies overrides, then the method if one is given, and reads the scene.
Result<Scene> read_scene_file(const std::string& path, const std::vector<SceneOverride>& overrides = {},
                              const std::optional<std::string>& method = {}, const Log& log = {});

/// The same with a scene that is a text already. Messages name `file`, and paths in the scene are relative to it.
Result<Scene> read_scene_text(std::string_view text, const std::string& file,
                              const std::vector<SceneOverride>& overrides = {},
                              const std::optional<std::string>& method = {}, const Log& log = {});

}  // namespace treacle
