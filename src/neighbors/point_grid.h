#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "math/vec.h"

namespace treacle {

/// Points that never move, in their own frame, sorted into cells once; others ask which of them are near.
class PointGrid {
public:
    PointGrid() = default;

    /// The points are put into the order of the cells (x fastest, then y, then z), within a cell as they came.
    PointGrid(std::vector<Vec3d>& points, double radius);

    /// visit(first, last) for runs of points, in ascending order, that hold all points within the radius of a place.
    template <class Visit>
    void for_each_run(Vec3d place, const Visit& visit) const {
        std::array<std::int64_t, 3> at;
        for (int axis = 0; axis < 3; ++axis) {
            const double cell = (place[axis] - low_[axis]) * per_side_;
            if (!(cell >= 0 && cell < static_cast<double>(cells_[static_cast<std::size_t>(axis)]))) return;
            at[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(cell);
        }
        if (!crowded_[static_cast<std::size_t>(number(at[0], at[1], at[2]))]) return;
        const auto first_of = [](std::int64_t cell) { return std::max<std::int64_t>(cell - 1, 0); };
        const auto last_of = [&](std::size_t axis) { return std::min(at[axis] + 1, cells_[axis] - 1); };
        for (std::int64_t z = first_of(at[2]); z <= last_of(2); ++z) {
            for (std::int64_t y = first_of(at[1]); y <= last_of(1); ++y) {
                const std::uint32_t first = begin_[static_cast<std::size_t>(number(first_of(at[0]), y, z))];
                const std::uint32_t last = begin_[static_cast<std::size_t>(number(last_of(0), y, z)) + 1];
                if (first < last) visit(first, last);
            }
        }
    }

private:
    std::int64_t number(std::int64_t x, std::int64_t y, std::int64_t z) const {
        return (z * cells_[1] + y) * cells_[0] + x;
    }

    Vec3d low_{};
    double per_side_ = 1;                  ///< 1 / side of a cell
    std::array<std::int64_t, 3> cells_{};  ///< with an empty one at each end
    std::vector<std::uint32_t> begin_;     ///< per cell, one more at the end
    std::vector<std::uint8_t> crowded_;    ///< per cell: whether it or one around it holds a point
};

}  // namespace treacle
