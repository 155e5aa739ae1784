#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "math/vec.h"

/// Evenly spaced points on or in any region that can pull a stray point back. The bits are the same for any number of
/// threads.

namespace treacle {

/// Removes points until `count` are left, always the one with the nearest and most numerous neighbors within `reach`
/// (sample elimination, Yuksel 2015): crowded places thin out first, whatever the density was at first. The others keep
/// their order. The reach should be the wanted spacing, and there should be at least three times as many points as
/// wanted.
std::vector<Vec3d> thin_out(std::span<const Vec3d> points, std::size_t count, double reach, const Parallel& parallel);

/// The place that is allowed to a point that wanted to move.
struct KeptPoint {
    Vec3d place{};
    double depth = std::numeric_limits<double>::infinity();  ///< distance to a wall nearby, if there is one
    Vec3d outward{};                                         ///< unit vector to it
};

/// Moves points apart in Jacobi sweeps until they are evenly spaced: each is pushed by (1 - r/range)² from every other
/// within range. `keep(i, wanted)` says where point i may go instead; it is called for one i by one thread at a time.
/// A point at a wall is pushed by mirror images of itself and its neighbors too, so that points do not crowd there.
struct Spreading {
    int dimension = 3;   ///< in 2D points stay at z = 0
    double spacing = 0;  ///< of the points when they are even
    double range = 0;    ///< of the push
    int sweeps = 0;

    using Keep = std::function<KeptPoint(std::size_t i, Vec3d wanted)>;
    void spread(std::vector<Vec3d>& points, const Keep& keep, const Parallel& parallel) const;
};

}  // namespace treacle
