#pragma once

#include "core/result.h"
#include "geometry/tessellation.h"

namespace treacle {

/// Makes the mesh of a file fit to be a solid: corners at the same place become one, triangles without three
/// different corners are dropped, and all faces look outward. Parts that are drawn consistently keep their direction
/// (a hollow ball has a second surface that looks into the hole); if the whole is inside out it is turned. A mesh that
/// is not closed is an error that says how many edges are open.
Result<TriangleMesh> closed_mesh(const TriangleMesh& raw);

}  // namespace treacle
