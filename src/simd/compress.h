#pragma once

#include <array>
#include <cstdint>

#include "simd/pack.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // see pack.h

namespace treacle::simd {

namespace detail {

/// For every choice of four lanes, the bytes that move the chosen ones to the front.
inline constexpr auto front_bytes = [] {
    std::array<std::array<std::uint8_t, 16>, 16> table{};
    for (unsigned bits = 0; bits < 16; ++bits) {
        std::size_t to = 0;
        for (unsigned lane = 0; lane < 4; ++lane) {
            if (!(bits >> lane & 1u)) continue;
            for (unsigned byte = 0; byte < 4; ++byte) table[bits][to++] = static_cast<std::uint8_t>(4 * lane + byte);
        }
    }
    return table;
}();

/// The same for eight lanes: the numbers of the chosen ones.
inline constexpr auto front_lanes = [] {
    std::array<std::array<std::uint8_t, 8>, 256> table{};
    for (unsigned bits = 0; bits < 256; ++bits) {
        std::size_t to = 0;
        for (unsigned lane = 0; lane < 8; ++lane) {
            if (bits >> lane & 1u) table[bits][to++] = static_cast<std::uint8_t>(lane);
        }
    }
    return table;
}();

}  // namespace detail

/// Writes those of eight indices whose bit is set, in their order; returns how many. Up to eight elements from `to` on
/// may be overwritten.
template <class P>
TREACLE_SIMD_INLINE std::size_t compress(const std::uint32_t* from, unsigned bits, std::uint32_t* to) {
    if constexpr (std::is_same_v<typename P::Path, Twin>) {
        std::size_t n = 0;
        for (unsigned lane = 0; lane < 8; ++lane) {
            if (bits >> lane & 1u) to[n++] = from[lane];
        }
        return n;
#ifndef __clang__  // clang allows instructions for all lanes only in functions that name AVX2 themselves
    } else if constexpr (P::part_lanes == 8) {
        typedef int Indices __attribute__((vector_size(32), aligned(4), may_alias));
        const auto lane = (__v8si)__builtin_ia32_pmovzxbd256(
            (__v16qi)_mm_loadl_epi64(reinterpret_cast<const __m128i*>(detail::front_lanes[bits].data())));
        *reinterpret_cast<Indices*>(to) =
            (Indices)__builtin_ia32_permvarsi256((__v8si) * reinterpret_cast<const Indices*>(from), lane);
        return static_cast<std::size_t>(__builtin_popcount(bits));
#endif
    } else {
        const auto front = [](const std::uint32_t* four, unsigned half) TREACLE_SIMD_INLINE_LAMBDA {
            const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(detail::front_bytes[half].data()));
            return _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(four)), bytes);
        };
        const unsigned low = bits & 15u, high = bits >> 4;
        const auto low_count = static_cast<std::size_t>(__builtin_popcount(low));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), front(from, low));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + low_count), front(from + 4, high));
        return low_count + static_cast<std::size_t>(__builtin_popcount(high));
    }
}

}  // namespace treacle::simd

#pragma GCC diagnostic pop
