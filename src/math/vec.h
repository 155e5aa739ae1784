#pragma once

#include <cmath>

namespace treacle {

/// Three components for computing. 2D scenes use the same type with z = 0 throughout.
template <class Real>
struct Vec3 {
    Real x{}, y{}, z{};

    constexpr Real& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
    constexpr Real operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }

    constexpr Vec3& operator+=(Vec3 b) {
        x += b.x;
        y += b.y;
        z += b.z;
        return *this;
    }
    constexpr Vec3& operator-=(Vec3 b) {
        x -= b.x;
        y -= b.y;
        z -= b.z;
        return *this;
    }
    constexpr Vec3& operator*=(Real s) {
        x *= s;
        y *= s;
        z *= s;
        return *this;
    }

    friend constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend constexpr Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
    friend constexpr Vec3 operator*(Real s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
    friend constexpr Vec3 operator*(Vec3 a, Real s) { return s * a; }
    friend constexpr Vec3 operator/(Vec3 a, Real s) { return {a.x / s, a.y / s, a.z / s}; }
    friend constexpr bool operator==(Vec3 a, Vec3 b) = default;
};

using Vec3d = Vec3<double>;

template <class Real>
constexpr Real dot(Vec3<Real> a, Vec3<Real> b) {
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

template <class Real>
constexpr Vec3<Real> cross(Vec3<Real> a, Vec3<Real> b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class Real>
Real length(Vec3<Real> a) {
    return std::sqrt(dot(a, a));
}

template <class To, class From>
constexpr Vec3<To> cast(Vec3<From> a) {
    return {static_cast<To>(a.x), static_cast<To>(a.y), static_cast<To>(a.z)};
}

/// How a vector is stored in a column: a row of four, so that one aligned load fetches it. The fourth is zero.
template <class Real>
struct alignas(4 * sizeof(Real)) Row4 {
    Real x{}, y{}, z{}, w{};

    Row4() = default;
    constexpr Row4(Vec3<Real> v) : x(v.x), y(v.y), z(v.z) {}
    constexpr Vec3<Real> xyz() const { return {x, y, z}; }
};

}  // namespace treacle
