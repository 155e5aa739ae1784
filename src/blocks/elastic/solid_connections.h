#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "blocks/elastic/velocity_correction.h"
#include "blocks/solids/boundary_particles.h"
#include "core/parallel.h"
#include "math/space.h"
#include "state/bodies.h"
#include "state/connection_graph.h"

namespace treacle {

/// Connections of fluid particles to samples of solids, by which fluid clings to them (Takahashi et al. 2014, section
/// 3.2.4). With k a sample of a solid,
///
///   Δv_i -= (1/dt) Σ_k c_ik D_ik x_ik/|x_ik|,   D_ik = max(|x_ik| - r_ik, 0)                    (8)
///     a solid that nothing moves
///   Δv_i -= (1/dt) Σ_k c_ik m_k/(m_i + m_k) D_ik x_ik/|x_ik|
///     (10) one that forces move
///   F_k = (m_i/dt²) c_ik m_k/(m_i + m_k) D_ik x_ik/|x_ik|                                       (9)  on the solid
///   c_i ← max(c_i - dt Σ_k w_ik s_ik, l_i),   s_ik = 1 where D_ik/h > γ_ik
///     (11) with what (7) takes
///
/// and connections are made and broken as between particles (Algorithm 1). With physical coefficients the stiffness is
/// that of a connection to a particle like i, times the body's adhesion.
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

    struct Fluid {
        std::span<const Row> position;
        std::span<const Real> mass;
        std::span<const std::uint8_t> material;
        std::span<const Real> stiffness;  ///< half the stiffness of a connection between two particles like this, N/m
        const VaryingElasticity<Real>* varying = nullptr;  ///< null: as the materials say
    };

    bool as_in_paper = false;
    std::vector<Material> materials{};

    void update(ConnectionGraph& anchors, const BoundaryParticles<S>& boundary, const Bodies& bodies,
                const Fluid& fluid, const Parallel& parallel) const;

    /// (8) to (10)
    void correct(const ConnectionGraph& anchors, const Fluid& fluid, std::span<const Real> coefficient, Real dt,
                 const Parallel& parallel, Bodies& bodies, std::span<Row> velocity) const;

    /// For corrections at the end of the step: what the solids pull with at the present velocities, and how that falls
    /// with a change of them.
    void hold(const ConnectionGraph& anchors, const Fluid& fluid, std::span<const Real> coefficient, Real dt,
              const Parallel& parallel, const Bodies& bodies, std::span<const Row> velocity,
              HeldRows<Real>& held) const;
    /// And the reaction, when these have become the velocities.
    void react(const ConnectionGraph& anchors, const Fluid& fluid, std::span<const Real> coefficient, Real dt,
               const Parallel& parallel, std::span<const Row> velocity, Bodies& bodies) const;

    /// What VelocityCorrection::cure does between particles.
    void cure(ConnectionGraph& anchors, const Bodies& bodies, const Fluid& fluid, const Parallel& parallel) const;

    /// (11): c decays, or rest lengths follow.
    void relax(ConnectionGraph& anchors, const Bodies& bodies, const Fluid& fluid, Real dt, const Parallel& parallel,
               std::span<Real> coefficient) const;

private:
    class Places;

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
    void for_each_pull(const ConnectionGraph& anchors, const Places& places, std::span<const Real> rest, std::size_t i,
                       const Fluid& fluid, std::span<const Real> coefficient, Real dt, const Bodies& bodies,
                       const Visit& visit) const;
};

}  // namespace treacle
