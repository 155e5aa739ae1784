#pragma once

#include <span>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "math/space.h"

namespace treacle {

/// Viscosity of a Newtonian fluid as an acceleration (viscous_pair.h has the force):
///
///   a_i += 1/m_i · 2(d+2) Σ_j ½ (s_i + s_j) η_ij V_i V_j (v_ij·x_ij)/(|x_ij|² + 0.01 h²) ∇W_ij
///
/// with the strength s of viscous_strength.h. Reads position, velocity, mass, volume (m³; m_i divided by the rest
/// density) and dynamic viscosity (Pa·s) per particle; adds to `acceleration`. Conserves linear and angular momentum;
/// does not damp rigid rotation. Walls drag by wall_drag.h.
///
/// Limits: the time step, see longest_viscous_step() in laws/stable_steps.h; beyond it use ImplicitViscosity,
/// which is the same sum at the new velocities.
template <class S>
struct ExplicitViscosity {
    using Real = typename S::Real;
    using Row = typename S::Row;

    double support_radius = 0;

    /// Without `strength` it is one.
    void add(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> viscosity,
             std::span<const Real> strength, std::span<Row> acceleration) const;
};

}  // namespace treacle
