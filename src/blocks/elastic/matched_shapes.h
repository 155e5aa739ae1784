#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/elastic/cluster_update.h"
#include "blocks/elastic/shape_matching.h"
#include "blocks/fluid_view.h"
#include "state/births.h"
#include "state/connection_graph.h"

namespace treacle {

/// Elasticity by shape matching, with reference shapes that are renewed where solids push hard (Takamatsu & Kanai 2011,
/// sections 3.1 and 3.2):
///
///   v_i += dt (1 - α) κ (g_i - x_i)                         pull(): eqs. 7, 8, 13 and 10, κ = 1/(Δt^SM)²
///   |f_ext| > γ_u (1 - α):  the reference is the present shape      renew_references(): eq. 14
///
/// with the goals g of shape_matching.h and the clusters of cluster_update.h. A material without pull is a fluid and
/// has no reference; it gets its present shape for one when it sets.
///
/// Reads position, mass, id, fluid and material; writes the connections and the columns of its state, pull() the
/// velocity. Conserves momentum, and angular momentum up to the error of the rotations.
///
/// Departure: eq. 13 with dt0 = Δt^SM is an acceleration (g - x)/dt0², the same for any step; eq. 8 reaches the goal in
///   one step, and its stiffness is 1/dt².
/// Departure: eq. 14 is tested after a given time. The paper's m_u, 2 to 3 times the frame rate, is the machine's.
/// Departure: connections that are stretched too far end. See cluster_update.h.
template <class S>
class MatchedShapes {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    struct Material {
        Real pull = 0;                ///< (1 - α) κ, 1/s²; 0: a fluid
        double update_threshold = 0;  ///< γ_u (1 - α) as an acceleration, m/s²
        Real break_stretch = 0;       ///< |x|/|X| at which connections end
    };

    struct Settings {
        double support_radius = 0;    ///< m
        bool from_barycenter = true;  ///< see shape_matching.h
        double update_interval = 0;   ///< s, between two tests of eq. 14
        std::vector<Material> materials{};
    };
    Settings settings{};

    /// Columns of its own.
    struct State {
        std::span<Row> rotation;            ///< of the particle's cluster, a quaternion; zeros: no reference
        std::span<Real> impact;             ///< |f_ext|, the strongest since the last test: see impacts.h
        std::span<std::uint32_t> piece;     ///< the smallest id among those that clusters hold together
        std::span<std::uint32_t> renewals;  ///< of the reference
    };

    /// Some material is elastic.
    bool active() const;

    /// Particles that come into being together are one piece.
    void add(const FluidView<S>& fluid, const BlockContext<S>& context, const Births& births, const State& state,
             ConnectionGraph& clusters);

    /// Clusters of pieces that solids pushed hard, and of particles that were fluid until now, take the present shape
    /// for their reference.
    void renew_references(const FluidView<S>& fluid, const BlockContext<S>& context, const State& state,
                          ConnectionGraph& clusters);

    void pull(const FluidView<S>& fluid, const BlockContext<S>& context, const State& state,
              const ConnectionGraph& clusters);

    /// Ends connections that pull() found stretched too far; they have pulled for the last time.
    void cut_overstretched(const FluidView<S>& fluid, const BlockContext<S>& context, const State& state,
                           ConnectionGraph& clusters) const;

private:
    void fit(const FluidView<S>& fluid, const BlockContext<S>& context, const State& state,
             const ConnectionGraph& clusters);
    void renew(const FluidView<S>& fluid, const BlockContext<S>& context,
               const typename ClusterUpdate<S>::Choice& choice, const State& state, ConnectionGraph& clusters);
    /// Whether a test of eq. 14 is due in this step.
    bool test_is_due(const BlockContext<S>& context) const;

    ShapeMatching<S> matching_;
    std::vector<Real> stiffness_;  ///< (1 - α) κ m, N/m
    std::vector<Row> goal_;        ///< g - x
};

}  // namespace treacle
