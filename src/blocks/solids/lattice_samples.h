#pragma once

#include <vector>

#include "geometry/shape.h"

namespace treacle {

/// The samples of a solid for methods whose walls are several layers of particles: the points of a lattice of cubes
/// (2D: squares), laid along the axes in which the shape is drawn, that lie inside the solid and less than `depth`
/// below its surface. A box is divided as fluids are: round(size / spacing) points along each axis, at the centers of
/// equal cells. With `invert` the solid is what lies outside of the shape. For shapes with an end.
std::vector<Vec3d> lattice_samples(const Shape& shape, bool invert, double spacing, double depth);

}  // namespace treacle
