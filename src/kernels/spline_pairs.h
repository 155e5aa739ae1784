#pragma once

#include "kernels/cubic_spline.h"
#include "math/vec.h"
#include "simd/pack.h"

namespace treacle {

/// CubicSpline for passes over many pairs, with the fewest operations per pair: common factors are left to the end of
/// a sum. With far = (1-q)₊ and near = (1-2q)₊
///   W = value_scale (2 far³ - near³),   dW/dr = slope_scale (near² - far²)
/// In lanes that hold the particle itself, the slope is zero and the value is 1.
template <class S, class P>
class SplinePairs {
public:
    using Real = typename S::Real;

    TREACLE_SIMD_INLINE explicit SplinePairs(const CubicSpline<S>& kernel) : inverse_h_(1 / kernel.support_radius()) {}

    /// Distances are at least this, so that they may divide. (Their share of h must not be denormal: that takes a
    /// hundred times as long.)
    static constexpr Real least = Real(1e-18);

    TREACLE_SIMD_INLINE static P distance(const Vec3<P>& r) {
        return max(sqrt((r.x * r.x + r.y * r.y) + r.z * r.z), P(least));
    }
    /// W over value_scale.
    TREACLE_SIMD_INLINE P value(P distance) const {
        const P far = far_of(distance), near = near_of(distance);
        return (far * far) * (far + far) - (near * near) * near;
    }
    /// dW/dr over slope_scale.
    TREACLE_SIMD_INLINE P slope(P distance) const {
        const P far = far_of(distance), near = near_of(distance);
        return near * near - far * far;
    }

private:
    TREACLE_SIMD_INLINE P far_of(P distance) const { return max(P(1) - distance * inverse_h_, P(0)); }
    TREACLE_SIMD_INLINE P near_of(P distance) const { return max(P(1) - distance * (inverse_h_ + inverse_h_), P(0)); }

    const P inverse_h_;
};

}  // namespace treacle
