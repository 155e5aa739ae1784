#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "math/vec.h"

namespace treacle {

/// Lines of a drawing: each a chain of points (z = 0, y up).
using Outline = std::vector<std::vector<Vec3d>>;

/// Reads the paths, polylines and polygons of an SVG drawing, curves cut into short straight pieces. Text must be
/// converted to paths first, as every vector editor can; so any font works. Transforms inside the file are not applied.
Result<Outline> read_svg_outline(std::string_view text, const std::string& file);

/// Points at equal distances along all lines, after scaling the drawing to this height with its lower left corner at
/// the origin. Points closer than half the distance to an earlier one are left out. An error if there would be more
/// than 20000 points.
Result<std::vector<Vec3d>> points_along(const Outline& outline, double height, double distance);

}  // namespace treacle
