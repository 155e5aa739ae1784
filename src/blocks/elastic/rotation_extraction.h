#pragma once

#include "math/mat3.h"
#include "math/rotation.h"
#include "math/vec.h"
#include "simd/pack.h"

namespace treacle {

/// Eight unit quaternions.
template <class P>
struct Quaternions {
    P x, y, z, w;

    TREACLE_SIMD_INLINE Vec3<P> rotate(const Vec3<P>& v) const {
        const Vec3<P> u{x, y, z};
        const Vec3<P> twice = P(2) * cross(u, v);
        return v + w * twice + cross(u, twice);
    }
    TREACLE_SIMD_INLINE Mat3<P> matrix() const {
        const P two(2), one(1);
        const P xx = two * x * x, xy = two * x * y, xz = two * x * z, yy = two * y * y, yz = two * y * z,
                zz = two * z * z;
        const P wx = two * w * x, wy = two * w * y, wz = two * w * z;
        return {{one - (yy + zz), xy - wz, xz + wy},
                {xy + wz, one - (xx + zz), yz - wx},
                {xz - wy, yz + wx, one - (xx + yy)}};
    }
};

/// Eight 3×3 matrices by their columns.
template <class P>
struct Matrices {
    Vec3<P> column[3];
};

/// The rotation R that is nearest to each A, in the sense of tr(Rᵀ A), from a guess (Müller, Bender, Chentanez, Macklin
/// 2016: A robust method to extract the rotational part of deformations). With r, a the columns of R and A,
///
///   ω = Σ r × a / |Σ r·a|,   R ← exp([ω]) R
///
/// Never a reflection. About axes that A does not determine (points in a line, a single point) R keeps the guess.
///
/// Departure: 3/2 ω. For A = R S a small error about n shrinks to the share n·S n/tr S of it in a step of the paper,
///   that is to a third for S = 1. With 3/2 it vanishes there, and turns to minus a half of it about the normal of a
///   flat cluster.
/// Departure: exp is (1, ω/2), normalized: the same for small ω, and without sine and cosine.
///
/// Limit: for an inverted A (negative determinant) and a guess far off, it may circle without finding the best.
///
/// Lanes that have arrived stay as they are, so that no lane depends on the others.
template <class P>
TREACLE_SIMD_INLINE Quaternions<P> extract_rotation(Matrices<P> a, Quaternions<P> q, int iterations) {
    using Real = typename P::Real;
    constexpr Real arrived = sizeof(Real) == 4 ? Real(1e-13) : Real(1e-29);  // |ω|²
    P size(0);
    for (const Vec3<P>& c : a.column) size = size + dot(c, c);
    const P scale = select(size > P(0), P(1) / sqrt(size), P(0));
    for (Vec3<P>& c : a.column) c = scale * c;
    auto moving = size > P(0);
    for (int n = 0; n < iterations && moving.any(); ++n) {
        Vec3<P> turn{P(0), P(0), P(0)};
        P trace(0);
        const Vec3<P> axes[3] = {{P(1), P(0), P(0)}, {P(0), P(1), P(0)}, {P(0), P(0), P(1)}};
        for (int axis = 0; axis < 3; ++axis) {
            const Vec3<P> r = q.rotate(axes[axis]);
            turn += cross(r, a.column[axis]);
            trace = trace + dot(r, a.column[axis]);
        }
        const P weight = P(Real(1.5)) / max(max(trace, P(0) - trace), P(Real(1e-3)));
        const Vec3<P> omega = weight * turn;
        moving = moving & (dot(omega, omega) > P(arrived));
        // (1, ω/2) q
        const P half(Real(0.5));
        const Vec3<P> o = half * omega, u{q.x, q.y, q.z};
        const Vec3<P> v = u + q.w * o + cross(o, u);
        const P w = q.w - dot(o, u);
        const P inverse = P(1) / sqrt(dot(v, v) + w * w);
        q = {select(moving, inverse * v.x, q.x), select(moving, inverse * v.y, q.y), select(moving, inverse * v.z, q.z),
             select(moving, inverse * w, q.w)};
    }
    return q;
}

/// Of one matrix.
inline Mat3<double> closest_rotation(const Mat3<double>& a, const Quaternion& guess, int iterations) {
    using P = simd::Pack<simd::Twin, double>;
    const Mat3<double> columns = a.transposed();
    const auto eightfold = [](Vec3d v) { return Vec3<P>{P(v.x), P(v.y), P(v.z)}; };
    const Mat3<P> r = extract_rotation(Matrices<P>{{eightfold(columns.x), eightfold(columns.y), eightfold(columns.z)}},
                                       Quaternions<P>{P(guess.x), P(guess.y), P(guess.z), P(guess.w)}, iterations)
                          .matrix();
    const auto first = [](const Vec3<P>& v) { return Vec3d{v.x.lane(0), v.y.lane(0), v.z.lane(0)}; };
    return {first(r.x), first(r.y), first(r.z)};
}

}  // namespace treacle
