#include "state/bodies.h"

namespace treacle {

SurfacePoint Body::surface_at(Vec3d point) const {
    SurfacePoint hit = surface_point(shape, pose.to_local(point));
    hit.normal = rotate(pose.rotation, hit.normal);
    if (invert) return {-hit.distance, -hit.normal};
    return hit;
}

}  // namespace treacle
