#pragma once

#include <map>
#include <string>

#include "scene/scene.h"

namespace treacle {

/// What the mesh files of a scene hold, by the name that the scene gives them: a hash of corners and triangles as hex.
/// The scene itself names the files only, so a resumed run would not see that one has changed.
std::map<std::string, std::string> mesh_hashes(const Scene& scene);

}  // namespace treacle
