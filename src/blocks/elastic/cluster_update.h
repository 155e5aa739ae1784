#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/elastic/shape_matching.h"
#include "blocks/fluid_view.h"
#include "state/connection_graph.h"

namespace treacle {

/// Which particles belong to the clusters of shape matching, and with which reference shape (Takamatsu & Kanai 2011,
/// section 3.2).
///
/// renew(): clusters that are chosen take the present shape as their reference and all neighbors within the support
/// radius as their members. A connection belongs to two clusters. If it is made for a chosen one, the other cluster
/// gets it with the place that its present fit predicts, so that it pulls nothing there. Reads positions and neighbors
/// (which must reach the support radius), rotations and the last fit; writes connections.
///
/// cut_overstretched(): ends connections that are stretched too far.
///
/// Departure: one cluster at a time. The paper renews all of them, so that one body melts when another one hits the
///   floor.
/// Departure: cut_overstretched(). The paper renews by forces from outside, and these are zero in free fall: a piece
///   that was torn off in flight would be drawn back over the gap.
template <class S>
struct ClusterUpdate {
    using Real = typename S::Real;
    using Row = typename S::Row;

    Real support_radius = 0;

    /// The clusters that renew() is about.
    struct Choice {
        std::span<const std::uint8_t> chosen;  ///< by particle, the middle of its cluster
        bool within_fluids = false;            ///< new members are of the same fluid only
    };

    /// `fitted` is the last fit, at the present positions, and `rotation` its result.
    void renew(const FluidView<S>& fluid, const BlockContext<S>& context, const Choice& choice,
               const ShapeMatching<S>& fitted, std::span<const Row> rotation, ConnectionGraph& clusters) const;

    /// Ends connections with |x_ij| > stretch · |X_ij|, where `stretch` is given by material and the smaller of both
    /// ends counts. Looks at `stretched` rows only, as found by a fit with the smallest `stretch`. True if any ended.
    static bool cut_overstretched(const FluidView<S>& fluid, const BlockContext<S>& context,
                                  std::span<const std::uint8_t> stretched, std::span<const Real> stretch,
                                  ConnectionGraph& clusters);

    /// Gives all particles that connections hold together the smallest of their ids.
    static void label_pieces(const FluidView<S>& fluid, const ConnectionGraph& clusters,
                             std::span<std::uint32_t> piece);
};

}  // namespace treacle
