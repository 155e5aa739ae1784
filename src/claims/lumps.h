#pragma once

#include <span>
#include <vector>

#include "math/vec.h"

namespace treacle {

/// Sizes of the connected groups of points. Points closer than `link_distance` are connected.
std::vector<std::size_t> lump_sizes(std::span<const Vec3d> points, double link_distance);

}  // namespace treacle
