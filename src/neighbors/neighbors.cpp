#include "neighbors/neighbors.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

#include "neighbors/nearest_image.h"
#include "simd/compress.h"
#include "simd/dispatch.h"
#include "simd/load.h"

namespace treacle {

namespace {

/// Elements after the end that copies and packs of eight may touch.
constexpr std::size_t slack = simd::lanes;

/// Always copies eight, even beyond the end of the data; the arrays have room for it.
template <class T>
void copy_eight(const T* from, T* to) {
    std::memcpy(to, from, slack * sizeof(T));
}

/// Same as ==, which gcc turns into a call of memcmp.
bool same_cell(const std::array<std::int32_t, 3>& a, const std::array<std::int32_t, 3>& b) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/// Whether all finite coordinates lie in [0, period), along axes that have a period.
template <class Row>
bool within_period(std::span<const Row> positions, Vec3d period) {
    for (int axis = 0; axis < 3; ++axis) {
        if (!(period[axis] >= 0) || !std::isfinite(period[axis])) return false;
        if (period[axis] == 0) continue;
        for (const Row& row : positions) {
            const auto x = row.xyz()[axis];
            if (std::isfinite(x) && !(x >= 0 && x < static_cast<decltype(x)>(period[axis]))) return false;
        }
    }
    return true;
}

/// Makes room for the rows so far, and for all rows of a block if they continue like the first `done` of them. Hardly
/// more than that: with millions of particles, unused room would limit how many fit.
[[gnu::noinline]] void grow(std::vector<std::uint32_t>& entries, std::size_t needed, std::size_t used, std::size_t done,
                            std::size_t rows) {
    const std::size_t expected = done < 8 ? 2 * needed : (needed + used * (rows - done) / done) * 17 / 16;
    entries.reserve(expected);  // exactly; resize() alone would double
    entries.resize(expected);
}

}  // namespace

template <class S>
void Neighbors<S>::update(std::span<const Row> positions, double radius, const Parallel& parallel, Vec3d period) {
    // Positions may be infinite or NaN: the simulation reports a diverged run itself.
    assert(radius > 0 && std::isfinite(radius) && positions.size() <= std::numeric_limits<std::uint32_t>::max());
    assert(within_period(positions, period));
    count_ = positions.size();
    radius_ = radius;
    period_ = period;
    lay_out_cells(positions, parallel);
    sort_into_cells(positions, parallel);
    if (period == Vec3d{}) collect_rows<false>(parallel);
    else collect_rows<true>(parallel);
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
void Neighbors<S>::lay_out_cells(std::span<const Row> positions, const Parallel& parallel) {
    // A hair wider than the radius, so that rounding in the division can never put a neighbor two cells away.
    const auto bounds = bounds_of(positions, parallel);
    const double side = radius_ * (1 + 1e-6);
    frame_ = {cast<double>(bounds.low), {side, side, side}};

    const auto last = frame_.cell(bounds.high);
    for (std::size_t axis = 0; axis < 3; ++axis) cells_[axis] = static_cast<std::uint32_t>(last[axis]) + 1;
    for (int axis = 0; axis < 3; ++axis) {  // a whole number of cells between the borders
        const double length = period_[axis];
        if (!(length > 0)) continue;
        const double rounding = 4 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * length;
        const double cells = std::clamp(std::floor(length / (side + rounding)), 1.0, 1073741824.0);
        cells_[static_cast<std::size_t>(axis)] = static_cast<std::uint32_t>(cells);
        frame_.low[axis] = 0;
        frame_.side[axis] = length / cells;
    }
    const std::uint64_t slot_limit = std::max<std::uint64_t>(4096, 8 * std::bit_ceil(std::max<std::size_t>(count_, 1)));
    hashed_ = MortonTables::code_count(cells_) > slot_limit;
    slots_ = slot_limit;
    if (hashed_) {
        slot_mask_ = slot_limit - 1;
    } else {
        morton_.build(cells_);
        slots_ = morton_.code_count();
    }
}

/// Counting sort. Every thread counts and moves its own share of the particles; shares are ranges of indices and follow
/// each other within a slot, so that the result is the stable order whatever their number.
template <class S>
void Neighbors<S>::sort_into_cells(std::span<const Row> positions, const Parallel& parallel) {
    const std::size_t shares = std::clamp<std::size_t>(count_ / 8192, 1, static_cast<std::size_t>(parallel.threads()));
    const std::size_t share_size = std::max<std::size_t>(1, (count_ + shares - 1) / shares);
    const bool periodic = period_ != Vec3d{};
    cell_of_.resize(count_);
    slot_of_particle_.resize(count_);
    cursor_.resize(shares * slots_);
    parallel.for_blocks(count_, share_size, [&](std::size_t first, std::size_t last, std::size_t share) {
        std::uint32_t* counter = cursor_.data() + share * slots_;
        std::fill(counter, counter + slots_, 0u);
        for (std::size_t i = first; i < last; ++i) {
            cell_of_[i] = frame_.cell(positions[i].xyz());
            for (std::size_t axis = 0; axis < 3 && periodic; ++axis) {  // rounding may reach the border itself
                cell_of_[i][axis] = std::min(cell_of_[i][axis], static_cast<std::int32_t>(cells_[axis]) - 1);
            }
            slot_of_particle_[i] = static_cast<std::uint32_t>(slot_of(cell_of_[i]));
            ++counter[slot_of_particle_[i]];
        }
    });

    slot_begin_.resize(slots_ + 1);
    std::uint32_t total = 0;
    const std::size_t used_shares = (count_ + share_size - 1) / share_size;
    for (std::uint64_t s = 0; s < slots_; ++s) {
        slot_begin_[s] = total;
        for (std::size_t share = 0; share < used_shares; ++share) {
            const std::uint32_t held = cursor_[share * slots_ + s];
            cursor_[share * slots_ + s] = total;
            total += held;
        }
    }
    slot_begin_[slots_] = total;

    in_cell_order_.resize(count_ + slack);
    for (auto* sorted : {&sorted_x_, &sorted_y_, &sorted_z_}) sorted->resize(count_ + slack);
    parallel.for_blocks(count_, share_size, [&](std::size_t first, std::size_t last, std::size_t share) {
        std::uint32_t* cursor = cursor_.data() + share * slots_;
        for (std::size_t i = first; i < last; ++i) {
            const std::uint32_t place = cursor[slot_of_particle_[i]]++;
            in_cell_order_[place] = static_cast<std::uint32_t>(i);
            sorted_x_[place] = positions[i].x;
            sorted_y_[place] = positions[i].y;
            sorted_z_[place] = positions[i].z;
        }
    });
}

template <class S>
typename Neighbors<S>::CellsAlong Neighbors<S>::cells_around(std::int32_t cell, int axis) const {
    if (axis >= S::dim) return {{cell}, 1};
    const auto cells = static_cast<std::int32_t>(cells_[static_cast<std::size_t>(axis)]);
    if (period_[axis] > 0 && cells >= 3) return {{(cell + cells - 1) % cells, cell, (cell + 1) % cells}, 3};
    CellsAlong along{{}, 0};
    for (std::int32_t other = std::max(cell - 1, 0); other <= std::min(cell + 1, cells - 1); ++other) {
        along.cell[along.count++] = other;
    }
    return along;
}

template <class S>
void Neighbors<S>::collect_candidates(const std::array<std::int32_t, 3>& cell, Candidates& c) const {
    const CellsAlong along_x = cells_around(cell[0], 0), along_y = cells_around(cell[1], 1),
                     along_z = cells_around(cell[2], 2);
    std::array<Run, 27> runs;
    std::size_t run_count = 0, total = 0;
    for (std::size_t z = 0; z < along_z.count; ++z) {
        for (std::size_t y = 0; y < along_y.count; ++y) {
            for (std::size_t x = 0; x < along_x.count; ++x) {
                const std::array<std::int32_t, 3> place{along_x.cell[x], along_y.cell[y], along_z.cell[z]};
                const std::uint64_t slot = slot_of(place);
                runs[run_count] = {place, slot_begin_[slot], slot_begin_[slot + 1] - slot_begin_[slot]};
                total += runs[run_count++].held;
            }
        }
    }
    if (c.index.size() < total + 2 * slack) {
        c.index.resize(2 * (total + slack));
        for (auto* column : {&c.x, &c.y, &c.z}) column->resize(c.index.size());
    }
    c.cell = cell;
    if (hashed_) copy_own_of_slots({runs.data(), run_count}, c);
    else copy_slots({runs.data(), run_count}, c);
    // The last pack is filled up with points infinitely far away.
    std::fill_n(c.x.begin() + static_cast<std::ptrdiff_t>(c.count), slack, std::numeric_limits<Real>::infinity());
}

template <class S>
void Neighbors<S>::copy_slots(std::span<const Run> runs, Candidates& c) const {
    std::size_t count = 0;
    for (const Run& run : runs) {
        if (same_cell(run.cell, c.cell)) c.center = count;
        for (std::size_t n = 0; n < run.held; n += slack) {
            copy_eight(sorted_x_.data() + run.first + n, c.x.data() + count + n);
            copy_eight(sorted_y_.data() + run.first + n, c.y.data() + count + n);
            copy_eight(sorted_z_.data() + run.first + n, c.z.data() + count + n);
            copy_eight(in_cell_order_.data() + run.first + n, c.index.data() + count + n);
        }
        count += run.held;
    }
    c.count = count;
}

template <class S>
void Neighbors<S>::copy_own_of_slots(std::span<const Run> runs, Candidates& c) const {
    c.count = 0;
    for (const Run& run : runs) {
        if (same_cell(run.cell, c.cell)) c.center = c.count;
        for (std::size_t place = run.first; place < run.first + run.held; ++place) {
            if (!same_cell(cell_of_[in_cell_order_[place]], run.cell)) continue;
            c.x[c.count] = sorted_x_[place];
            c.y[c.count] = sorted_y_[place];
            c.z[c.count] = sorted_z_[place];
            c.index[c.count++] = in_cell_order_[place];
        }
    }
}

/// All particles of a cell have the same candidates, which are collected once; then each compares them eight at a time.
template <class S>
template <bool Periodic>
void Neighbors<S>::collect_rows(const Parallel& parallel) {
    const Real limit = static_cast<Real>(radius_) * static_cast<Real>(radius_);
    const Vec3<Real> period = cast<Real>(period_);
    const std::size_t blocks = (count_ + Parallel::small_block - 1) / Parallel::small_block;
    if (block_entries_.size() < blocks) block_entries_.resize(blocks);
    rows_.resize(count_);
    std::vector<std::size_t> block_sizes(blocks);
    parallel.for_blocks(count_, Parallel::small_block, [&](std::size_t first, std::size_t last, std::size_t block) {
        thread_local Candidates own;
        Candidates& candidates = own;
        auto& entries = block_entries_[block];
        std::size_t used = 0, in_rows = 0;
        collect_candidates(cell_of_[in_cell_order_[first]], candidates);
        simd::run<Real>(first, last, [&]<class P>(simd::Use<P>, std::size_t place) TREACLE_SIMD_INLINE_LAMBDA {
            const std::uint32_t i = in_cell_order_[place];
            if (!same_cell(cell_of_[i], candidates.cell)) collect_candidates(cell_of_[i], candidates);
            const std::size_t needed = used + candidates.count + 2 * slack;
            if (entries.size() < needed) grow(entries, needed, used, place - first, last - first);
            std::size_t self = candidates.center;
            if (hashed_)
                while (candidates.index[self] != i) ++self;
            else self += place - slot_begin_[slot_of_particle_[i]];

            const P x(sorted_x_[place]), y(sorted_y_[place]), z(sorted_z_[place]), limits(limit);
            candidates.x[self] = std::numeric_limits<Real>::infinity();  // not its own neighbor
            const Real* const x_j = candidates.x.data();
            const Real* const y_j = candidates.y.data();
            const Real* const z_j = candidates.z.data();
            const std::uint32_t* const j = candidates.index.data();
            std::uint32_t* const begin = entries.data() + used;
            std::uint32_t* end = begin;
            for (std::size_t n = 0, count = candidates.count; n < count; n += simd::lanes) {
                Vec3<P> r{simd::load<P>(x_j + n) - x, simd::load<P>(y_j + n) - y, simd::load<P>(z_j + n) - z};
                if constexpr (Periodic) r = nearest_image(r, period);
                const auto within = (r.x * r.x + r.y * r.y) + r.z * r.z < limits;
                end += simd::compress<P>(j + n, within.bits(), end);
            }
            candidates.x[self] = sorted_x_[place];
            const auto held = static_cast<std::size_t>(end - begin);
            std::fill_n(end, slack, i);
            rows_[i] = {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(used),
                        static_cast<std::uint32_t>(held)};
            used += (held + slack - 1) / slack * slack;
            in_rows += held;
        });
        block_sizes[block] = in_rows;
    });
    pair_entries_ = 0;
    for (const std::size_t size : block_sizes) pair_entries_ += size;
}

template class Neighbors<Space2f>;
template class Neighbors<Space3f>;
template class Neighbors<Space2d>;
template class Neighbors<Space3d>;

}  // namespace treacle
