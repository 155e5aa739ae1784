#include "neighbors/point_grid.h"

#include <algorithm>

namespace treacle {

PointGrid::PointGrid(std::vector<Vec3d>& points, double radius) {
    if (points.empty()) return;
    Vec3d low = points.front(), high = low;
    for (const Vec3d& p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    // A hair wider than the radius, for rounding. Surfaces fill little of a box: cells grow until there are not too
    // many.
    const double most_cells = 4096 + 16 * static_cast<double>(points.size());
    double side = radius * (1 + 1e-4);
    const auto cells_along = [&](int axis) { return std::floor((high[axis] - low[axis]) / side) + 4; };
    while (cells_along(0) * cells_along(1) * cells_along(2) > most_cells) side *= 2;
    per_side_ = 1 / side;
    low_ = low - 1.5 * Vec3d{side, side, side};  // in the middle of a cell, where rounding does not matter
    for (int axis = 0; axis < 3; ++axis)
        cells_[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(cells_along(axis));
    const auto total = static_cast<std::size_t>(cells_[0] * cells_[1] * cells_[2]);

    const auto cell_of = [&](const Vec3d& p) {
        const auto along = [&](int axis) { return static_cast<std::int64_t>((p[axis] - low_[axis]) * per_side_); };
        return static_cast<std::size_t>(number(along(0), along(1), along(2)));
    };
    begin_.assign(total + 1, 0);
    for (const Vec3d& p : points) ++begin_[cell_of(p) + 1];
    for (std::size_t cell = 1; cell < begin_.size(); ++cell) begin_[cell] += begin_[cell - 1];
    std::vector<std::uint32_t> cursor(begin_.begin(), begin_.end() - 1);
    const std::vector<Vec3d> unsorted = points;
    for (const Vec3d& p : unsorted) points[cursor[cell_of(p)]++] = p;

    crowded_.assign(total, 0);
    for (std::int64_t z = 1; z + 1 < cells_[2]; ++z) {
        for (std::int64_t y = 1; y + 1 < cells_[1]; ++y) {
            for (std::int64_t x = 1; x + 1 < cells_[0]; ++x) {
                const auto cell = static_cast<std::size_t>(number(x, y, z));
                if (begin_[cell] == begin_[cell + 1]) continue;
                for (int n = 0; n < 27; ++n) {
                    crowded_[static_cast<std::size_t>(number(x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1))] = 1;
                }
            }
        }
    }
}

}  // namespace treacle
