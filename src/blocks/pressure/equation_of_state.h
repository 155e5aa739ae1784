#pragma once

#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "blocks/solids/body_contacts.h"

namespace treacle {

/// Pressure by an equation of state (Müller, Charypar, Gross 2003; Takamatsu & Kanai 2011, eqs. 1 and 5), with solids
/// after Akinci et al. 2012. Written with volumes V = m/ρ0, so that fluids of different rest density stand side by
/// side:
///
///   r_i = Σ_j V_j W_ij + Σ_k V_k W_ik                  density / rest density; j includes i
///   m_i dv_i/dt = -V_i [Σ_j V_j (p_i/r_i² + p_j/r_j²) ∇W_ij + Σ_k V_k p_i/r_i² ∇W_ik]
///
/// The pressure itself comes from the caller, who knows materials. measure() reads positions and volumes and writes the
/// density ratio; push() changes velocities by the pressure, and adds the reaction to the bodies' force and torque.
/// Conserves momentum and angular momentum of fluid and bodies.
///
/// The forces are those of Iisph::push(), which reads stored gradients. Here they are computed from positions in
/// passing: for a single push that takes a third of the time.
///
/// Limits: explicit, dt < 0.4 h/c or so with the speed of sound c.
///
/// Departure: both pressures count in a pair, in the form that keeps momentum; the papers have p_j, and (p_i + p_j)/2.
template <class S>
class EquationOfState {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    void measure(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<Real> density_ratio);

    void push(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> density_ratio,
              std::span<const Real> pressure);

    /// Displacement of each particle by the solids' pressure in the last push.
    void find_wall_displacement(const BlockContext<S>& context, std::span<Row> wall_displacement) const;

private:
    std::vector<Row> around_;      ///< position, with the number that a pass needs of a neighbor as w
    std::vector<Real> p_;          ///< dt² p/r²
    std::vector<Real> lightness_;  ///< V/m
    BodyContacts<S> contacts_;
};

}  // namespace treacle
