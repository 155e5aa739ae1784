#pragma once

#include "surface_mesh/marching_cubes.h"

namespace treacle {

/// Connected pieces of a closed surface with the volume of each: negative for a hole inside the fluid.
struct Pieces {
    std::vector<std::uint32_t> of_point;
    std::vector<double> volume;
};

Pieces find_pieces(const GridSurface& surface);

/// The surface without pieces whose volume lies between these.
GridSurface without_pieces(const GridSurface& surface, const Pieces& pieces, double low, double high);

/// The volume that triangles enclose.
double enclosed_volume(const std::vector<Vec3f>& points, const std::vector<std::array<std::uint32_t, 3>>& triangles);

}  // namespace treacle
