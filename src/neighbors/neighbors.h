#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "math/space.h"
#include "neighbors/cell_grid.h"

namespace treacle {

/// Fixed-radius neighbor rows. Cells of side `radius` in Morton order are filled by a counting sort; row i lists
/// every j != i with |x_j - x_i| < radius, compared as float squares, so j is in row i exactly if i is in row j.
///
/// Row order: the 3^Dim cells around i with x running fastest, then y, then z; within a cell by storage index.
/// It does not depend on threads nor on how cells are stored. Rows are never sorted.
template <class S>
class Neighbors {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    void update(std::span<const Row> positions, double radius, const Parallel& parallel);

    std::size_t size() const { return count_; }
    double radius() const { return radius_; }
    std::span<const std::uint32_t> row(std::size_t i) const {
        return {entries_.data() + row_begin_[i], entries_.data() + row_begin_[i + 1]};
    }
    std::size_t pair_entries() const { return entries_.size(); }

private:
    void sort_into_cells(std::span<const Row> positions, const Parallel& parallel);
    void collect_rows(std::span<const Row> positions, const Parallel& parallel);
    template <class Visit>
    void visit_cells_around(const std::array<std::int32_t, 3>& cell, const Visit& visit) const;
    std::uint64_t slot_of(const std::array<std::int32_t, 3>& cell) const;

    std::size_t count_ = 0;
    double radius_ = 0;

    // Cells. When the bounds hold far more cells than particles (a lost drop far away), several cells share a slot
    // by hashing; candidates from another cell of the same slot are told apart by their coordinates.
    CellFrame frame_;
    std::array<std::uint32_t, 3> cells_{};
    MortonTables morton_;
    bool hashed_ = false;
    std::uint64_t slot_mask_ = 0;
    std::vector<std::array<std::int32_t, 3>> cell_of_;     ///< per particle
    std::vector<std::uint32_t> slot_begin_;                ///< per slot, one more at the end
    std::vector<std::uint32_t> in_cell_order_;             ///< particles by slot, within a slot by index
    std::vector<Row> sorted_positions_;                    ///< positions in that order: candidates lie side by side

    std::vector<std::size_t> row_begin_{0};
    std::vector<std::uint32_t> entries_;
    std::vector<std::vector<std::uint32_t>> block_entries_;   ///< kept between updates to save allocations
};

}  // namespace treacle
