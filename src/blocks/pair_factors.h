#pragma once

#include <cstdint>
#include <vector>

#include "core/large_pages.h"
#include "math/space.h"
#include "neighbors/neighbors.h"
#include "simd/pack.h"

namespace treacle {

/// One number for every pair of neighbors, kept from the pass that measures for the one that moves. A vector along the line of
/// the two, such as V_j ∇W_ij, is sooner made of it and the positions than read from memory, if it is needed only once.
template <class S>
class PairFactors {
public:
    using Real = typename S::Real;

    /// Room for the pairs of these rows, eight by eight.
    void lay_out(const Neighbors<S>& neighbors) {
        const std::size_t count = neighbors.size();
        begin_.resize(count);
        std::size_t eights = 0;
        for (std::size_t i = 0; i < count; ++i) {
            begin_[i] = static_cast<std::uint32_t>(eights);
            eights += (neighbors.row(i).size() + simd::lanes - 1) / simd::lanes;
        }
        if (factors_.size() < eights * simd::lanes) {
            factors_.clear();   // nothing to be kept when it moves
            factors_.resize((eights + eights / 8) * simd::lanes);
        }
    }

    /// The n-th number belongs to the n-th entry of the row. There is room up to the next multiple of eight.
    Real* row(std::size_t i) { return factors_.data() + std::size_t(begin_[i]) * simd::lanes; }
    const Real* row(std::size_t i) const { return factors_.data() + std::size_t(begin_[i]) * simd::lanes; }

private:
    std::vector<std::uint32_t> begin_;                 ///< in eights
    std::vector<Real, LargePages<Real>> factors_;      ///< longer than what is used; kept between searches
};

}  // namespace treacle
