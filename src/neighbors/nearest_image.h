#pragma once

#include <cmath>

#include "math/vec.h"
#include "simd/pack.h"

/// Space that repeats itself. A period is the length after which it does so, per axis; 0 where it does not. Particles
/// are kept in [0, period); what they see of each other is the nearest image.

namespace treacle {

/// The shortest way, given the difference x_j - x_i of two places in [0, period). T is a number or a pack. Exactly
/// opposite for the other one. A period of 0 leaves it as it is, to the bit.
template <class T, class Real>
TREACLE_SIMD_INLINE T nearest_image(const T& r, Real period) {
    const T whole(period), half(Real(0.5) * period);
    return simd::select(r > half, r - whole, simd::select(r < -half, r + whole, r));
}

template <class T, class Real>
TREACLE_SIMD_INLINE Vec3<T> nearest_image(const Vec3<T>& r, const Vec3<Real>& period) {
    return {nearest_image(r.x, period.x), nearest_image(r.y, period.y), nearest_image(r.z, period.z)};
}

/// The image of a place that lies in [0, period). A place that does, or a period of 0, stays as it is.
template <class Real>
Real wrapped(Real x, Real period) {
    if (!(period > 0) || (x >= 0 && x < period)) return x;
    const Real inside = x - period * std::floor(x / period);
    return inside >= 0 && inside < period ? inside
           : std::isfinite(inside)        ? Real(0)
                                          : x;  // rounding may end on the border
}

template <class Real>
Vec3<Real> wrapped(Vec3<Real> x, Vec3<Real> period) {
    return {wrapped(x.x, period.x), wrapped(x.y, period.y), wrapped(x.z, period.z)};
}

}  // namespace treacle
