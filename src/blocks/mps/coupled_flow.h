#pragma once

#include <span>
#include <vector>

#include "blocks/mps/flow_pairs.h"
#include "blocks/mps/mps_geometry.h"
#include "core/parallel.h"
#include "linear/conjugate_gradient.h"
#include "math/mat3.h"
#include "math/space.h"
#include "math/sym_mat.h"
#include "state/bodies.h"

namespace treacle {

/// Velocities at the end of a step of an incompressible viscoelastic fluid, from one symmetric positive definite system
/// that holds viscosity, incompressibility and the elastic stress of a conformation:
///
///   m_i (v_i - v_i⁰)/dt = m_i a_i + Σ_j d_ij x̂_ij x̂_ij·(v_j - v_i) + Σ_j V_i S_i b_ij - V_j S_j b_ji
///   d_ij = V (η_i, η_j) 2d(d+2)/(Σ w r²) w_ij         dashpots: η (∇²v + 2 ∇∇·v), no traction at a free surface
///                                                    forces are the exact adjoint of the gradient g = <∇v>
///                                                      (flow_pairs.h)
///   S_i  = -p_i 1 + τ_i + G_i ((1 + t_i g_i) c_i - 1)
///   p_i  = p_i⁰ - κ_i (tr g_i - s_i)
///     κ a multiple of the viscosity: Uzawa's iteration, one sweep per step
///
/// The elastic part is the derivative of the energy V G/2 tr (F c Fᵀ), F = 1 + t g, which is a quadratic function of
/// the velocities at the end of the step: it is implicit without being nonlinear, and stable for any step. c is the
/// conformation at the start of the step after it has relaxed over it; at its end it is F c Fᵀ. t is the time over
/// which strain is remembered, λ (1 - e^(-dt/λ)): so that a steady flow has the viscosity G λ exactly, however long the
/// step is.
///
/// Gradients do not see motions that alternate from particle to particle, and the elastic stress, which is made of
/// gradients, cannot hold them; dashpots can. Where the solvent is thin, dashpots have a smooth part besides, which
/// resists only what the motion of two particles differs from the flow around them (flow_pairs.h): linear flow does not
/// feel it, alternating motion does. It is what DEVSS (Guénette and Fortin 1995) is for finite elements, but within the
/// system: nothing has to cancel between two steps.
///
/// Reads position, mass, volume (m/ρ0), what acts besides (a), pressure, the divergence s that is wanted, stress τ,
/// modulus G and conformation c of each particle, walls. Writes velocity, velocity gradient, pressure; adds to force
/// and torque of bodies.
///
/// Conserves linear momentum of fluid and walls, and the dashpots angular momentum too, to the tolerance of the solver.
/// The corrected gradient is exact for rigid rotation, which costs no energy then, but its forces keep angular momentum
/// only where the correction is the same all around.
///
/// Limits: solids move as they did at the start of the step: a light body in a thick fluid is not stable.
template <class S>
class CoupledFlow {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    /// One number or tensor per particle.
    struct Fluid {
        std::span<const Row> position;
        std::span<const Real> mass, volume, viscosity;
        std::span<const Real> resistance;            ///< κ, Pa·s
        std::span<const Real> divergence;            ///< s, 1/s
        std::span<const Row> acceleration;           ///< a, m/s²
        std::span<const SymMat<Real>> stress;        ///< τ, Pa; empty: none
        std::span<const Real> modulus;               ///< G, Pa; empty: no conformation
        std::span<const SymMat<Real>> conformation;  ///< c
        std::span<const Real> strain_time;           ///< t, s
        std::span<const Real> smooth;  ///< part of the viscosity that smooth flow does not feel, Pa·s; empty: none
    };

    bool share_of_missing = true;  ///< dashpots of thin threads make up for the neighbors they lack
    StoppingRule rule;             ///< its tolerance is a share of what viscosity dissipates in the step

    /// `velocity` holds v⁰, where the search starts, and then v.
    SolverReport apply(const MpsGeometry<S>& geometry, const Fluid& fluid, double dt, const Parallel& parallel,
                       std::span<Row> velocity, std::span<Real> pressure, Bodies& bodies);

    /// g of the velocities found.
    std::span<const Mat3<Real>> gradient() const { return gradient_; }

private:
    struct Operator;
    struct InelasticOperator;
    struct Diagonal;

    void invert_diagonal(const Fluid& fluid, const Parallel& parallel);
    void find_gradients(std::span<const Row> velocity, const Parallel& parallel);
    void resist(std::span<const Row> velocity, const Parallel& parallel);
    void find_stress(const Fluid& fluid, double dt, std::span<const Real> pressure, const Parallel& parallel);
    double dissipated(const MpsGeometry<S>& geometry, const Fluid& fluid, std::span<const Row> velocity,
                      const Bodies& bodies, const Parallel& parallel);
    void push_bodies(const MpsGeometry<S>& geometry, const Fluid& fluid, double dt, std::span<const Row> velocity,
                     const Parallel& parallel, Bodies& bodies) const;

    FlowPairs<S> pairs_;
    std::vector<Real> resist_, stiff_;   ///< dt V κ and dt V t G
    std::vector<SymMat<Real>> inverse_;  ///< of the diagonal blocks
    std::vector<Mat3<Real>> gradient_;
    std::vector<Row> slope_;       ///< three rows of a gradient per particle
    std::vector<Row> loss_;        ///< momentum that dashpots take
    std::vector<Row> stress_;      ///< three rows of dt V S per particle
    std::vector<Real> isotropic_;  ///< one number in their place
    ConjugateGradient<Real> solver_;
    std::vector<Row> right_, change_;
};

}  // namespace treacle
