#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "scene/scene.h"

namespace treacle {

/// The complete scene with every default filled in; itself a valid scene file that reads back to the same scene,
/// keyframes included.
Json scene_to_json(const Scene& scene);

/// JSON pointers of all differences: values that are not equal, keys and elements that only one side has.
std::vector<std::string> differing_keys(const Json& a, const Json& b);

}  // namespace treacle
