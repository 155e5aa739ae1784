#include "math/shape.h"

#include <algorithm>

#include "math/reproducible.h"

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

std::optional<Bounds> local_bounds(const Shape& shape) {
    if (const auto* sphere = std::get_if<Sphere>(&shape.form)) {
        const double r = sphere->radius;
        return Bounds{sphere->center - Vec3d{r, r, shape.dimension == 3 ? r : 0},
                      sphere->center + Vec3d{r, r, shape.dimension == 3 ? r : 0}};
    }
    if (const auto* box = std::get_if<Box>(&shape.form)) {
        return Bounds{box->center - 0.5 * box->size, box->center + 0.5 * box->size};
    }
    return std::nullopt;
}

}  // namespace

SurfacePoint surface_point(const Shape& shape, Vec3d point) {
    const Vec3d local = shape.transform.invert(point);
    const SurfacePoint hit =
        std::visit([&](const auto& form) { return nearest(form, local, shape.dimension); }, shape.form);
    return {hit.distance * shape.transform.scale, rotate(shape.transform.rotate, hit.normal)};
}

std::optional<double> volume(const Shape& shape) {
    const double s = shape.transform.scale;
    const double scale = shape.dimension == 2 ? s * s : s * s * s;
    if (const auto* sphere = std::get_if<Sphere>(&shape.form)) {
        const double r = sphere->radius;
        return scale * (shape.dimension == 2 ? reproducible::pi * r * r : 4.0 / 3.0 * reproducible::pi * r * r * r);
    }
    if (const auto* box = std::get_if<Box>(&shape.form)) {
        return scale * box->size.x * box->size.y * (shape.dimension == 2 ? 1.0 : box->size.z);
    }
    return std::nullopt;
}

std::optional<Vec3d> center(const Shape& shape) {
    if (const auto* sphere = std::get_if<Sphere>(&shape.form)) return shape.transform.apply(sphere->center);
    if (const auto* box = std::get_if<Box>(&shape.form)) return shape.transform.apply(box->center);
    return std::nullopt;
}

std::optional<Bounds> bounds(const Shape& shape) {
    const auto local = local_bounds(shape);
    if (!local) return std::nullopt;
    Bounds result{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3d p = shape.transform.apply({corner & 1 ? local->high.x : local->low.x,
                                               corner & 2 ? local->high.y : local->low.y,
                                               corner & 4 ? local->high.z : local->low.z});
        for (int axis = 0; axis < 3; ++axis) {
            result.low[axis] = std::min(result.low[axis], p[axis]);
            result.high[axis] = std::max(result.high[axis], p[axis]);
        }
    }
    return result;
}

}  // namespace treacle
