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
/// radius as their members. Connections stand in two clusters; one that is made for a chosen cluster gets, in the
/// other, the place where that cluster would have it now, so that it pulls nothing there. Reads positions and neighbors
/// (which must reach the support radius), rotations and the last fit; writes connections.
///
/// cut_overstretched(): ends connections that are stretched too far.
///
/// Departure: one cluster at a time. The paper renews all there are, so that one body melts when another one hits the
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

    /// |x_ij| > stretch · |X_ij|, with the smaller `stretch` of both ends, which each material has; only rows that are
    /// `stretched` are looked at, and these are known from a fit with the smallest `stretch` of all. True if any were.
    static bool cut_overstretched(const FluidView<S>& fluid, const BlockContext<S>& context,
                                  std::span<const std::uint8_t> stretched, std::span<const Real> stretch,
                                  ConnectionGraph& clusters);

    /// Gives all that connections hold together the smallest id among them.
    static void label_pieces(const FluidView<S>& fluid, const ConnectionGraph& clusters,
                             std::span<std::uint32_t> piece);
};

}  // namespace treacle
