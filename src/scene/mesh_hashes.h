#pragma once

#include <map>
#include <string>

#include "scene/scene.h"

namespace treacle {

/// Hashes of the mesh files of a scene (corners and triangles, as hex), by the name that the scene gives them. The
/// scene itself only names the files, so that a resumed run would not see that one has changed.
std::map<std::string, std::string> mesh_hashes(const Scene& scene);

}  // namespace treacle
