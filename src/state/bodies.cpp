#include "state/bodies.h"

#include <algorithm>
#include <cmath>

namespace treacle {

SurfacePoint Body::surface_at(Vec3d point) const {
    SurfacePoint hit = surface_point(shape, pose.to_local(point));
    hit.normal = rotate(pose.rotation, hit.normal);
    if (invert) return {-hit.distance, -hit.normal};
    return hit;
}

double Body::fastest_point() const {
    const Bounds box = *bounds(shape);
    Vec3d far{};
    for (int axis = 0; axis < 3; ++axis) {
        far[axis] =
            std::max(std::abs(box.low[axis] - center_of_mass[axis]), std::abs(box.high[axis] - center_of_mass[axis]));
    }
    return length(velocity_at(center_of_mass_in_space())) + length(angular_velocity) * length(far);
}

Vec3d Body::spin_up(Vec3d moment) const {
    const Quaternion axes = pose.rotation * principal_axes;
    Vec3d along = rotate(conjugate(axes), moment);
    for (int axis = 0; axis < 3; ++axis) along[axis] = inertia[axis] > 0 ? along[axis] / inertia[axis] : 0;
    return rotate(axes, along);
}

std::vector<std::uint32_t> ids_of(const Bodies& bodies) {
    std::vector<std::uint32_t> ids;
    for (const Body& body : bodies) ids.push_back(body.id);
    return ids;
}

}  // namespace treacle
