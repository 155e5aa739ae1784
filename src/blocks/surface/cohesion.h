#pragma once

#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"

namespace treacle {

/// Attraction between neighbors that gives a free surface its tension. Not in the paper, where cohesion comes with
/// the stiffness and cannot be chosen.
///
///   a_ij = A q (1-q) r̂,   the force between two particles, over the mass (attractive)
///
/// Reads position, mass, id, material; adds to `displacement`. Conserves linear and angular momentum.
template <class S>
struct Cohesion {
    using Real = typename S::Real;

    Real support_radius = 0;
    std::vector<Real> strength{};  ///< A by material, m/s²

    bool active() const;

    /// Adds dt² Σ a to every particle's displacement.
    void gather(const FluidView<S>& fluid, const BlockContext<S>& context,
                std::span<typename S::Row> displacement) const;
};

}  // namespace treacle
