#pragma once

#include <string>

#include "core/result.h"
#include "surface_mesh/surface_mesh.h"

namespace treacle {

/// Binary little-endian PLY: float x y z nx ny nz, then the columns (float, or uchar where they are bytes), then faces.
/// Comments give frame, time and units. The file appears whole or not at all.
Result<void> write_mesh_ply(const std::string& path, const SurfaceMesh& mesh, int frame, double time);

/// Wavefront OBJ with normals; colors (columns red, green, blue) follow the coordinates, as most programs read them.
Result<void> write_mesh_obj(const std::string& path, const SurfaceMesh& mesh, int frame, double time);

}  // namespace treacle
