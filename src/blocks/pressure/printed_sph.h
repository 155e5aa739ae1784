#pragma once

#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"

namespace treacle {

/// Equations 1 to 4 of Takamatsu & Kanai 2011 as they are printed, which fail; for comparison:
///
///   W(r) = 315/(64π σ⁹) (σ² - r²)³      2D: 4/(π σ⁸) (σ² - r²)³
///   ρ_i = Σ_j m_j W_ij                   j includes i
///   p_i = k (ρ_i - ρ0)
///   a_i = (1/ρ_i) [-Σ_j m_j/ρ_j p_j ∇W_ij + μ Σ_j m_j/ρ_j v_j ∇²W_ij]       j does not include i
///
/// Particles push each other unequally (p_j alone), a drop that moves as a whole feels a force (v_j alone), near
/// particles hardly push, and ∇²W < 0 for r < 0.65 σ makes friction between them negative. Neither momentum nor energy
/// stays. Solids are left out.
///
/// Reads position, velocity, mass and material; writes velocity. Of the change each particle takes the share α, its
/// fluidity (eq. 10).
template <class S>
class PrintedSph {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    struct Material {
        Real rest_density = 0;  ///< ρ0, kg/m³
        Real fluidity = 1;      ///< α
        Real viscosity = 0;     ///< μ, Pa·s
    };

    Real support_radius = 0;  ///< σ, m
    Real stiffness = 0;       ///< k, m²/s²
    std::vector<Material> materials{};

    void apply(const FluidView<S>& fluid, const BlockContext<S>& context);

private:
    std::vector<Real> density_;
    std::vector<Row> before_;
};

}  // namespace treacle
