#pragma once

#include <string>

#include "core/result.h"
#include "surface_mesh/surface_mesh.h"

namespace treacle {

/// OpenVDB: a level set named "surface", the distance to the mesh in meters, negative inside, within three voxels of
/// it. The file appears whole or not at all.
Result<void> write_mesh_vdb(const std::string& path, const SurfaceMesh& mesh, double voxel, int frame, double time);

}  // namespace treacle
