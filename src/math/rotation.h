#pragma once

#include <cmath>
#include <limits>

#include "math/mat3.h"
#include "math/vec.h"

namespace treacle {

/// Unit quaternion. In 2D only rotations about z occur.
struct Quaternion {
    double w = 1, x = 0, y = 0, z = 0;

    friend bool operator==(const Quaternion&, const Quaternion&) = default;
};

Quaternion operator*(const Quaternion& a, const Quaternion& b);   ///< first b, then a
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

/// Turns z (in 2D y) into a direction of any length but 0, the short way.
Quaternion facing(Vec3d direction, int dimension);

/// On the way from one rotation to another at constant angular velocity, the short way round.
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

/// The rotation closest to a matrix: R that makes R : A greatest, for any A (Müller, Bender, Chentanez, Macklin 2016: A Robust
/// Method to Extract the Rotational Part of Deformations). Each iteration turns R towards it about
///   ω = Σ_c r_c × a_c / (|Σ_c r_c·a_c| + ε),    r_c, a_c the columns of R and A,
/// from `start`, which must be a rotation; that of the last time needs one or two. Never a reflection, whether A is
/// inverted, flat or zero (then it stays where it was).
///
/// Departure: turns by (1, ω/2) as quaternion, which is ω to third order and needs no sine.
/// Limit: a start half a turn away is a saddle and stays.
template <class Real>
Mat3<Real> closest_rotation(const Mat3<Real>& a, const Mat3<Real>& start, int iterations) {
    Mat3<Real> r = start;   // rows of products are sums over columns: Σ_c r_c × a_c = twist of A Rᵀ
    const Real size = std::sqrt(dot(a.x, a.x) + dot(a.y, a.y) + dot(a.z, a.z));
    const Real least = Real(1e-6) * size + std::numeric_limits<Real>::min();
    for (int n = 0; n < iterations; ++n) {
        const Mat3<Real> product = a * r.transposed();
        const Vec3<Real> half = (Real(0.5) / (std::abs(product.trace()) + least)) * twist(product);
        const Real square = dot(half, half);
        // The rotation of the quaternion (1, half) / √(1 + square).
        const Mat3<Real> turn = (1 / (1 + square)) * ((1 - square) * Mat3<Real>::identity() +
                                                      Real(2) * (Mat3<Real>::outer(half, half) + Mat3<Real>::crossing(half)));
        r = turn * r;
    }
    // One step of Newton's iteration takes back what rounding did to the lengths and angles of the columns.
    return Real(0.5) * (r * (Real(3) * Mat3<Real>::identity() - r.transposed() * r));
}

}  // namespace treacle
