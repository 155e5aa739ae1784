#pragma once

#include <algorithm>

#include "math/reproducible.h"
#include "math/space.h"
#include "simd/pack.h"

namespace treacle {

/// The cubic B-spline of SPH (Monaghan 1992), with h the support radius: W = 0 for r >= h. With q = r/h
///   W(r) = σ/hᵈ · { 6(q³ - q²) + 1  for q <= 1/2;   2(1-q)³  for q <= 1 },   σ = 40/(7π) in 2D, 8/π in 3D
/// written without branches as σ/hᵈ · (2 (1-q)₊³ - 8 (1/2-q)₊³), for numbers and for packs of them.
///
/// Its integral is one. A lattice with h of two spacings has the density of its particles, up to 3e-5 in 3D and 1e-3 in
/// 2D, so that no calibration of the mass is needed.
///
/// Limit: the gradient vanishes at r = 0; particles pressed to one place are not pushed apart by it.
template <class S>
class CubicSpline {
public:
    using Real = typename S::Real;

    CubicSpline() = default;
    explicit CubicSpline(double support_radius) : h_(static_cast<Real>(support_radius)) {
        const double sigma = S::dim == 2 ? 40 / (7 * reproducible::pi) : 8 / reproducible::pi;
        scale_ = static_cast<Real>(sigma / cell_volume(S::dim, support_radius));
        slope_scale_ = static_cast<Real>(sigma / cell_volume(S::dim, support_radius) / support_radius);
    }

    Real support_radius() const { return h_; }
    Real value_scale() const { return scale_; }            ///< of SplinePairs: W(0)
    Real slope_scale() const { return 6 * slope_scale_; }  ///< likewise

    /// W by q = r/h; unit 1/m³ (2D: 1/m²).
    template <class T>
    TREACLE_SIMD_INLINE T value(T q) const {
        using std::max;
        const T far = max(T(1) - q, T(0)), near = max(T(Real(0.5)) - q, T(0));
        return T(scale_) * (T(2) * (far * far * far) - T(8) * (near * near * near));
    }

    /// dW/dr by q; zero or negative. The gradient with respect to x_i is this times (x_i - x_j)/r.
    template <class T>
    TREACLE_SIMD_INLINE T slope(T q) const {
        using std::max;
        const T far = max(T(1) - q, T(0)), near = max(T(Real(0.5)) - q, T(0));
        return T(slope_scale_) * (T(24) * (near * near) - T(6) * (far * far));
    }

    /// d²W/dr² by q: the second derivative along the line to the neighbor. The one across it is slope/r.
    template <class T>
    TREACLE_SIMD_INLINE T bend(T q) const {
        using std::max;
        const T far = max(T(1) - q, T(0)), near = max(T(Real(0.5)) - q, T(0));
        return T(slope_scale_ / h_) * (T(12) * far - T(48) * near);
    }

private:
    Real h_ = 0, scale_ = 0, slope_scale_ = 0;
};

}  // namespace treacle
