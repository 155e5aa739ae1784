#pragma once

#include <optional>

#include "geometry/shape.h"
#include "geometry/tessellation.h"

namespace treacle {

/// How matter is spread over a shape, for density 1: in 2D per meter of depth.
struct MassProperties {
    double volume = 0;            ///< m³ (2D: m²)
    double surface = 0;           ///< m² (2D: m)
    Vec3d center{};               ///< of mass
    Quaternion principal_axes{};  ///< turns x, y, z into the principal axes
    Vec3d inertia{};              ///< about the center, along these axes; in 2D only z counts
};

/// None for a plane, which has no end.
std::optional<MassProperties> mass_properties(const Shape& shape);

/// Of the solid inside a closed mesh that looks outward; exact.
MassProperties mass_properties(const TriangleMesh& mesh);

}  // namespace treacle
