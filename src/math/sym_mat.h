#pragma once

namespace treacle {

/// Symmetric 3×3 tensor; in 2D the z components keep whatever the method defines for them (often 0 or 1 on zz).
template <class Real>
struct SymMat {
    Real xx{}, xy{}, xz{}, yy{}, yz{}, zz{};
};

}  // namespace treacle
