#pragma once

#include <algorithm>

#include "math/reproducible.h"
#include "math/space.h"
#include "simd/pack.h"

namespace treacle {

/// The kernels of Müller, Charypar, Gross 2003 (Particle-Based Fluid Simulation for Interactive Applications, eqs. 20,
/// 21), with h the support radius and q = r/h: poly6 for densities,
///   W = 315/(64π h³) (1-q²)³   (2D: 4/(π h²) (1-q²)³),
/// and the slope of spiky for forces, which does not vanish at r = 0:
///   dW/dr = -45/(π h⁴) (1-q)²   (2D: -30/(π h³) (1-q)²).
///
/// Limit: slope is not the derivative of value, so a solver that predicts densities with it is wrong
/// (docs/measurements has numbers).
template <class S>
class Mueller2003 {
public:
    using Real = typename S::Real;

    explicit Mueller2003(double support_radius) : h_(static_cast<Real>(support_radius)) {
        const double pi = reproducible::pi, cell = cell_volume(S::dim, support_radius);
        scale_ = static_cast<Real>((S::dim == 2 ? 4 / pi : 315 / (64 * pi)) / cell);
        slope_scale_ = static_cast<Real>((S::dim == 2 ? -30 / pi : -45 / pi) / cell / support_radius);
    }

    Real support_radius() const { return h_; }

    /// Poly6; unit 1/m³ (2D: 1/m²).
    template <class T>
    TREACLE_SIMD_INLINE T value(T q) const {
        using std::max;
        const T near = max(T(1) - q * q, T(0));
        return T(scale_) * (near * near * near);
    }

    /// dW/dr of spiky; zero or negative.
    template <class T>
    TREACLE_SIMD_INLINE T slope(T q) const {
        using std::max;
        const T near = max(T(1) - q, T(0));
        return T(slope_scale_) * (near * near);
    }

private:
    Real h_, scale_, slope_scale_;
};

}  // namespace treacle
