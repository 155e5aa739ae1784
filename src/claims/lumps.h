#pragma once

#include <span>
#include <vector>

#include "math/vec.h"

namespace treacle {

/// Sizes of the groups of points that hang together, where points hang together if they are closer than
/// `link_distance`.
std::vector<std::size_t> lump_sizes(std::span<const Vec3d> points, double link_distance);

}  // namespace treacle
