#pragma once

#include "math/vec.h"

namespace treacle {

/// Unit quaternion. In 2D only rotations about z occur.
struct Quaternion {
    double w = 1, x = 0, y = 0, z = 0;

    friend bool operator==(const Quaternion&, const Quaternion&) = default;
};

Quaternion operator*(const Quaternion& a, const Quaternion& b);  ///< first b, then a
Quaternion normalized(const Quaternion& q);

inline Quaternion conjugate(const Quaternion& q) { return {q.w, -q.x, -q.y, -q.z}; }

inline Vec3d rotate(const Quaternion& q, Vec3d v) {
    const Vec3d axis{q.x, q.y, q.z};
    const Vec3d twice = 2.0 * cross(axis, v);
    return v + q.w * twice + cross(axis, twice);
}

/// Rotation about a (not necessarily unit) axis.
Quaternion from_axis_angle(Vec3d axis, double degrees);

/// Blender's "XYZ" order: first about x, then y, then z, all in degrees about fixed axes.
Quaternion from_euler_xyz(Vec3d degrees);

/// The shortest rotation that turns z (in 2D y) into a direction of any length but 0.
Quaternion facing(Vec3d direction, int dimension);

/// A rotation on the way from one to another at constant angular velocity, the short way round.
Quaternion blend(const Quaternion& from, const Quaternion& to, double share);

/// Angular velocity (rad/s) that turns `from` into `to` within `seconds`.
Vec3d angular_velocity(const Quaternion& from, const Quaternion& to, double seconds);

/// Position and rotation of a body relative to its shape as drawn.
struct Pose {
    Vec3d position{};
    Quaternion rotation{};

    Vec3d to_world(Vec3d local) const { return position + rotate(rotation, local); }
    Vec3d to_local(Vec3d world) const { return rotate(conjugate(rotation), world - position); }
    friend bool operator==(const Pose&, const Pose&) = default;
};

}  // namespace treacle
