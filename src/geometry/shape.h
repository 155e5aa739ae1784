#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "math/rotation.h"
#include "math/vec.h"

namespace treacle {

/// The half space normal · x < offset.
struct Plane {
    Vec3d normal{0, 1, 0};
    double offset = 0;
};

struct Sphere {  ///< a disc in 2D
    Vec3d center{};
    double radius = 0;
};

struct Box {  ///< axis-aligned before the transform; a rectangle in 2D
    Vec3d center{};
    Vec3d size{};
};

/// A round bar, or a pipe if it has a bore. In 2D it is the cut along its axis: a rectangle, or two parallel plates.
struct Cylinder {
    Vec3d center{};
    Vec3d axis{0, 1, 0};  ///< of any length but 0
    double radius = 0;
    double height = 0;
    double inner_radius = 0;  ///< of the bore, open at both ends; 0: there is none
};

/// All points closer than the radius to a line segment; a stadium in 2D.
struct Capsule {
    Vec3d center{};
    Vec3d axis{0, 1, 0};  ///< of any length but 0
    double radius = 0;
    double height = 0;  ///< between the centers of the two round ends
};

class DistanceField;
class SolidMesh;

struct Mesh {                                      ///< 3D only
    std::string file;                              ///< as the scene names it
    std::shared_ptr<const SolidMesh> solid;        ///< never null; shared by all shapes of the same file
    std::shared_ptr<const DistanceField> field{};  ///< in place of the solid for many queries; null: exact
};

/// Moves a shape as drawn to where it stands: first scaled about the origin, then rotated, then translated.
struct Transform {
    Vec3d translate{};
    Quaternion rotate{};
    double scale = 1;

    Vec3d apply(Vec3d p) const { return translate + treacle::rotate(rotate, scale * p); }
    Vec3d invert(Vec3d p) const { return (1.0 / scale) * treacle::rotate(conjugate(rotate), p - translate); }
};

/// A piece of geometry: fluid is sampled from it, solids are made of it.
struct Shape {
    std::variant<Plane, Sphere, Box, Cylinder, Capsule, Mesh> form;
    Transform transform{};
    int dimension = 3;
};

/// Signed distance to the surface (negative inside) and its direction away from the inside.
struct SurfacePoint {
    double distance;
    Vec3d normal;
};

SurfacePoint surface_point(const Shape& shape, Vec3d point);

/// The same shape, asked without the field of a mesh: exact far away too, and nothing is laid where it is asked.
Shape without_field(Shape shape);

/// Volume in m³ (3D) or area in m² (2D); none for a plane.
std::optional<double> volume(const Shape& shape);

/// Center of the shape in space (of a mesh: of its mass); none for a plane.
std::optional<Vec3d> center(const Shape& shape);

/// From low to high along a direction.
struct Extent {
    double low, high;
};

/// Extent of a shape along a direction of length 1 (of a mesh: of the box around it as drawn); none for a plane.
std::optional<Extent> extent(const Shape& shape, Vec3d direction);

struct Bounds {
    Vec3d low, high;
};

/// Axis-aligned bounds in space of a shape, moved by a pose; none for a plane.
std::optional<Bounds> bounds(const Shape& shape, const Pose& pose = {});

/// A direction of length 1 at right angles to another; for one in the plane z = 0 it lies there too.
Vec3d perpendicular(Vec3d direction);

}  // namespace treacle
