#include "math/rotation.h"

#include "math/reproducible.h"

namespace treacle {

Quaternion operator*(const Quaternion& a, const Quaternion& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

Quaternion normalized(const Quaternion& q) {
    const double norm = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (norm == 0) return {};
    return {q.w / norm, q.x / norm, q.y / norm, q.z / norm};
}

Quaternion from_axis_angle(Vec3d axis, double degrees) {
    const double norm = length(axis);
    if (norm == 0) return {};
    const double half = degrees * reproducible::pi / 360.0;
    const Vec3d part = (reproducible::sin(half) / norm) * axis;
    return {reproducible::cos(half), part.x, part.y, part.z};
}

Quaternion from_euler_xyz(Vec3d degrees) {
    return from_axis_angle({0, 0, 1}, degrees.z) * from_axis_angle({0, 1, 0}, degrees.y) *
           from_axis_angle({1, 0, 0}, degrees.x);
}

Quaternion blend(const Quaternion& from, const Quaternion& to, double share) {
    const Vec3d turn = angular_velocity(from, to, 1);  // axis times angle
    return normalized(from_axis_angle(turn, share * length(turn) * 180 / reproducible::pi) * from);
}

Vec3d angular_velocity(const Quaternion& from, const Quaternion& to, double seconds) {
    Quaternion change = to * conjugate(from);
    if (change.w < 0) change = {-change.w, -change.x, -change.y, -change.z};
    const Vec3d part{change.x, change.y, change.z};  // axis · sin(half the angle)
    const double sine = length(part);
    if (sine == 0) return {};
    // Each correction is the sine of the error, right to third order: three are exact up to a half turn.
    double half = sine;
    for (int n = 0; n < 3; ++n) half += sine * reproducible::cos(half) - change.w * reproducible::sin(half);
    return (2.0 * half / (sine * seconds)) * part;
}

Quaternion facing(Vec3d direction, int dimension) {
    const Vec3d from = dimension == 2 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    const Vec3d to = direction / length(direction);
    const double cosine = dot(from, to);
    // Straight back, no way is shorter than others; the turn about z (2D) or x (3D) is as good as any.
    if (cosine < -1 + 1e-12) return dimension == 2 ? Quaternion{0, 0, 0, 1} : Quaternion{0, 1, 0, 0};
    const Vec3d axis = cross(from, to);
    return normalized({1 + cosine, axis.x, axis.y, axis.z});
}

}  // namespace treacle
