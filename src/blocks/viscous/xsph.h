#pragma once

#include <span>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "math/space.h"

namespace treacle {

/// Velocities drawn towards those of the neighbors (XSPH; Monaghan 1989: On the problem of penetration in particle
/// methods):
///
///   v_i += Σ_j ξ_ij (m_j/ρ_ij) W_ij (v_j - v_i),    ρ_ij = (ρ_i + ρ_j)/2,   ρ = m/V;
///     for equal particles m_j/ρ_ij = V_j
///   ξ_ij = 1 - exp(-rate_ij dt)
///
/// Solids are neighbors too, with V_k in place of m_j/ρ_ij. By the exponential a time takes the same share of a
/// difference to the neighbors' mean in few steps or in many, and no rate overshoots.
///
/// A mean over neighbors is a step of diffusion: with <x²> = ∫ x² W the second moment of the kernel,
/// Σ_j V_j W_ij (v_j - v_i) = <x²>/2 ∇²v for velocities that change little within h. So a kinematic viscosity ν is had
/// by
///
///   rate = 2ν/<x²>,   <x²> = 3/40 h² (2D: 31/392 h²);
///     η_ij = 2 η_i η_j/(η_i + η_j) and ν_ij = η_ij/ρ_ij in a mixture.
///
/// Reads position, velocity, mass, volume (m³), dynamic viscosity (Pa·s). gather() writes `result` (new velocities);
/// add_walls() adds the drag of solids to them, and the reaction to force and torque of bodies. Conserves linear
/// momentum, never adds energy.
///
/// Limits: the share (1 - exp(-a))/a of the viscosity shows with a = rate·dt: 0.95 at a = 0.1, 0.63 at 1. It can never
/// do more than draw every particle to the mean around it, ν = <x²>/(2 dt). The forces are not along x_ij: rigid
/// rotation is not damped where neighbors are all around, but is at a surface, and a spinning drop loses angular
/// momentum.
template <class S>
struct Xsph {
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    double support_radius = 0;

    void gather(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> viscosity,
                std::span<Row> result) const;

    /// A body with friction 0 lets fluid slip.
    void add_walls(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> viscosity,
                   std::span<Row> result) const;
};

}  // namespace treacle
