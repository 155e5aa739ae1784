#pragma once

#include <optional>
#include <variant>

#include "math/rotation.h"
#include "math/vec.h"

namespace treacle {

/// The half space normal · x < offset.
struct Plane {
    Vec3d normal{0, 1, 0};
    double offset = 0;
};

struct Sphere {   ///< a disc in 2D
    Vec3d center{};
    double radius = 0;
};

struct Box {      ///< axis-aligned before the transform; a rectangle in 2D
    Vec3d center{};
    Vec3d size{};
};

/// Moves a shape as drawn to where it stands: first scaled about the origin, then rotated, then translated.
struct Transform {
    Vec3d translate{};
    Quaternion rotate{};
    double scale = 1;

    Vec3d apply(Vec3d p) const { return translate + treacle::rotate(rotate, scale * p); }
    Vec3d invert(Vec3d p) const { return (1.0 / scale) * treacle::rotate(conjugate(rotate), p - translate); }
};

/// A piece of geometry: what fluid is sampled from and what solids are made of.
struct Shape {
    std::variant<Plane, Sphere, Box> form;
    Transform transform{};
    int dimension = 3;
};

/// Signed distance to the surface (negative inside) and its direction away from the inside.
struct SurfacePoint {
    double distance;
    Vec3d normal;
};

SurfacePoint surface_point(const Shape& shape, Vec3d point);

/// Volume in m³ (3D) or area in m² (2D); none for a plane.
std::optional<double> volume(const Shape& shape);

/// Center of the shape in space; none for a plane.
std::optional<Vec3d> center(const Shape& shape);

struct Bounds {
    Vec3d low, high;
};

/// Axis-aligned bounds in space; none for a plane.
std::optional<Bounds> bounds(const Shape& shape);

}  // namespace treacle
