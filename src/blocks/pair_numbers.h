#pragma once

#include <cstdint>
#include <vector>

#include "core/large_pages.h"
#include "simd/pack.h"

namespace treacle {

/// One number for every pair of a row, in rows of whole packs. A quarter of what PairVectors takes, for passes that
/// load the places of both particles anyway.
template <class Real>
class PairNumbers {
public:
    /// Makes room for rows of neighbors or connections. Its content is lost.
    template <class Rows>
    void lay_out(const Rows& rows) {
        const std::size_t count = rows.size();
        begin_.resize(count);
        std::size_t packs = 0;
        for (std::size_t i = 0; i < count; ++i) {
            begin_[i] = static_cast<std::uint32_t>(packs);
            packs += (rows.row(i).size() + simd::lanes - 1) / simd::lanes;
        }
        if (numbers_.size() >= packs * simd::lanes) return;
        numbers_.clear();  // nothing to be kept when it moves
        numbers_.resize((packs + packs / 32) * simd::lanes);
    }

    Real* row(std::size_t i) { return numbers_.data() + std::size_t(simd::lanes) * begin_[i]; }
    const Real* row(std::size_t i) const { return numbers_.data() + std::size_t(simd::lanes) * begin_[i]; }

private:
    std::vector<std::uint32_t> begin_;             ///< in packs
    std::vector<Real, LargePages<Real>> numbers_;  ///< longer than the used part; kept between updates
};

}  // namespace treacle
