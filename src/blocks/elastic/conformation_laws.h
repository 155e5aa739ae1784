#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/mat3.h"
#include "math/reproducible.h"
#include "math/sym_mat.h"

namespace treacle {

/// How a material forgets strain within a step of length dt. With X = Q - 1, stress T = G X, |X| = √(½ dev X : dev X),
/// which is the shear of a simple shear, and the yield strain y = (yield stress)/G:
///
///   dX/dt = -(1/τ) max(0, 1 - y/|X|) (X + α X²)
///
/// y = α = 0 is the paper's material (upper-convected Maxwell). Below its yield stress a material is elastic for ever,
/// above it the excess of stress relaxes (Saramito 2007: A new constitutive equation for elastoviscoplastic fluid
/// flows). The mobility α makes it thin when sheared (Giesekus 1982).
template <class Real>
struct ConformationMemory {
    Real kept = 1;                                             ///< e^(-dt/τ)
    Real mean = 1;                                             ///< of that over the step: (1 - e^(-dt/τ)) τ/dt
    Real yield_strain = 0;                                     ///< y; 0: always relaxes
    Real mobility = 0;                                         ///< α, 0 to 0.5
    Real most_strain = std::numeric_limits<Real>::infinity();  ///< √(½ X : X) at most: beyond it X shrinks as a whole
};

template <class Real>
struct Forgotten {
    SymMat<Real> conformation;  ///< at the end of the step
    Real share;                 ///< mean stress of the step over that at its start
};

/// |X| in the dimensions of the space.
template <int dim, class Real>
Real shear_of(const SymMat<Real>& x) {
    const Real mean = (dim == 2 ? x.xx + x.yy : x.trace()) / Real(dim);
    const Real xx = x.xx - mean, yy = x.yy - mean, zz = dim == 2 ? Real(0) : x.zz - mean;
    return std::sqrt((xx * xx + yy * yy + zz * zz) / 2 + (x.xy * x.xy + x.xz * x.xz + x.yz * x.yz));
}

/// The laws without the limit. Both laws have closed solutions: yield
/// alone shrinks X as a whole, |X| - y by `kept`; mobility alone gives X e^(-s) (1 + α (1 - e^(-s)) X)⁻¹ with s = dt/τ.
/// Together, the share that yield leaves stands for e^(-s). A positive definite Q stays so whatever the step, as 1 + a
/// X is for a < 1.
template <int dim, class Real>
Forgotten<Real> relax(const SymMat<Real>& moved, const ConformationMemory<Real>& memory) {
    const auto one = SymMat<Real>::identity();
    const SymMat<Real> x = moved - one;
    const Real size = memory.yield_strain > 0 || memory.mobility > 0 ? shear_of<dim>(x) : Real(0);
    Real kept = memory.kept, mean = memory.mean;
    if (memory.yield_strain > 0) {
        if (size <= memory.yield_strain) return {moved, Real(1)};
        const Real rigid = memory.yield_strain / size;
        kept = rigid + (1 - rigid) * kept;
        mean = rigid + (1 - rigid) * mean;
    }
    if (!(memory.mobility > 0)) return {one + kept * x, mean};
    const auto over = [](const SymMat<Real>& a, const SymMat<Real>& b) {  // a b⁻¹ of two that commute
        return symmetric_part(Mat3<Real>::from(a) * Mat3<Real>::from(inverse(b)));
    };
    const SymMat<Real> y = (memory.mobility * (1 - kept)) * x;
    // The mean over the step is X (1 - e^(-s))/s · log(1 + y)/y; the last factor is (6 + y)/(6 + 4y) to third order.
    const SymMat<Real> average =
        over(symmetric_part(Mat3<Real>::from(x) * Mat3<Real>::from(Real(6) * one + y)), Real(6) * one + Real(4) * y);
    return {one + kept * over(x, one + y), size > 0 ? mean * shear_of<dim>(average) / size : mean};
}

/// Relaxes a conformation that has followed the deformation of a step.
template <int dim, class Real>
Forgotten<Real> forget(const SymMat<Real>& moved, const ConformationMemory<Real>& memory) {
    Forgotten<Real> left = relax<dim>(moved, memory);
    const auto one = SymMat<Real>::identity();
    const SymMat<Real> x = left.conformation - one;
    const Real size = std::sqrt(double_dot(x, x) / 2);
    if (size > memory.most_strain) left.conformation = one + (memory.most_strain / size) * x;
    return left;
}

/// Springs that are infinitely stiff at their longest (FENE-P: Bird, Dotson, Johnson 1980), with L² the greatest trace
/// of Q:
///
///   T = G (f Q - 1),   dQ/dt = -(f Q - 1)/τ,   f = (L² - d)/(L² - tr Q), which is 1 at rest
template <class Real>
struct Fene {
    SymMat<Real> conformation;  ///< at the end of the step
    Real spring;                ///< f
    Real strain_time;           ///< over which strain is remembered, (τ/f) (1 - e^(-f dt/τ))
};

/// Exact if f stayed constant during the step. Beyond 0.99 L² the springs get no stiffer, since a step
/// may lead farther than L².
template <int dim, class Real>
Fene<Real> forget_fene(const SymMat<Real>& q, Real longest, Real relaxation_time, Real dt) {
    const Real trace = std::min(dim == 2 ? q.xx + q.yy : q.trace(), Real(0.99) * longest);
    const Real spring = (longest - Real(dim)) / (longest - trace);
    const Real kept = static_cast<Real>(reproducible::exp(-static_cast<double>(spring * dt / relaxation_time)));
    const auto rest = (1 / spring) * SymMat<Real>::identity();
    return {rest + kept * (q - rest), spring, relaxation_time / spring * (1 - kept)};
}

}  // namespace treacle
