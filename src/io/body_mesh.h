#pragma once

#include <string>

#include "core/result.h"
#include "geometry/tessellation.h"
#include "state/bodies.h"

namespace treacle {

/// Writes the shape of a solid as a triangle mesh (ascii PLY) in the body's own frame: its poses in bodies.csv move
/// it. Faces are counter-clockwise seen from outside the solid. `around` are the bounds of the fluid in space: an
/// infinite plane becomes a sheet beneath or beside them. In 2D the mesh lies in z = 0.
Result<void> write_body_ply(const std::string& path, const Body& body, const Bounds& around);

/// Writes any triangles in the same way.
Result<void> write_mesh_ply(const std::string& path, const TriangleMesh& mesh);

/// Reads the files of both.
Result<TriangleMesh> read_body_ply(const std::string& path);

}  // namespace treacle
