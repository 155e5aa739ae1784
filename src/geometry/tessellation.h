#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/shape.h"

namespace treacle {

struct TriangleMesh {
    std::vector<Vec3d> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counterclockwise seen from outside

    /// Two triangles; corners counterclockwise.
    void add_quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d);
};

/// Triangles whose corners lie on the surface of a shape as drawn, before its transform. In 3D they are closed; in 2D
/// they fill the shape, in z = 0. A plane has none: it has no end.
TriangleMesh tessellate(const Shape& shape);

}  // namespace treacle
