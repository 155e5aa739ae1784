#pragma once

#include <memory>
#include <vector>

#include <btBulletCollisionCommon.h>

#include "geometry/shape.h"

namespace treacle {

inline btVector3 to_bullet(Vec3d v) { return {v.x, v.y, v.z}; }
inline btQuaternion to_bullet(const Quaternion& q) { return {q.x, q.y, q.z, q.w}; }

/// One shape of Bullet and where it stands in the drawn frame of its body.
struct BulletPiece {
    std::unique_ptr<btCollisionShape> shape;
    Pose place;
    std::unique_ptr<btTriangleMesh> triangles{};  ///< that the shape refers to, if it is made of triangles
};

/// The shapes that Bullet collides in place of ours, scaled by `unit`. Containers are planes that look inwards, or
/// shells of triangles, as are meshes that stand; a mesh that forces move is its convex hull. The wall of a tube is
/// made of convex wedges. In 2D everything is so deep that nobody passes.
std::vector<BulletPiece> bullet_pieces(const Shape& shape, bool invert, bool dynamic, double unit);

}  // namespace treacle
