#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "math/space.h"

namespace treacle {

/// Interleaves the bits of up to three cell coordinates with as few bits per axis as the grid needs (Morton order),
/// by one table look-up per axis.
class MortonTables {
public:
    void build(const std::array<std::uint32_t, 3>& cells);
    std::uint64_t code(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
        return table_[0][x] | table_[1][y] | table_[2][z];
    }
    /// One more than the largest code: the cells of the grid, each axis filled up to a power of two.
    std::uint64_t code_count() const { return code_count_; }
    static std::uint64_t code_count(const std::array<std::uint32_t, 3>& cells);

private:
    std::array<std::vector<std::uint64_t>, 3> table_;
    std::uint64_t code_count_ = 1;
};

/// Integer cell of a point relative to the low corner of the bounds. Computed in double, so that the distance to
/// the origin does not matter, and clamped: points beyond 2^30 cells share the last one, which costs time but
/// misses no neighbor. NaN falls into cell 0, by the way min and max are written here.
struct CellFrame {
    Vec3d low{};
    Vec3d side{1, 1, 1};

    template <class Real>
    std::array<std::int32_t, 3> cell(Vec3<Real> p) const {
        const auto along = [](double x, double origin, double width) {
            return static_cast<std::int32_t>(std::min(std::max(0.0, std::floor((x - origin) / width)), 1073741824.0));
        };
        return {along(p.x, low.x, side.x), along(p.y, low.y, side.y), along(p.z, low.z, side.z)};
    }
};

template <class Real>
struct PointBounds {
    Vec3<Real> low, high;
};

/// Bounds of points; the order of comparison does not change the result. NaN is ignored unless it comes first.
template <class Real>
PointBounds<Real> bounds_of(std::span<const Row4<Real>> points) {
    if (points.empty()) return {};
    Vec3<Real> low = points[0].xyz(), high = low;
    for (const Row4<Real>& p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    return {low, high};
}

/// The same on all threads.
template <class Real>
PointBounds<Real> bounds_of(std::span<const Row4<Real>> points, const Parallel& parallel) {
    std::vector<Row4<Real>> ends(2 * Parallel::block_count(points.size()));
    parallel.for_blocks(points.size(), [&](std::size_t first, std::size_t last, std::size_t block) {
        const PointBounds<Real> part = bounds_of(points.subspan(first, last - first));
        ends[2 * block] = part.low;
        ends[2 * block + 1] = part.high;
    });
    return bounds_of(std::span<const Row4<Real>>(ends));
}

}  // namespace treacle
