#pragma once

#include <span>
#include <vector>

#include "blocks/mps/mps_geometry.h"
#include "blocks/pair_vectors.h"
#include "core/parallel.h"
#include "linear/conjugate_gradient.h"
#include "math/mat3.h"
#include "math/space.h"
#include "math/sym_mat.h"
#include "state/bodies.h"

namespace treacle {

/// Velocities at the end of a step of an incompressible viscoelastic fluid, from one symmetric positive definite system that holds
/// viscosity, incompressibility and the elastic stress of a conformation:
///
///   m_i (v_i - v_i⁰)/dt = m_i a_i + Σ_j d_ij x̂_ij x̂_ij·(v_j - v_i) + Σ_j (T_i + T_j) c_ij
///   d_ij = V (η_i, η_j) 2d(d+2)/(n0 λ) w_ij          dashpots: η (∇²v + 2 ∇∇·v), no traction at a free surface
///   T_i  = V_i S_i B_i                               forces are the exact adjoint of the gradient g = <∇v> (mps_geometry.h)
///   S_i  = -p_i 1 + τ_i + G_i ((1 + t_i g_i) c_i - 1)
///   p_i  = p_i⁰ - κ_i (tr g_i - s_i)                 κ a multiple of the viscosity: Uzawa's iteration, one sweep per step
///
/// The elastic part is the derivative of the energy V G/2 tr (F c Fᵀ), F = 1 + t g, which is a quadratic function of the velocities
/// at the end of the step: it is implicit without being nonlinear, and stable for any step. c is the conformation at the start of
/// the step after it has relaxed over it; at its end it is F c Fᵀ. t is the time over which strain is remembered, λ (1 - e^(-dt/λ)):
/// so that a steady flow has the viscosity G λ exactly, however long the step is.
///
/// Gradients do not see motions that alternate from particle to particle, and the elastic stress, which is made of gradients,
/// cannot hold them; dashpots can. Where the solvent is thin, a part η_m of the viscosity of the dashpots is matched: what the
/// same viscosity does to the gradient at the start of the step, -2 η_m D⁰, is added to τ. A smooth flow feels the difference of
/// both, which is that between two steps; alternating motions feel all of the dashpots (DEVSS of Guénette and Fortin 1995,
/// with dashpots for the diffusion).
///
/// Reads position, mass, volume (m/ρ0), what acts besides (a), pressure, the divergence s that is wanted, stress τ, modulus G and
/// conformation c of each particle, walls. Writes velocity, velocity gradient, pressure; adds to force and torque of bodies.
///
/// Conserves linear momentum of fluid and walls, and the dashpots angular momentum too, to the tolerance of the solver. The
/// corrected gradient is exact for rigid rotation, which costs no energy then, but its forces keep angular momentum only where
/// the correction is the same all around.
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
        std::span<const Real> resistance;                  ///< κ, Pa·s
        std::span<const Real> divergence;                  ///< s, 1/s
        std::span<const Row> acceleration;                 ///< a, m/s²
        std::span<const SymMat<Real>> stress;              ///< τ, Pa; empty: none
        std::span<const Real> modulus;                     ///< G, Pa; empty: no conformation
        std::span<const SymMat<Real>> conformation;        ///< c
        std::span<const Real> strain_time;                 ///< t, s
        std::span<const Real> matched;                     ///< η_m, Pa·s; empty: none
    };

    bool share_of_missing = true;    ///< dashpots of thin threads make up for the neighbors they lack
    StoppingRule rule;

    /// `velocity` holds v⁰, where the search starts, and then v.
    SolverReport apply(const MpsGeometry<S>& geometry, const Fluid& fluid, double dt, const Parallel& parallel,
                       std::span<Row> velocity, std::span<Real> pressure, Bodies& bodies);

    /// g of the velocities found.
    std::span<const Mat3<Real>> gradient() const { return gradient_; }

private:
    struct Operator;
    struct Diagonal;

    void lay_dashpots(const MpsGeometry<S>& geometry, const Fluid& fluid, double dt, const Parallel& parallel);
    void meet_walls(const MpsGeometry<S>& geometry, const Fluid& fluid, double dt, const Bodies& bodies, const Parallel& parallel);
    void invert_diagonal(const MpsGeometry<S>& geometry, const Fluid& fluid, double dt, const Parallel& parallel);
    void find_gradients(const MpsGeometry<S>& geometry, std::span<const Row> velocity, bool with_walls, const Parallel& parallel);
    void push_bodies(const MpsGeometry<S>& geometry, const Fluid& fluid, double dt, std::span<const Row> velocity,
                     const Parallel& parallel, Bodies& bodies) const;

    PairVectors<S> dashpots_;                    ///< √(dt d_ij) x̂_ij
    std::vector<SymMat<Real>> wall_drag_;        ///< dt Σ over walls
    std::vector<Row> wall_push_;                 ///< dt Σ drag · velocity of the wall
    std::vector<Row> wall_pull_;                 ///< Σ f c_ik
    std::vector<Mat3<Real>> wall_gradient_;      ///< what walls at their velocities add to Σ (v_j - v_i) c_ijᵀ
    std::vector<SymMat<Real>> inverse_;          ///< of the diagonal blocks
    std::vector<Mat3<Real>> gradient_;
    std::vector<SymMat<Real>> matched_stress_;   ///< -2 η_m D⁰
    std::vector<Row> tension_;                   ///< three rows of dt T per particle
    ConjugateGradient<Real> solver_;
    std::vector<Row> right_, change_;
};

}  // namespace treacle
