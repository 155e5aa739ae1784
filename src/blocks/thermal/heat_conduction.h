#pragma once

#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "math/space.h"

namespace treacle {

/// Conduction of heat, ρ c dT/dt = ∇·(k ∇T), in the pair form of SPH (Brookshaw 1985; Cleary, Monaghan 1999: Conduction
/// modelling using smoothed particle hydrodynamics):
///
///   m_i c_i dT_i/dt = Σ_j Q_ij,    Q_ij = 2 k_ij V_i V_j (T_i - T_j) (x_ij·∇W_ij)/|x_ij|²
///   k_ij = 2 k_i k_j / (k_i + k_j)
///
/// With x_ij·∇W_ij <= 0 heat goes to the colder of two. One gains as much as the other loses, so Σ m c T stays; the
/// extremes of T do not grow. The harmonic mean gives two materials that touch the same flux; one without conductivity
/// insulates.
///
/// Solids insulate, or those with a temperature give heat through their samples as fluid at that temperature would:
///   Q_ik = 2 k_i V_i V_k (T_i - T_k) (x_ik·∇W_ik)/|x_ik|²
///
/// Reads position, heat capacity of each particle (m c, J/K), volume and conductivity (W/(m K)); writes the
/// temperature. Explicit, in as many equal parts of the step as longest_conduction_step() of laws/stable_steps.h asks
/// for.
///
/// Limits: with h two spacings a lattice conducts 1.01 (2D) or 1.02 (3D) times as well as it should, one with particles
/// displaced at random by up to 0.1 spacings 0.99, by up to 0.2 spacings 0.92 to 0.98. A free surface insulates, and
/// heat flows along it as if the fluid ended a sixth of a spacing earlier. A wall warms as if it began half a spacing
/// deeper (slab on a hot floor, 20 spacings high: 4 % of the difference too cold after a time in which heat goes 3
/// spacings, 2.5 % later).
/// Departure: nothing is added to |x_ij|²; ∇W/|x_ij| has a limit at 0, and 0.01 h² would take 4 % off the conductivity.
/// Departure: the equation is for T and a constant heat capacity, not for the energy.
template <class S>
class HeatConduction {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    /// Temperature of a body, in the unit of the particles' (°C or K), or not a number: it insulates. Bodies beyond the
    /// end of the list insulate.
    std::vector<double> body_temperature{};

    /// By capacity (J/K) and conductivity (W/(m K)) of each particle. Returns the number of parts that the step was
    /// made in.
    int apply(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> capacity,
              std::span<const Real> conductivity, std::span<Real> temperature);

private:
    std::vector<Real> gain_;
};

}  // namespace treacle
