#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "math/space.h"
#include "neighbors/cell_grid.h"

namespace treacle {

/// The period of space that does not repeat itself.
inline constexpr Vec3d no_period{};

/// Fixed-radius neighbor rows. Cells of side `radius` in Morton order are filled by a counting sort; row i lists
/// every j != i with |x_j - x_i| < radius, compared as float squares, so j is in row i exactly if i is in row j.
///
/// Row order: the 3^Dim cells around i with x running fastest, then y, then z; within a cell by storage index.
/// It does not depend on threads nor on how cells are stored. Rows are never sorted. Row i is filled up with i to a
/// multiple of eight (for_each_filled_eight in row_pack.h).
///
/// Along an axis with a period (see nearest_image.h) |x_j - x_i| is the distance to the nearest image, and the last
/// cell is beside the first. All positions must lie in [0, period) there. Each particle is listed only once, so that
/// rows hold every image within the radius only if the period is two radii or more.
template <class S>
class Neighbors {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    void update(std::span<const Row> positions, double radius, const Parallel& parallel, Vec3d period);

    std::size_t size() const { return count_; }
    double radius() const { return radius_; }
    std::span<const std::uint32_t> row(std::size_t i) const {
        const RowPlace& place = rows_[i];
        return {block_entries_[place.block].data() + place.begin, place.count};
    }
    std::size_t pair_entries() const { return pair_entries_; }

    /// Keeps only the entries for which keep(i, j) holds; it must be symmetric in i and j.
    template <class Keep>
    void keep_only(const Parallel& parallel, const Keep& keep) {
        parallel.for_each(Rows::of(count_), [&](std::size_t i) {
            RowPlace& place = rows_[i];
            std::uint32_t* const begin = block_entries_[place.block].data() + place.begin;
            std::uint32_t* const end = begin + place.count;
            std::uint32_t* const kept = std::remove_if(begin, end, [&](std::uint32_t j) { return !keep(i, j); });
            std::fill(kept, end, static_cast<std::uint32_t>(i));
            place.count = static_cast<std::uint32_t>(kept - begin);
        });
        pair_entries_ =
            parallel.sum<std::size_t>(Rows::of(count_), [&](std::size_t i) { return std::size_t{rows_[i].count}; });
    }

private:
    /// Particles that may be neighbors of those in one cell: all from the cells around it, side by side in memory.
    struct Candidates {
        std::array<std::int32_t, 3> cell{};
        std::vector<Real> x, y, z;
        std::vector<std::uint32_t> index;
        std::size_t count = 0;
        std::size_t center = 0;  ///< begin of those in the cell itself
    };
    /// The particles of one slot in cell order, needed by one cell.
    struct Run {
        std::array<std::int32_t, 3> cell;
        std::uint32_t first, held;
    };
    /// The place of a row: rows are written in the order of the cells, block by block.
    struct RowPlace {
        std::uint32_t block, begin, count;
    };

    void lay_out_cells(std::span<const Row> positions, const Parallel& parallel);
    void sort_into_cells(std::span<const Row> positions, const Parallel& parallel);
    template <bool Periodic>
    void collect_rows(const Parallel& parallel);
    /// Numbers of the cells along one axis that may hold neighbors of a cell's particles.
    struct CellsAlong {
        std::array<std::int32_t, 3> cell;
        std::size_t count;
    };
    CellsAlong cells_around(std::int32_t cell, int axis) const;
    [[gnu::noinline]] void collect_candidates(const std::array<std::int32_t, 3>& cell, Candidates& candidates) const;
    void copy_slots(std::span<const Run> runs, Candidates& candidates) const;
    void copy_own_of_slots(std::span<const Run> runs, Candidates& candidates) const;  ///< where cells share slots
    std::uint64_t slot_of(const std::array<std::int32_t, 3>& cell) const;

    std::size_t count_ = 0;
    double radius_ = 0;
    Vec3d period_{};

    // Cells. When the bounds hold far more cells than particles (a lost drop far away), several cells share a slot
    // by hashing; candidates from another cell of the same slot are recognized by their coordinates.
    CellFrame frame_;
    std::array<std::uint32_t, 3> cells_{};
    MortonTables morton_;
    bool hashed_ = false;
    std::uint64_t slots_ = 0;
    std::uint64_t slot_mask_ = 0;
    std::vector<std::array<std::int32_t, 3>> cell_of_;  ///< per particle
    std::vector<std::uint32_t> slot_of_particle_;
    std::vector<std::uint32_t> slot_begin_;             ///< per slot, one more at the end
    std::vector<std::uint32_t> cursor_;                 ///< per share of the particles and slot, while sorting
    std::vector<std::uint32_t> in_cell_order_;          ///< particles by slot, within a slot by index
    std::vector<Real> sorted_x_, sorted_y_, sorted_z_;  ///< positions in that order

    std::vector<RowPlace> rows_;
    std::vector<std::vector<std::uint32_t>> block_entries_;  ///< longer than the part in use; kept between updates
    std::size_t pair_entries_ = 0;
};

}  // namespace treacle
