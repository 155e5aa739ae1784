#pragma once

#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/discretization/mps_geometry.h"
#include "blocks/elastic/stress_terms.h"
#include "blocks/fluid_view.h"
#include "blocks/pressure/flow_bodies.h"
#include "blocks/pressure/flow_pairs.h"
#include "linear/conjugate_gradient.h"
#include "math/mat3.h"
#include "math/space.h"
#include "math/sym_mat.h"

namespace treacle {

/// Velocities at the end of a step of an incompressible viscoelastic fluid, from one symmetric positive definite system
/// that holds viscosity, incompressibility and the elastic stress of a conformation:
///
///   m_i (v_i - v_i⁰)/dt = m_i a_i + Σ_j d_ij x̂_ij x̂_ij·(v_j - v_i) + Σ_j V_i S_i b_ij - V_j S_j b_ji
///   d_ij = V (η_i, η_j) 2d(d+2)/(Σ w r²) w_ij         dashpots: η (∇²v + 2 ∇∇·v), no traction at a free surface
///                                                    forces are the exact adjoint of the gradient g = <∇v>
///                                                      (flow_pairs.h)
///   S_i  = -p_i 1 + τ_i + G_i (c_i - 1 + t_i (D c_i + c_i D + W⁰ c_i - c_i W⁰)) + A_i
///     D and W the symmetric and antisymmetric parts of g_i, W⁰ that of the velocities v⁰
///   A_i  = G_i t_i ((W - W⁰) C_i + C_i (W - W⁰))/2
///   p_i  = p_i⁰ - κ_i (tr g_i - s_i)
///     κ a multiple of the viscosity: Uzawa's iteration, one sweep per step
///
/// The elastic part is the stress G (F c Fᵀ - 1) at the end of the step, F = 1 + t g, to first order in t: c turns with
/// the spin of the start of the step and is stretched by the strain of its end. So it is implicit without being
/// nonlinear, and of strain alone: the quadratic form of the system is 2 tr (D c D) >= 0 for any positive definite c,
/// and rotation costs nothing. c is the conformation at the start of the step after it has relaxed over it; at its end
/// it is F c Fᵀ. t is the time over which strain is remembered, λ (1 - e^(-dt/λ)): so that a steady flow has the
/// viscosity G λ exactly, however long the step is.
///
/// A thread under tension is drawn straight by stress that turns with it, which is explicit here. Beyond the stretch
/// where that would swing itself up, |dev c| > ρ l0²/(G t dt) or so, A resists spins that change from step to step; C
/// is about c there, and zero below (docs/decisions/elastic-spin.md).
///
/// Where neighbors are too few for a corrected gradient, <∇v> of a rotation has a strain. There the rotation that has
/// the same antisymmetric part is taken out of it first, and forces are the adjoint of that.
///
/// Gradients do not see motions that alternate from particle to particle, and the elastic stress, which is made of
/// gradients, cannot hold them; dashpots can. Where the solvent is thin, dashpots have a smooth part besides, which
/// resists only the difference between the motion of two particles and the flow around them (flow_pairs.h): linear flow
/// does not feel it, alternating motion does. DEVSS (Guénette and Fortin 1995) does the same for finite elements. Here
/// it is part of the system, so that nothing has to cancel between two steps.
///
/// Pressure remembers: p⁰ is that of the step before. Where neighbors are too few for a gradient it is zero.
///
/// Reads position, mass, volume (m/ρ0), the terms of the stress (stress_terms.h), the acceleration a, κ and the wanted
/// divergence s (volume_control.h), walls. Writes velocity, velocity gradient, pressure; adds to force and torque of
/// bodies.
///
/// Conserves linear momentum of fluid and walls and, except for A, angular momentum of a fluid in the air, to the
/// tolerance of the solver: the strain of a rotation is zero for every particle, and stresses are symmetric. (Neither
/// is enough by itself.)
///
/// Bodies that forces move are unknowns of the same system (flow_bodies.h). Scripted ones move as they did at the start
/// of the step.
template <class S>
class CoupledFlow {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    /// The input that drives the flow, per particle.
    struct Forcing {
        std::span<const Row> acceleration;  ///< a, m/s²
        std::span<const Real> resistance;   ///< κ, Pa·s
        std::span<const Real> divergence;   ///< s, 1/s
        /// The acceleration by which walls press each particle, m/s², for friction (wall_load.h). Empty: none.
        std::span<const Real> pressed{};
        /// 1: its velocity is given, and nothing changes it. The plug of an emitter is pushed with any force that it
        /// takes: fluid too thick to give way must not slow it down, or it would stay where the next layer comes.
        /// Empty: none.
        std::span<const std::uint8_t> held{};
    };

    bool share_of_missing = true;  ///< dashpots of thin threads make up for the neighbors they lack
    StoppingRule rule;             ///< its tolerance is a share of the energy that viscosity dissipates in the step

    /// The search for velocities starts from those that there are.
    SolverReport apply(const FluidView<S>& fluid, const BlockContext<S>& context, const MpsGeometry<S>& geometry,
                       const StressTerms<S>& terms, const Forcing& forcing, std::span<Real> pressure);

    /// Dashpots alone: viscosity of a fluid whose volume another block preserves.
    SolverReport apply_dashpots(const FluidView<S>& fluid, const BlockContext<S>& context,
                                const MpsGeometry<S>& geometry, std::span<const Real> viscosity);

    /// g of the velocities found.
    std::span<const Mat3<Real>> gradient() const { return gradient_; }
    /// What walls moved each particle across their surfaces in the step, m.
    std::span<const Row> wall_displacement() const { return wall_displacement_; }

private:
    struct Operator;
    struct InelasticOperator;
    struct Diagonal;
    /// All that a solve reads.
    struct System {
        const FluidView<S>& fluid;
        const BlockContext<S>& context;
        const MpsGeometry<S>& geometry;
        const StressTerms<S>& terms;
        const Forcing& forcing;

        bool elastic() const { return terms.elastic(); }
        bool smooth() const { return !terms.smooth.empty(); }
    };

    SolverReport solve(const System& system, std::span<Real> pressure);
    SolverReport find_change(const System& system);
    Mat3<Real> gradient_of(const auto& use, std::size_t i, std::span<const Row> v,
                           std::span<const double> motions) const;
    void find_gains(std::span<const Row> v, std::span<const double> motions, const Parallel& parallel,
                    std::span<double> momenta) const;
    void lay_out(const System& system);
    void invert_diagonal(const System& system);
    void find_spins(const System& system);
    void find_drawn_out(const System& system);
    void find_gradients(const System& system);
    bool unsure(std::size_t i) const { return unsure_[i] != 0; }
    SymMat<Real> strain_of(std::size_t i, const Mat3<Real>& g) const;
    Mat3<Real> turned(std::size_t i, const Mat3<Real>& g) const;
    void resist(std::span<const Row> velocity, const Parallel& parallel);
    void find_stress(const System& system, std::span<const Real> pressure);
    void find_right_side(const System& system);
    double dissipated(const System& system);
    void push_solids(const System& system);

    FlowPairs<S> pairs_;
    std::vector<Real> resist_, stiff_;      ///< dt V κ and dt V t G
    std::vector<SymMat<Real>> inverse_;     ///< of the diagonal blocks
    std::span<const std::uint8_t> unsure_;  ///< 1: neighbors are too few for a gradient of their own
    std::span<const SymMat<Real>> spread_;  ///< M
    std::vector<SymMat<Real>> unspin_;      ///< (tr M - M)⁻¹, where unsure
    std::vector<SymMat<Real>> drawn_;       ///< C
    std::vector<Mat3<Real>> spin_;          ///< W⁰
    std::vector<Mat3<Real>> gradient_;
    std::vector<Row> slope_;       ///< three rows of a gradient per particle
    std::vector<Row> loss_;        ///< momentum that dashpots take
    std::vector<Row> stress_;      ///< three rows of dt V S per particle
    std::vector<Real> isotropic_;  ///< one number in their place
    ConjugateGradient<Real> solver_;
    std::vector<Row> right_, change_, wall_displacement_;
    FlowBodies<S> bodies_;
    std::vector<double> right_of_bodies_, change_of_bodies_, gained_;
};

}  // namespace treacle
