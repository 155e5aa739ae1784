#include "geometry/shape.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/distance_field.h"
#include "geometry/solid_mesh.h"

namespace treacle {

namespace {

SurfacePoint nearest(const Plane& plane, Vec3d p, int) {
    const double norm = length(plane.normal);
    const Vec3d unit = plane.normal / norm;
    return {dot(unit, p) - plane.offset / norm, unit};
}

SurfacePoint nearest(const Sphere& sphere, Vec3d p, int) {
    const Vec3d offset = p - sphere.center;
    const double r = length(offset);
    // The center has no direction; up is as good as any and always the same.
    return {r - sphere.radius, r > 0 ? offset / r : Vec3d{0, 1, 0}};
}

SurfacePoint nearest(const Box& box, Vec3d p, int dimension) {
    const Vec3d offset = p - box.center;
    Vec3d outside{};
    double deepest = -1e300;
    int deepest_axis = 0;
    for (int axis = 0; axis < dimension; ++axis) {
        const double depth = std::abs(offset[axis]) - 0.5 * box.size[axis];
        outside[axis] = std::max(depth, 0.0) * (offset[axis] < 0 ? -1.0 : 1.0);
        if (depth > deepest) {
            deepest = depth;
            deepest_axis = axis;
        }
    }
    if (deepest > 0) {
        const double distance = length(outside);
        return {distance, outside / distance};
    }
    Vec3d normal{};
    normal[deepest_axis] = offset[deepest_axis] < 0 ? -1.0 : 1.0;
    return {deepest, normal};
}

/// A point seen from a round shape.
struct Polar {
    Vec3d axis, outward;   ///< of length 1
    double along, across;  ///< from the center along the axis, and away from it
};

Polar polar(Vec3d center, Vec3d axis, Vec3d p) {
    const Vec3d unit = axis / length(axis);
    const double along = dot(p - center, unit);
    const Vec3d off = p - center - along * unit;
    const double across = length(off);
    return {unit, across > 0 ? off / across : perpendicular(unit), along, across};
}

/// A rectangle turned about the axis makes the cylinder, so the nearest point is that of the rectangle.
SurfacePoint nearest(const Cylinder& cylinder, Vec3d p, int) {
    const Polar at = polar(cylinder.center, cylinder.axis, p);
    const double inner = cylinder.inner_radius > 0 ? cylinder.inner_radius : -cylinder.radius;
    const Box cut{{0.5 * (cylinder.radius + inner), 0, 0}, {cylinder.radius - inner, cylinder.height, 0}};
    const SurfacePoint hit = nearest(cut, {at.across, at.along, 0}, 2);
    return {hit.distance, hit.normal.x * at.outward + hit.normal.y * at.axis};
}

SurfacePoint nearest(const Capsule& capsule, Vec3d p, int) {
    const Polar at = polar(capsule.center, capsule.axis, p);
    const double beyond = at.along - std::clamp(at.along, -0.5 * capsule.height, 0.5 * capsule.height);
    const double r = std::sqrt(at.across * at.across + beyond * beyond);
    return {r - capsule.radius, r > 0 ? (at.across * at.outward + beyond * at.axis) / r : at.outward};
}

SurfacePoint nearest(const Mesh& mesh, Vec3d p, int) {
    return mesh.field ? mesh.field->nearest(p) : mesh.solid->nearest(p);
}

/// How far a form reaches from its middle along a vector, times the vector's length.
double reach(const Plane&, Vec3d) { return std::numeric_limits<double>::infinity(); }
double reach(const Sphere& sphere, Vec3d d) { return sphere.radius * length(d); }

double reach(const Box& box, Vec3d d) {
    return 0.5 * (std::abs(d.x) * box.size.x + std::abs(d.y) * box.size.y + std::abs(d.z) * box.size.z);
}

double reach(const Cylinder& cylinder, Vec3d d) {
    const double along = dot(cylinder.axis, d) / length(cylinder.axis);
    return 0.5 * cylinder.height * std::abs(along) +
           cylinder.radius * std::sqrt(std::max(0.0, dot(d, d) - along * along));
}

double reach(const Capsule& capsule, Vec3d d) {
    return 0.5 * capsule.height * std::abs(dot(capsule.axis, d)) / length(capsule.axis) + capsule.radius * length(d);
}

double reach(const Mesh& mesh, Vec3d d) {
    const Bounds& around = mesh.solid->bounds();
    return reach(Box{{}, around.high - around.low}, d);
}

/// A point from which the extent of a form is measured.
Vec3d middle(const Plane&) { return {}; }
Vec3d middle(const Mesh& mesh) { return 0.5 * (mesh.solid->bounds().low + mesh.solid->bounds().high); }
template <class Form>
Vec3d middle(const Form& form) {
    return form.center;
}

}  // namespace

SurfacePoint surface_point(const Shape& shape, Vec3d point) {
    const Vec3d local = shape.transform.invert(point);
    const SurfacePoint hit =
        std::visit([&](const auto& form) { return nearest(form, local, shape.dimension); }, shape.form);
    return {hit.distance * shape.transform.scale, rotate(shape.transform.rotate, hit.normal)};
}

Shape without_field(Shape shape) {
    if (auto* mesh = std::get_if<Mesh>(&shape.form)) mesh->field = nullptr;
    return shape;
}

std::optional<Vec3d> center(const Shape& shape) {
    if (std::holds_alternative<Plane>(shape.form)) return std::nullopt;
    if (const auto* mesh = std::get_if<Mesh>(&shape.form)) return shape.transform.apply(mesh->solid->matter().center);
    return shape.transform.apply(std::visit([](const auto& form) { return middle(form); }, shape.form));
}

std::optional<Extent> extent(const Shape& shape, Vec3d direction) {
    if (std::holds_alternative<Plane>(shape.form)) return std::nullopt;
    const auto& [translate, turn, scale] = shape.transform;
    Vec3d drawn = rotate(conjugate(turn), direction);
    if (shape.dimension == 2) drawn.z = 0;
    const double half = scale * std::visit([&](const auto& form) { return reach(form, drawn); }, shape.form);
    const Vec3d from = std::visit([](const auto& form) { return middle(form); }, shape.form);
    const double at = dot(direction, shape.transform.apply(from));
    return Extent{at - half, at + half};
}

std::optional<Bounds> bounds(const Shape& shape, const Pose& pose) {
    if (std::holds_alternative<Plane>(shape.form)) return std::nullopt;
    Bounds result{};
    for (int axis = 0; axis < 3; ++axis) {
        Vec3d along{};
        along[axis] = 1;
        const Extent spanned = *extent(shape, rotate(conjugate(pose.rotation), along));
        result.low[axis] = pose.position[axis] + spanned.low;
        result.high[axis] = pose.position[axis] + spanned.high;
    }
    return result;
}

Vec3d perpendicular(Vec3d direction) {
    const bool along_z = std::abs(direction.z) > 0.9 * length(direction);
    const Vec3d across = cross(direction, along_z ? Vec3d{1, 0, 0} : Vec3d{0, 0, 1});
    return across / length(across);
}

}  // namespace treacle
