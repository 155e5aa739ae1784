#include "neighbors/neighbors.h"

#include <algorithm>
#include <bit>

namespace treacle {

template <class S>
void Neighbors<S>::update(std::span<const Row> positions, double radius, const Parallel& parallel) {
    count_ = positions.size();
    radius_ = radius;
    sort_into_cells(positions, parallel);
    collect_rows(positions, parallel);
}

template <class S>
std::uint64_t Neighbors<S>::slot_of(const std::array<std::int32_t, 3>& cell) const {
    if (!hashed_) {
        return morton_.code(static_cast<std::uint32_t>(cell[0]), static_cast<std::uint32_t>(cell[1]),
                            static_cast<std::uint32_t>(cell[2]));
    }
    std::uint64_t h = static_cast<std::uint64_t>(cell[0]) * 0x9E3779B97F4A7C15ull;
    h = (h ^ static_cast<std::uint64_t>(cell[1])) * 0xC2B2AE3D27D4EB4Full;
    h = (h ^ static_cast<std::uint64_t>(cell[2])) * 0x165667B19E3779F9ull;
    return (h >> 32) & slot_mask_;
}

template <class S>
void Neighbors<S>::sort_into_cells(std::span<const Row> positions, const Parallel& parallel) {
    // A hair wider than the radius, so that rounding in the division can never put a neighbor two cells away.
    const auto bounds = bounds_of(positions);
    frame_ = {cast<double>(bounds.low), radius_ * (1 + 1e-6)};

    const auto last = frame_.cell(bounds.high);
    for (std::size_t axis = 0; axis < 3; ++axis) cells_[axis] = static_cast<std::uint32_t>(last[axis]) + 1;
    const std::uint64_t slot_limit = std::max<std::uint64_t>(4096, 8 * std::bit_ceil(std::max<std::size_t>(count_, 1)));
    hashed_ = MortonTables::code_count(cells_) > slot_limit;
    std::uint64_t slots = slot_limit;
    if (hashed_) {
        slot_mask_ = slot_limit - 1;
    } else {
        morton_.build(cells_);
        slots = morton_.code_count();
    }

    cell_of_.resize(count_);
    std::vector<std::uint32_t> slot(count_);
    parallel.for_each(count_, [&](std::size_t i) {
        cell_of_[i] = frame_.cell(positions[i].xyz());
        slot[i] = static_cast<std::uint32_t>(slot_of(cell_of_[i]));
    });

    // Counting sort; walking the particles in index order keeps it stable.
    slot_begin_.assign(slots + 1, 0);
    for (const std::uint32_t s : slot) ++slot_begin_[s + 1];
    for (std::uint64_t s = 0; s < slots; ++s) slot_begin_[s + 1] += slot_begin_[s];
    in_cell_order_.resize(count_);
    sorted_positions_.resize(count_);
    std::vector<std::uint32_t> cursor(slot_begin_.begin(), slot_begin_.end() - 1);
    for (std::size_t i = 0; i < count_; ++i) {
        const std::uint32_t place = cursor[slot[i]]++;
        in_cell_order_[place] = static_cast<std::uint32_t>(i);
        sorted_positions_[place] = positions[i];
    }
}

template <class S>
template <class Visit>
void Neighbors<S>::visit_cells_around(const std::array<std::int32_t, 3>& cell, const Visit& visit) const {
    const int reach_z = S::dim == 3 ? 1 : 0;
    for (std::int32_t z = cell[2] - reach_z; z <= cell[2] + reach_z; ++z) {
        if (z < 0 || z >= static_cast<std::int64_t>(cells_[2])) continue;
        for (std::int32_t y = cell[1] - 1; y <= cell[1] + 1; ++y) {
            if (y < 0 || y >= static_cast<std::int64_t>(cells_[1])) continue;
            for (std::int32_t x = cell[0] - 1; x <= cell[0] + 1; ++x) {
                if (x < 0 || x >= static_cast<std::int64_t>(cells_[0])) continue;
                visit(std::array<std::int32_t, 3>{x, y, z});
            }
        }
    }
}

template <class S>
void Neighbors<S>::collect_rows(std::span<const Row> positions, const Parallel& parallel) {
    const Real limit = static_cast<Real>(radius_) * static_cast<Real>(radius_);
    const std::size_t blocks = Parallel::block_count(count_);
    if (block_entries_.size() < blocks) block_entries_.resize(blocks);
    row_begin_.resize(count_ + 1);

    // Every block of particles collects its rows on its own; then they are laid end to end.
    parallel.for_blocks(count_, [&](std::size_t first, std::size_t last, std::size_t block) {
        auto& entries = block_entries_[block];
        entries.clear();
        for (std::size_t i = first; i < last; ++i) {
            const auto x_i = positions[i].xyz();
            visit_cells_around(cell_of_[i], [&](const std::array<std::int32_t, 3>& cell) {
                const std::uint64_t slot = slot_of(cell);
                for (std::uint32_t place = slot_begin_[slot]; place < slot_begin_[slot + 1]; ++place) {
                    const auto r = sorted_positions_[place].xyz() - x_i;
                    const std::uint32_t j = in_cell_order_[place];
                    if (dot(r, r) < limit && j != i && (!hashed_ || cell_of_[j] == cell)) entries.push_back(j);
                }
            });
            row_begin_[i + 1] = entries.size();   // within the block, for now
        }
    });

    std::size_t total = 0;
    std::vector<std::size_t> block_begin(blocks);
    for (std::size_t block = 0; block < blocks; ++block) {
        block_begin[block] = total;
        total += block_entries_[block].size();
    }
    entries_.resize(total);
    row_begin_[0] = 0;
    parallel.for_blocks(count_, [&](std::size_t first, std::size_t last, std::size_t block) {
        std::copy(block_entries_[block].begin(), block_entries_[block].end(),
                  entries_.begin() + static_cast<std::ptrdiff_t>(block_begin[block]));
        for (std::size_t i = first; i < last; ++i) row_begin_[i + 1] += block_begin[block];
    });
}

template class Neighbors<Space2f>;
template class Neighbors<Space3f>;
template class Neighbors<Space2d>;
template class Neighbors<Space3d>;

}  // namespace treacle
