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

/// Takes out the bumps of single particles. Every round moves each point halfway to the mean of those around it. That
/// alone would shrink everything, so what it took away is smoothed in the same way and given back: a wave of which the
/// rounds leave the part g is left with 1 - (1 - g)², all of it where it is long. `strength` (0 to 1 per point) spares what
/// is as small as bumps: threads and drops.
void smooth(std::vector<Vec3f>& points, const Adjacency& adjacency, std::span<const float> strength, int rounds,
            const Parallel& parallel);

/// Outward unit normals, the mean over the triangles around each point weighted by area.
std::vector<Vec3f> point_normals(std::span<const Vec3f> points, std::span<const Triangle> triangles);

/// Thin triangles of the grid leave stripes in highlights; some rounds of the mean take them out.
void smooth_normals(std::vector<Vec3f>& normals, const Adjacency& adjacency, std::span<const float> strength, int rounds,
                    const Parallel& parallel);

/// Puts a surface in steps of a grid into a mesh in meters.
void place_mesh(SurfaceMesh& mesh, const GridSurface& surface, Vec3d origin, double step, const Parallel& parallel);

}  // namespace treacle
