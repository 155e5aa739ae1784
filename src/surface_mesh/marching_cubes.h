#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/parallel.h"
#include "surface_mesh/block_grid.h"
#include "surface_mesh/surface_mesh.h"

namespace treacle {

/// Triangles of one cube with given corners inside. Corner c is at (c & 1, c >> 1 & 1, c >> 2); a corner of a triangle
/// lies on an edge of the cube, numbered 4 · axis + the number of the edge among those along the axis.
struct CubeCase {
    std::vector<std::array<std::uint8_t, 3>> triangles;
};

/// Marching cubes (Lorensen & Cline 1987), with a table that is derived instead of copied. The surface in a cube is
/// bounded by lines on its faces. Where four lines end on a face, the inside corners are joined, in the same way in
/// both cubes of the face, so there are no holes. A polygon is cut by diagonals that run inside the cube, never along a
/// face: then no two cubes share one, and every edge belongs to exactly two triangles.
const std::array<CubeCase, 256>& cube_cases();

/// The two corners of an edge of a cube, the lower one first.
std::array<std::uint8_t, 2> cube_edge_corners(int edge);

/// The surface of { field > level }, in steps of the grid. The field must be below the level outside of all blocks, and
/// on the lowest points of blocks without a lower neighbor.
struct GridSurface {
    std::vector<Vec3f> points;
    std::vector<std::array<std::uint32_t, 3>> triangles;
};
GridSurface march_cubes(const BlockGrid& grid, float level, const Parallel& parallel);

}  // namespace treacle
