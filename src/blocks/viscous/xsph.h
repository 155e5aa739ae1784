#pragma once

#include <span>

#include "core/parallel.h"
#include "math/space.h"
#include "neighbors/neighbors.h"

namespace treacle {

/// Velocities drawn towards those of the neighbors (XSPH; Monaghan 1989: On the problem of penetration in particle
/// methods):
///
///   v_i += ξ Σ_j (m_j/ρ_ij) W_ij (v_j - v_i),    ρ_ij = (ρ_i + ρ_j)/2,   ρ = m/V;   for equal particles m_j/ρ_ij = V_j
///   ξ = 1 - (1-ξ_ref)^(dt/dt_ref)
///
/// ξ_ref is a blend per reference step; by the exponential a time takes the same share of it in few steps or in many.
/// Reads position, velocity, mass, volume. Writes `result` (new velocities). Conserves linear momentum, never adds
/// energy for ξ from 0 to 1.
///
/// Limits: smooths, but is no viscosity in Pa·s: its effect grows with h². Not along x_ij, so angular momentum is
/// kept only where neighbors are all around; a spinning drop loses some.
template <class S>
struct Xsph {
    using Real = typename S::Real;
    using Row = typename S::Row;

    double support_radius = 0;
    double blend = 0;              ///< ξ_ref, 0 to 1
    double reference_step = 0;     ///< dt_ref, s

    /// ξ for this step.
    double blend_within(double dt) const;

    void gather(const Neighbors<S>& neighbors, std::span<const Row> position, std::span<const Row> velocity,
                std::span<const Real> mass, std::span<const Real> volume, double dt, const Parallel& parallel,
                std::span<Row> result) const;
};

}  // namespace treacle
