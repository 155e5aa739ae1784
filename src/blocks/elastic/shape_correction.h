#pragma once

#include <span>
#include <vector>

#include "blocks/elastic/elastic_links.h"
#include "blocks/elastic/shape_matching.h"

namespace treacle {

/// Velocities corrected by shape matching, one of the three corrections that Takahashi et al. 2014 compare in section
/// 3.2: with g_i the goal of shape_matching.h,
///
///   Δv_i = c_i (g_i - x_i)/dt
///
/// Reads positions, masses, connections and c; writes the velocity and `rotation`, where the next fit starts. Where
/// c is the same for all, it conserves the same momenta as ShapeMatching.
template <class S>
class ShapeCorrection {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    void correct(const FluidView<S>& fluid, const BlockContext<S>& context, const ElasticLinks<S>& links,
                 std::span<Row> rotation);

private:
    ShapeMatching<S> matching_;
    std::vector<Row> to_goal_;  ///< g - x, m
};

}  // namespace treacle
