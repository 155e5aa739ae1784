#pragma once

#include "math/vec.h"

namespace treacle {

/// Symmetric 3×3 tensor; in 2D the z components keep whatever the method defines for them (often 0 or 1 on zz).
template <class Real>
struct SymMat {
    Real xx{}, xy{}, xz{}, yy{}, yz{}, zz{};

    friend Vec3<Real> operator*(const SymMat& m, const Vec3<Real>& v) {
        return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
                m.xz * v.x + m.yz * v.y + m.zz * v.z};
    }
    /// Adds factor · n nᵀ.
    void add_square(Real factor, const Vec3<Real>& n) {
        xx += factor * n.x * n.x, xy += factor * n.x * n.y, xz += factor * n.x * n.z;
        yy += factor * n.y * n.y, yz += factor * n.y * n.z, zz += factor * n.z * n.z;
    }

    static constexpr SymMat identity() { return {1, 0, 0, 1, 0, 1}; }
    constexpr Real trace() const { return (xx + yy) + zz; }

    friend constexpr SymMat operator+(const SymMat& a, const SymMat& b) {
        return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
    }
    friend constexpr SymMat operator-(const SymMat& a, const SymMat& b) {
        return {a.xx - b.xx, a.xy - b.xy, a.xz - b.xz, a.yy - b.yy, a.yz - b.yz, a.zz - b.zz};
    }
    friend constexpr SymMat operator*(Real s, const SymMat& a) {
        return {s * a.xx, s * a.xy, s * a.xz, s * a.yy, s * a.yz, s * a.zz};
    }
};

/// a : b, the sum over all nine products.
template <class Real>
constexpr Real double_dot(const SymMat<Real>& a, const SymMat<Real>& b) {
    return (a.xx * b.xx + a.yy * b.yy + a.zz * b.zz) + 2 * (a.xy * b.xy + a.xz * b.xz + a.yz * b.yz);
}

/// The inverse; infinite for a singular matrix.
template <class Real>
constexpr SymMat<Real> inverse(const SymMat<Real>& m) {
    const Real a = m.yy * m.zz - m.yz * m.yz, b = m.xz * m.yz - m.xy * m.zz, c = m.xy * m.yz - m.xz * m.yy;
    const Real scale = 1 / ((m.xx * a + m.xy * b) + m.xz * c);
    return scale *
           SymMat<Real>{a, b, c, m.xx * m.zz - m.xz * m.xz, m.xy * m.xz - m.xx * m.yz, m.xx * m.yy - m.xy * m.xy};
}

}  // namespace treacle
