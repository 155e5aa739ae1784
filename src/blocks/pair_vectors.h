#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "blocks/pair_pack.h"
#include "core/large_pages.h"
#include "core/parallel.h"
#include "math/space.h"
#include "simd/groups.h"

namespace treacle {

/// One vector for every pair of a row, such as V_j ∇W_ij, kept for passes that are repeated many times: solvers read
/// them straight through memory, eight pairs at a time, instead of computing them again from the positions.
template <class S>
class PairVectors {
public:
    using Real = typename S::Real;

    /// Eight pairs of one particle. Lanes beyond the end of the row have j = i and a vector of zero.
    struct Eight {
        std::uint32_t j[simd::lanes];
        Real x[simd::lanes], y[simd::lanes], z[simd::lanes];

        template <class P>
        TREACLE_SIMD_INLINE Vec3<P> vectors() const {
            return {simd::load<P>(x), simd::load<P>(y), simd::load<P>(z)};
        }
    };

    /// make(Use<P>, i, j, count) gives the vectors of eight pairs, the first `count` of which are of rows.row(i). Rows
    /// are those of neighbors, or of connections.
    template <class Rows, class Make>
    void update(const Rows& rows, const Parallel& parallel, const Make& make) {
        update<Nothing>(
            rows, parallel,
            [&]<class P>(simd::Use<P> use, std::size_t i, const std::uint32_t* j, int count, std::size_t, Nothing<P>&)
                TREACLE_SIMD_INLINE_LAMBDA { return make(use, i, j, count); },
            []<class P>(simd::Use<P>, std::size_t, const Nothing<P>&) TREACLE_SIMD_INLINE_LAMBDA {});
    }

    /// The same, with sums over the pairs of a row on the way: make(Use<P>, i, j, count, n, sums), where the eight
    /// begin at the n-th of the row, adds to a Sums<P> that starts anew for every row; finish(Use<P>, i, sums) takes
    /// it. Lanes beyond the end of the row have to be left out by make.
    template <template <class> class Sums, class Rows, class Make, class Finish>
    void update(const Rows& rows, const Parallel& parallel, const Make& make, const Finish& finish) {
        lay_out(rows);
        parallel.for_blocks(rows.size(), Parallel::small_block, [&](std::size_t first, std::size_t last, std::size_t) {
            simd::run<Real>(first, last, [&]<class P>(simd::Use<P> use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                Sums<P> sums{};
                fill_row(use, i, rows.row(i), make, sums);
                finish(use, i, sums);
            });
        });
    }

    /// The same, where finish(Use<P>, g, members, sums) takes the sums of eight rows at once, those of group g (see
    /// simd/groups.h).
    template <template <class> class Sums, class Rows, class Make, class Finish>
    void update_by_groups(const Rows& rows, const Parallel& parallel, const Make& make, const Finish& finish) {
        lay_out(rows);
        simd::for_each_group<Real>(parallel, rows.size(),
                                   [&]<class P>(simd::Use<P> use, std::size_t g, int members)
                                       TREACLE_SIMD_INLINE_LAMBDA {
                                           Sums<P> sums[simd::lanes];
                                           for (int l = 0; l < members; ++l) {
                                               const std::size_t i = g * simd::lanes + static_cast<std::size_t>(l);
                                               fill_row(use, i, rows.row(i), make, sums[l]);
                                           }
                                           finish(use, g, members, sums);
                                       });
    }

    /// For the pairs of others: make(Use<P>, i, eight) gives the vectors of eight pairs from theirs.
    template <class Make>
    void update(const PairVectors& others, const Parallel& parallel, const Make& make) {
        row_end_ = others.row_end_;
        if (packs_.size() < others.packs_.size()) packs_.resize(others.packs_.size());
        parallel.for_blocks(size(), Parallel::small_block, [&](std::size_t first, std::size_t last, std::size_t) {
            simd::run<Real>(first, last, [&]<class P>(simd::Use<P> use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                Eight* eight = packs_.data() + row_begin(i);
                for (const Eight& other : others.row(i)) {
                    const Vec3<P> vector = make(use, i, other);
                    for (int l = 0; l < simd::lanes; ++l) eight->j[l] = other.j[l];
                    simd::store(vector.x, eight->x), simd::store(vector.y, eight->y), simd::store(vector.z, eight->z);
                    ++eight;
                }
            });
        });
    }

    std::size_t size() const { return row_end_.size(); }
    std::span<const Eight> row(std::size_t i) const {
        return {packs_.data() + row_begin(i), row_end_[i] - row_begin(i)};
    }

private:
    template <class P>
    struct Nothing {};

    template <class Rows>
    void lay_out(const Rows& rows) {
        const std::size_t count = rows.size();
        row_end_.resize(count);
        std::size_t packs = 0;
        for (std::size_t i = 0; i < count; ++i) {
            packs += (rows.row(i).size() + simd::lanes - 1) / simd::lanes;
            row_end_[i] = static_cast<std::uint32_t>(packs);
        }
        if (packs_.size() < packs) {
            packs_.clear();  // nothing to be kept when it moves
            packs_.resize(packs + packs / 32);
        }
    }

    template <class P, class Make, class Sums>
    TREACLE_SIMD_INLINE void fill_row(simd::Use<P> use, std::size_t i, std::span<const std::uint32_t> row,
                                      const Make& make, Sums& sums) {
        Eight* eight = packs_.data() + row_begin(i);
        for_each_eight(i, row, [&](const std::uint32_t* j, int in_row, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
            const Vec3<P> vector = make(use, i, j, in_row, n, sums);
            const simd::Mask<P> of_row = simd::first_lanes<P>(in_row);
            for (int l = 0; l < simd::lanes; ++l) eight->j[l] = j[l];
            simd::store(select(of_row, vector.x, P(0)), eight->x);
            simd::store(select(of_row, vector.y, P(0)), eight->y);
            simd::store(select(of_row, vector.z, P(0)), eight->z);
            ++eight;
        });
    }

    std::size_t row_begin(std::size_t i) const { return i == 0 ? 0 : row_end_[i - 1]; }

    std::vector<std::uint32_t> row_end_;           ///< in packs_
    std::vector<Eight, LargePages<Eight>> packs_;  ///< longer than the used part; kept between updates
};

}  // namespace treacle
