#pragma once

#include <span>

#include "blocks/solids/walls.h"
#include "core/parallel.h"
#include "math/space.h"
#include "neighbors/neighbors.h"

namespace treacle {

/// How strongly fluid and wall press on each other, for friction. Not in the paper.
///
/// Single particles at a wall are pushed and pulled at random all the time, and its layers in turn; friction with each
/// push would be far too strong. What counts is the net load of all layers above a patch of wall, and its mean over a
/// short time. Every particle's load is shared equally among the first-layer particles below it, so that the sum over
/// the wall stays what it is.
///
/// Reads position and what walls did to each particle in this step; writes `pressed` (m/s²), the acceleration by the
/// wall that each particle of the first layer stands for.
template <class S>
struct WallLoad {
    using Real = typename S::Real;

    Real support_radius = 0;
    Real first_layer = 0;  ///< m; particles closer to the wall than this are its first layer
    Real time = 0;         ///< s, of the mean

    /// `wall_load` are displacements within dt, by the walls' pressure and by contact; `share` is scratch.
    void update(const Neighbors<S>& neighbors, const WallRows<S>& walls, std::span<const typename S::Row> position,
                std::span<const typename S::Row> wall_load, Real dt, const Parallel& parallel, std::span<Real> share,
                std::span<Real> pressed) const;

private:
    bool in_first_layer(const Wall* wall) const { return wall && wall->distance < static_cast<double>(first_layer); }
};

}  // namespace treacle
