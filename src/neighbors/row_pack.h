#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "simd/pack.h"

namespace treacle {

/// kernel(j, count, n) for every eight entries of a row, starting at its n-th: `j` points at eight indices. The first
/// `count` belong to the row; the others repeat i.
template <class Kernel>
TREACLE_SIMD_INLINE void for_each_eight(std::size_t i, std::span<const std::uint32_t> row, const Kernel& kernel) {
    std::size_t n = 0;
    for (; n + simd::lanes <= row.size(); n += simd::lanes) kernel(row.data() + n, simd::lanes, n);
    if (n == row.size()) return;
    const int count = static_cast<int>(row.size() - n);
    std::uint32_t rest[simd::lanes];
    for (int l = 0; l < simd::lanes; ++l) {
        rest[l] = l < count ? row[n + static_cast<std::size_t>(l)] : static_cast<std::uint32_t>(i);
    }
    kernel(static_cast<const std::uint32_t*>(rest), count, n);
}

/// The same for rows that are filled up with i to whole packs, like those of Neighbors: kernel(j, n), or kernel(j).
/// Lanes beyond the end of the row hold i, at distance zero.
template <class Kernel>
TREACLE_SIMD_INLINE void for_each_filled_eight(std::span<const std::uint32_t> row, const Kernel& kernel) {
    for (std::size_t n = 0; n < row.size(); n += simd::lanes) {
        if constexpr (std::is_invocable_v<const Kernel&, const std::uint32_t*, std::size_t>) kernel(row.data() + n, n);
        else kernel(row.data() + n);
    }
}

}  // namespace treacle
