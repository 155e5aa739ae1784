#pragma once

#include <string>

#include "core/result.h"
#include "geometry/tessellation.h"

namespace treacle {

/// Reads the triangles of an OBJ, PLY or STL file, by the end of its name. Faces with more corners become fans;
/// everything but corners and faces is passed over. Errors name the file and the line or byte.
Result<TriangleMesh> read_mesh_file(const std::string& path);

}  // namespace treacle
