#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "surface_mesh/marching_cubes.h"
#include "surface_mesh/surface_mesh.h"

namespace treacle {

using Triangle = std::array<std::uint32_t, 3>;

/// The points that share an edge with each point of a closed surface.
class Adjacency {
public:
    Adjacency(std::size_t points, std::span<const Triangle> triangles);

    std::span<const std::uint32_t> around(std::size_t point) const {
        return {neighbor_.data() + first_[point], first_[point + 1] - first_[point]};
    }

private:
    std::vector<std::uint32_t> first_, neighbor_;
};

/// Removes the bumps of single particles. Every round moves each point halfway to the mean of those around it. That
/// alone would shrink everything, so the loss is smoothed in the same way and given back: if the rounds leave the part
/// g of a wave, 1 - (1 - g)² remains, which is all of a long wave. `strength` (0 to 1 per point) spares threads and
/// drops, which are as small as bumps.
void smooth(std::vector<Vec3f>& points, const Adjacency& adjacency, std::span<const float> strength, int rounds,
            const Parallel& parallel);

/// Outward unit normals, the mean over the triangles around each point weighted by area.
std::vector<Vec3f> point_normals(std::span<const Vec3f> points, std::span<const Triangle> triangles);

/// Thin triangles of the grid leave stripes in highlights; a few rounds of averaging remove them.
void smooth_normals(std::vector<Vec3f>& normals, const Adjacency& adjacency, std::span<const float> strength,
                    int rounds, const Parallel& parallel);

/// Converts a surface in steps of a grid to a mesh in meters.
void place_mesh(SurfaceMesh& mesh, const GridSurface& surface, Vec3d origin, double step, const Parallel& parallel);

}  // namespace treacle
