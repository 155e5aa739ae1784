#pragma once

#include <vector>

#include "render/render_scene.h"

namespace treacle::tracing {

/// Normals for shading, one for every corner of every triangle: the mean over the triangles that meet there at no
/// sharp angle.
std::vector<Vec3f> corner_normals(const RenderMesh& mesh);

/// One for every vertex: the mean over all triangles that meet there, by their area.
std::vector<Vec3f> vertex_normals(const RenderMesh& mesh);

}  // namespace treacle::tracing
