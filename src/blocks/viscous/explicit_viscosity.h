#pragma once

#include <span>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "math/space.h"

namespace treacle {

/// Viscosity of a Newtonian fluid as an acceleration (viscous_pair.h has the force):
///
///   a_i += 1/m_i · 2(d+2) Σ_j η_ij V_i V_j (v_ij·x_ij)/(|x_ij|² + 0.01 h²) ∇W_ij
///
/// Reads position, velocity, mass, volume (m³; m_i divided by the rest density) and dynamic viscosity (Pa·s) per
/// particle; adds to `acceleration`. Conserves linear and angular momentum; does not damp rigid rotation. Walls drag
/// by BoundaryParticles::add_viscosity.
///
/// Limits: the time step, see longest_step(); beyond it use ImplicitViscosity, which is the same sum at the new
/// velocities.
template <class S>
struct ExplicitViscosity {
    using Real = typename S::Real;
    using Row = typename S::Row;

    double support_radius = 0;

    void add(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> viscosity,
             std::span<Row> acceleration) const;

    /// Largest stable step of explicit Euler, s, for a kinematic viscosity in m²/s: C h²/ν with h the support radius.
    /// C is 2 over the largest eigenvalue; measured 0.033 to 0.046 on lattices with h of 1.8 to 3 spacings, 0.027 to
    /// 0.035 on jittered ones, alike in 2D and 3D. (With the smoothing length, half of h, it is the usual 0.125.)
    double longest_step(double kinematic_viscosity) const;
};

}  // namespace treacle
