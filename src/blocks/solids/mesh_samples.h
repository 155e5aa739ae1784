#pragma once

#include <vector>

#include "blocks/solids/surface_samples.h"
#include "core/parallel.h"
#include "geometry/solid_mesh.h"

namespace treacle {

/// sample_surface for a mesh, in the frame and the lengths of the mesh. A distance to triangles costs much more than
/// one to other shapes, so it asks for few of them:
/// - one for each cell of a spacing near the layer, and one for each random point that may lie in the thin shell around
///   the layer, by the distance of its cell. The share of points within the shell tells the area of the layer.
/// - while samples spread, one for every fifth sweep; in between a sample stays in its tangent plane. A sample this
///   led off the layer, as it does at edges, asks at every sweep.
/// Where two sheets of a layer come closer than half a spacing, there are fewer samples than their area asks for: they
/// would stand in each other's way.
std::vector<Vec3d> sample_mesh(const SolidMesh& mesh, const SurfaceSampling& sampling, const Parallel& parallel);

}  // namespace treacle
