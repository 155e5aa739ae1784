#pragma once

#include <cmath>

#include "math/vec.h"
#include "simd/pack.h"

/// Space that repeats itself. A period is the length after which it does so, per axis; 0 where it does not. Particles
/// are kept in [0, period) and see the nearest image of each other.

namespace treacle {

/// The shortest way from i to j, given the difference x_j - x_i of two places in [0, period). T is a number or a pack.
/// The way from j to i is exactly opposite. A period of 0 leaves the difference as it is, to the bit.
template <class T, class Real>
TREACLE_SIMD_INLINE T nearest_image(const T& r, Real period) {
    const T whole(period), half(Real(0.5) * period);
    return simd::select(r > half, r - whole, simd::select(r < -half, r + whole, r));
}

template <class T, class Real>
TREACLE_SIMD_INLINE Vec3<T> nearest_image(const Vec3<T>& r, const Vec3<Real>& period) {
    return {nearest_image(r.x, period.x), nearest_image(r.y, period.y), nearest_image(r.z, period.z)};
}

/// The image of a place in [0, period). A place that is there already stays as it is; so does any if the period is 0.
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
