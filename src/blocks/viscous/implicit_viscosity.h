#pragma once

#include <optional>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "blocks/pair_vectors.h"
#include "blocks/solids/walls.h"
#include "blocks/viscous/viscous_strength.h"
#include "blocks/viscous/wall_drag.h"
#include "kernels/half_space_drag.h"
#include "linear/conjugate_gradient.h"
#include "math/space.h"

namespace treacle {

/// Viscosity of a Newtonian fluid at the velocities of the end of the step, stable for any viscosity and any step
/// (Weiler, Koschier, Brand, Bender 2018: A Physically Consistent Implicit Viscosity Solver for SPH Fluids):
///
///   m_i v_i = m_i v*_i + dt · 2(d+2) Σ_j ½ (s_i + s_j) η_ij V_i V_j (v_ij·x_ij)/(|x_ij|² + 0.01 h²) ∇W_ij
///             - Σ_b A_ib (v_i - v_b(x_i))
///   M_b u_b = M_b u*_b + Σ_i A_ib (v_i - v_b(x_i))  and its moment, for bodies that forces move
///
/// that is (M + L) v = M v* with L symmetric and positive semi-definite (viscous_pair.h has the pair force,
/// wall_drag.h the solids, viscous_strength.h the strength s, which is that of the flow at v*). Bodies are unknowns of
/// the same system, so a light one in thick fluid is as stable as a heavy one. Solved for the change Δ = v - v*,
/// (M + L) Δ = -L v*, by conjugate gradients: the tolerance is about the error of Δ as a share of Δ, and does not
/// depend on a velocity that all particles share.
///
/// Reads position, mass, volume (m³; m_i divided by the rest density), dynamic viscosity (Pa·s) per particle, poses,
/// velocities, force and torque of bodies. Writes velocity; adds to force and torque of bodies.
///
/// Conserves linear and angular momentum of fluid and moving bodies whatever the tolerance is: the preconditioner is
/// the mass, so every search direction is free of both. (To rounding, which grows with ν dt/h²: in float 1e-6 of Σ
/// m|v| up to 10, 2e-5 at 1000, where for a body of a fiftieth of the fluid's density it is 1e-4 of the body's own
/// momentum. For a start from an earlier change, to the tolerance.) Rigid motion is not damped. Kinetic energy falls.
///
/// With `dashpots` the pairs are those of Clavet et al. 2005 and walls are half spaces (kernels/half_space_drag.h):
///
///   w_ij = 2d(d+2) η_ij V_ij (1-q) / (|x_ij|² Σ (1-q) r²),   V_ij the harmonic mean, the sum that of a packing at rest
///
/// Limits: first order in dt. Shear at a free surface feels the missing neighbors. Scripted solids get the reaction
/// at the velocities found, which is that of the fluid to the tolerance.
///
/// Departure: preconditioned by the mass and not by the 3×3 blocks of the diagonal. They spare 10 % of the iterations
///   (more only where viscosities differ a thousandfold and ν dt/h² is above 30), and then momentum is kept to the
///   tolerance only.
/// Departure: the mean of two viscosities is harmonic (viscous_pair.h); the paper has one fluid.
/// Departure: bodies that move are unknowns of the system, and not walls with a velocity that is given.
template <class S>
class ImplicitViscosity {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    /// Pairs of another law, and walls that have no samples.
    struct Dashpots {
        double strength = 0;  ///< 2d(d+2) / Σ (1-q) r² of a packing at rest, 1/m²
        HalfSpaceDrag walls{};

        Dashpots(double sum, double spacing, double h)
            : strength(2 * S::dim * (S::dim + 2) / sum),
              walls(S::dim, spacing, h, strength / cell_volume(S::dim, spacing)) {}
    };

    double support_radius = 0;  ///< m
    StoppingRule rule{};
    std::optional<Dashpots> dashpots{};

    /// The fluid's velocity is v* and then v; bodies move by gravity and by the force and torque they have.
    /// `acceleration`, if given, holds the accelerations by viscosity of the step before, where the search starts, and
    /// gets those of this one. That is a good start: for a film on a slope it spares 20 % of the iterations where every
    /// step brings new noise as strong as gravity, and 40 to 85 % where flow is steady.
    SolverReport apply(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> viscosity,
                       std::span<Row> acceleration = {}, const WallGrip<S>& grip = {});

private:
    struct Operator;
    struct Masses;

    void update(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> viscosity);

    PairVectors<S> pairs_;  ///< √(dt w_ij) x_ij
    WallRows<S> faces_;     ///< of solids, for dashpots
    WallDrag<S> walls_;
    ViscousStrength<S> strength_;
    ConjugateGradient<Real> solver_;
    std::vector<Real> inverse_mass_;
    std::vector<Row> right_, change_;
};

}  // namespace treacle
