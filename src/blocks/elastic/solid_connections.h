#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/elastic/elastic_links.h"
#include "blocks/elastic/held_rows.h"
#include "blocks/fluid_view.h"
#include "blocks/solids/boundary_particles.h"
#include "math/space.h"
#include "state/bodies.h"

namespace treacle {

/// Connections of fluid particles to samples of solids, by which fluid clings to them (Takahashi et al. 2014, section
/// 3.2.4). With k a sample of a solid,
///
///   Δv_i -= (1/dt) Σ_k c_ik m_k/(m_i + m_k) D_ik x_ik/|x_ik|,   D_ik = max(|x_ik| - r_ik, 0)    (8)
///   F_k = (m_i/dt²) c_ik m_k/(m_i + m_k) D_ik x_ik/|x_ik|                                       (9)  on the solid
///   Δv_i -= (1/dt) Σ_k c_ik D_ik x_ik/|x_ik|                                                    (10)
///   c_i ← max(c_i - dt Σ_k w_ik s_ik, l_i),   s_ik = 1 where D_ik/h > γ_ik                      (11) besides (7)
///
/// with (10) for solids that forces do not move. Connections are made and broken as between particles (Algorithm 1).
/// With physical coefficients the stiffness is that of a connection to a particle like i, times the body's adhesion.
///
/// Reads positions, bodies and their samples; update() and relax() write the anchors, correct() adds to the velocity
/// and to the bodies' force and torque. Momentum and angular momentum of fluid and bodies stay.
///
/// Departure: m_k is not defined in the paper. It is the mass that the solid shows at the sample along the connection,
///   1/m_k = 1/M + (r×n)·I⁻¹(r×n), which does not depend on how finely the solid is sampled.
/// Departure: an anchor remembers its place in the body's frame, not the number of a sample; samples of infinite planes
///   come and go with the fluid.
template <class S>
class SolidConnections {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    struct Material {
        Real connect_distance = 0;  ///< α h, m
        Real break_distance = 0;    ///< β h, m
        Real relaxation_rate = 0;   ///< 1/s

        Real coefficient = 0;         ///< c of solids with adhesion 1
        Real lowest_coefficient = 0;  ///< l
        Real decay = 0;               ///< w, 1/s
        Real yield_distance = 0;      ///< γ h, m
    };

    bool as_in_paper = false;
    std::vector<Material> materials{};

    /// Makes and breaks connections, by Algorithm 1.
    void update(const FluidView<S>& fluid, const BlockContext<S>& context, const ElasticLinks<S>& links) const;

    /// (8) to (10). `stiffness` is half that of a connection between two particles like this one, N/m; not asked for
    /// with the paper's coefficients.
    void correct(const FluidView<S>& fluid, const BlockContext<S>& context, const ElasticLinks<S>& links,
                 std::span<const Real> stiffness) const;

    /// For corrections at the end of the step: the impulse of solids at the present velocities, and how it falls when
    /// they change.
    void measure_hold(const FluidView<S>& fluid, const BlockContext<S>& context, const ElasticLinks<S>& links,
                      std::span<const Real> stiffness, HeldRows<Real>& held) const;
    /// And its reaction on solids, when fluid has its new velocities.
    void add_reaction(const FluidView<S>& fluid, const BlockContext<S>& context, const ElasticLinks<S>& links,
                      std::span<const Real> stiffness) const;

    /// As VelocityCorrection::keep_stress() between particles.
    void keep_stress(const FluidView<S>& fluid, const BlockContext<S>& context, const ElasticLinks<S>& links) const;

    /// (11): c decays, or rest lengths follow.
    void relax(const FluidView<S>& fluid, const BlockContext<S>& context, const ElasticLinks<S>& links) const;

private:
    class Inputs;

    /// A connection that pulls.
    struct Pull {
        std::size_t body;
        Vec place;      ///< of the sample
        Vec direction;  ///< from there to the particle
        Real stretch;
        Real stiffness;  ///< dt² k, kg
    };
    /// visit(Pull) for the anchors of i that are stretched.
    template <class Visit>
    void for_each_pull(const Inputs& in, std::size_t i, const Visit& visit) const;
    /// All that correct(), measure_hold() and add_reaction() are promised.
    bool ready(const FluidView<S>& fluid, const BlockContext<S>& context, const ElasticLinks<S>& links,
               std::span<const Real> stiffness) const;
};

}  // namespace treacle
