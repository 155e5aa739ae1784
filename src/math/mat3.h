#pragma once

#include "math/sym_mat.h"
#include "math/vec.h"

namespace treacle {

/// 3×3 matrix by rows. In 2D the method defines the third row and column.
template <class Real>
struct Mat3 {
    Vec3<Real> x{}, y{}, z{};  ///< rows

    static constexpr Mat3 identity() { return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; }

    /// a bᵀ
    static constexpr Mat3 outer(Vec3<Real> a, Vec3<Real> b) { return {a.x * b, a.y * b, a.z * b}; }

    /// [a]×: the matrix that takes v to a × v.
    static constexpr Mat3 crossing(Vec3<Real> a) { return {{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}; }

    static constexpr Mat3 from(const SymMat<Real>& s) {
        return {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
    }

    constexpr Mat3 transposed() const { return {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}; }
    constexpr Real trace() const { return (x.x + y.y) + z.z; }

    friend constexpr Vec3<Real> operator*(const Mat3& m, Vec3<Real> v) {
        return {dot(m.x, v), dot(m.y, v), dot(m.z, v)};
    }
    friend constexpr Mat3 operator*(const Mat3& a, const Mat3& b) {
        const auto row = [&](Vec3<Real> r) { return (r.x * b.x + r.y * b.y) + r.z * b.z; };
        return {row(a.x), row(a.y), row(a.z)};
    }
    friend constexpr Mat3 operator*(Real s, const Mat3& m) { return {s * m.x, s * m.y, s * m.z}; }
    friend constexpr Mat3 operator+(const Mat3& a, const Mat3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend constexpr Mat3 operator-(const Mat3& a, const Mat3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
};

/// (a + aᵀ)/2
template <class Real>
constexpr SymMat<Real> symmetric_part(const Mat3<Real>& a) {
    return {a.x.x, (a.x.y + a.y.x) / 2, (a.x.z + a.z.x) / 2, a.y.y, (a.y.z + a.z.y) / 2, a.z.z};
}

/// The vector w with w·b = a : [b]× for every b; twice the axis of a's antisymmetric part.
template <class Real>
constexpr Vec3<Real> twist(const Mat3<Real>& a) {
    return {a.z.y - a.y.z, a.x.z - a.z.x, a.y.x - a.x.y};
}

}  // namespace treacle
