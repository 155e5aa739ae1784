#pragma once

#include "kernels/cubic_spline.h"
#include "math/space.h"
#include "simd/pack.h"

namespace treacle {

/// The viscous force between two particles of SPH (Monaghan 2005: Smoothed particle hydrodynamics, with the
/// factor that makes the viscosity physical in d dimensions):
///
///   F_ij = 2(d+2) η_ij V_i V_j (v_ij·x_ij)/(|x_ij|² + 0.01 h²) ∇W_ij  =  -w_ij (v_ij·x_ij) x_ij,    w_ij >= 0
///   η_ij = 2 η_i η_j / (η_i + η_j)
///
/// It acts along x_ij, is opposite for the other one, and vanishes when the two move as parts of a rigid body: linear
/// and angular momentum stay, and rigid rotation is not damped.
///
/// The harmonic mean, because particles are resistances in series: between two layers that are sheared along their
/// border it gives both the same stress, and a fluid without viscosity drags no other. (The arithmetic one would let
/// honey hold a film of water as if the film were half as thick as honey.)
///
/// Limits: exact for many neighbors all around. With h two spacings a disordered fluid shows 0.97 (2D) or 0.95 (3D)
/// of the viscosity; a cubic lattice is anisotropic, with 0.65 or 0.70 of it in shear along its axes, 1.31 or 1.43 in
/// shear across its diagonals and 0.98 or 0.99 in the mean over all directions (h three spacings: 0.91 to 1.03).
///
/// For numbers and for packs of them.
template <class S>
struct ViscousPair {
    using Real = typename S::Real;

    CubicSpline<S> kernel;

    /// w_ij, kg/(m² s) in 3D; zero at the distance 0 and from the support radius on (q >= 1).
    template <class T>
    TREACLE_SIMD_INLINE T weight(const T& distance, const T& q, const T& viscosity, const T& volumes) const {
        using simd::select;
        using std::max;
        const Real h = kernel.support_radius();
        const T fall = max(-kernel.slope(q), T(0));
        const T reach = distance * (distance * distance + T(Real(0.01) * h * h));
        return select(distance > T(0), (T(Real(2 * (S::dim + 2))) * (viscosity * volumes)) * (fall / reach), T(0));
    }

    /// η_ij
    template <class T>
    static TREACLE_SIMD_INLINE T mean(const T& a, const T& b) {
        using simd::select;
        const T sum = a + b;
        return select(sum > T(0), (T(2) * (a * b)) / sum, T(0));
    }
};

}  // namespace treacle
