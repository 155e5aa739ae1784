#pragma once

#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "math/space.h"

namespace treacle {

/// Tension of the free surface of a fluid of SPH, in N/m: cohesion and a force against curvature, as in Akinci, Akinci,
/// Teschner 2013 (Versatile Surface Tension and Adhesion for SPH Fluids), both made the slope of one energy:
///
///   E   = Σ_i σ_i V_i [ a sqrt(m_i² + ε²) + b/h lack_i² ],    F_i = -∂E/∂x_i,    m_i = max(0, |n_i| - n0)
///   n_i = Σ_j V_j ∇W_ij + Σ_k V_k ∇W_ik                       gradient of the color field; k are samples of solids
///   lack_i = max(0, 1 - Σ_j V_j C_ij - Σ_k V_k C_ik)          j includes i;  C(q) = c/hᵈ (1-q²)²,  ∫ C = 1
///
/// The first term counts area (the integral of |∇color| across a surface is the same however blurred it is) and pulls
/// it together; within the fluid, where n is small, it vanishes. It alone would let particles evaporate: one that is
/// far from all others has no n. The second one holds the surface together, and needs a kernel C that is wider than
/// that of the density, else particles only move into pairs until they lack nothing. In full, with
/// g_i = a σ_i m_i / sqrt(m_i² + ε²) n_i/|n_i| and l_i = 2b/h σ_i lack_i:
///
///   F_i = V_i Σ_j V_j [ (l_i + l_j) ∇C_ij - ∇∇W_ij (g_i - g_j) ] + V_i Σ_k V_k [ l_i ∇C_ik - ∇∇W_ik g_i ]
///
/// Reads position, mass, volume (rest mass by rest density), material; adds dt F/m to the velocity and the reaction to
/// force and torque of bodies. E does not change when all is moved or turned, so linear and angular momentum of fluid
/// and bodies stay. No force within an even fluid, at any tension.
///
/// E is made of numbers times σ, lengths in h and volumes, so that σ means the same at any resolution and density.
/// a, b, n0 and ε are calibrated once, by period and pressure of drops (docs/decisions/surface-tension.md has
/// the measurements).
///
/// Solids complete both sums and so are no free surface: a wet wall and a dry one cost the same, and fluid meets them
/// at a right angle. Nothing else sticks to them here.
/// Each particle carries the tension of its own material, so that a pair has the mean. Fluids that touch count as
/// one: there is no tension between them.
///
/// Limits: the time step, see longest_tension_step() in laws/stable_steps.h. Films thinner than two spacings have less
/// tension, drops of a few particles are only held together.
///
/// Departure: cohesion depends on the lack of neighbors. Akinci's acts between all pairs; the pressure that balances it
///   within the fluid is some forty times that of a drop's tension (R = 10 spacings) and makes a crystal of it, which
///   swings as an elastic body: at a quarter of the period, less the finer it is.
/// Departure: unit normals, and the weight ∇∇W for the difference of normals in place of 1. The paper's force has
///   no energy, changes angular momentum, and jumps when a particle comes within h.
/// Departure: no factor K_ij of densities, which would take the energy away again.
template <class S>
class SurfaceTension {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    /// a and b. In a flat surface of a continuous fluid a = 2 would give the tension alone; with particles, which crowd
    /// at the surface, and with cohesion it takes less.
    static constexpr double area_factor = S::dim == 2 ? 1.20 : 1.22;
    static constexpr double hold_factor = S::dim == 2 ? 5.0 : 5.1;
    /// n0 and ε in units of 1/h. The outermost particles of an even fluid have |n| = 0.96. Within a fluid it is noise,
    /// and greater in 3D; without a threshold there the noise bears half of a drop's pressure.
    static constexpr double normal_threshold = S::dim == 2 ? 0 : 0.3;
    static constexpr double normal_softening = S::dim == 2 ? 0.5 : 0.3;

    std::vector<Real> tension{};  ///< by material, N/m (2D: of a fluid one meter deep)

    bool active() const;

    /// The support radius is that of the samples of solids.
    void apply(const FluidView<S>& fluid, const BlockContext<S>& context);

private:
    void measure(const FluidView<S>& fluid, const BlockContext<S>& context);

    std::vector<Row> pull_;   ///< g
    std::vector<Real> lack_;  ///< l
};

}  // namespace treacle
