#pragma once

#include "math/vec.h"

namespace treacle {

/// Symmetric 3×3 tensor; in 2D the z components keep whatever the method defines for them (often 0 or 1 on zz).
template <class Real>
struct SymMat {
    Real xx{}, xy{}, xz{}, yy{}, yz{}, zz{};

    friend Vec3<Real> operator*(const SymMat& m, const Vec3<Real>& v) {
        return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z, m.xz * v.x + m.yz * v.y + m.zz * v.z};
    }
    /// Adds factor · n nᵀ.
    void add_square(Real factor, const Vec3<Real>& n) {
        xx += factor * n.x * n.x, xy += factor * n.x * n.y, xz += factor * n.x * n.z;
        yy += factor * n.y * n.y, yz += factor * n.y * n.z, zz += factor * n.z * n.z;
    }
};

}  // namespace treacle
