#pragma once

#include <cstdint>

#include "math/vec.h"
#include "simd/pack.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // see pack.h

namespace treacle::simd {

namespace detail {

// The registers of a pack in memory, at any multiple of the size of a number. (memcpy would be split into smaller
// pieces before it is inlined into the function for the wider CPU.)
template <class Path, class Real>
struct AnywhereOf;
template <class Real>
struct AnywhereOf<Twin, Real> {
    using Type = Real;
};
template <class Real>
struct AnywhereOf<Sse4, Real> {
    typedef Real Type __attribute__((vector_size(16), aligned(sizeof(Real)), may_alias));
};
template <class Real>
struct AnywhereOf<Avx2, Real> {
    typedef Real Type __attribute__((vector_size(32), aligned(sizeof(Real)), may_alias));
};

}  // namespace detail

/// Eight numbers side by side in memory; no alignment is needed.
template <class P>
TREACLE_SIMD_INLINE P load(const typename P::Real* from) {
    using Part = typename detail::AnywhereOf<typename P::Path, typename P::Real>::Type;
    P r;
    detail::for_parts<P::parts>([&](int p) TREACLE_SIMD_INLINE_LAMBDA {
        r.part[p] = *reinterpret_cast<const Part*>(from + p * P::part_lanes);
    });
    return r;
}

template <class P>
TREACLE_SIMD_INLINE void store(const P& pack, typename P::Real* to) {
    using Part = typename detail::AnywhereOf<typename P::Path, typename P::Real>::Type;
    detail::for_parts<P::parts>(
        [&](int p) TREACLE_SIMD_INLINE_LAMBDA { *reinterpret_cast<Part*>(to + p * P::part_lanes) = pack.part[p]; });
}

namespace detail {

template <class Real>
inline constexpr Real ones_then_zeros[2 * lanes] = {1, 1, 1, 1, 1, 1, 1, 1};

}  // namespace detail

/// The first `count` lanes.
template <class P>
TREACLE_SIMD_INLINE Mask<P> first_lanes(int count) {
    return load<P>(detail::ones_then_zeros<typename P::Real> + (lanes - count)) > P(0);
}

/// Only the first `count` numbers. The other lanes are zero when loaded, and untouched in memory when stored.
template <class P>
TREACLE_SIMD_INLINE P load_first(const typename P::Real* from, int count) {
    if (count == lanes) return load<P>(from);
    typename P::Real some[lanes] = {};
    for (int l = 0; l < count; ++l) some[l] = from[l];
    return load<P>(some);
}

template <class P>
TREACLE_SIMD_INLINE void store_first(const P& pack, typename P::Real* to, int count) {
    if (count == lanes) return store(pack, to);
    typename P::Real some[lanes];
    store(pack, some);
    for (int l = 0; l < count; ++l) to[l] = some[l];
}

/// value(l) for every lane.
template <class P, class Value>
TREACLE_SIMD_INLINE P from_lanes(const Value& value) {
    P r;
    if constexpr (P::part_lanes == 8) {
        detail::join(detail::Float4{value(0), value(1), value(2), value(3)},
                     detail::Float4{value(4), value(5), value(6), value(7)}, r.part[0]);
    } else if constexpr (std::is_same_v<typename P::Path, Avx2>) {
        for (int p = 0; p < P::parts; ++p) {
            detail::join(detail::Double2{value(4 * p), value(4 * p + 1)},
                         detail::Double2{value(4 * p + 2), value(4 * p + 3)}, r.part[p]);
        }
    } else if constexpr (P::part_lanes == 4) {
        for (int p = 0; p < P::parts; ++p) {
            r.part[p] = typename P::Part{value(4 * p), value(4 * p + 1), value(4 * p + 2), value(4 * p + 3)};
        }
    } else if constexpr (P::part_lanes == 2) {
        for (int p = 0; p < P::parts; ++p) r.part[p] = typename P::Part{value(2 * p), value(2 * p + 1)};
    } else {
        for (int l = 0; l < lanes; ++l) r.part[l] = value(l);
    }
    return r;
}

/// column[j[l]] for every lane.
template <class P>
TREACLE_SIMD_INLINE P load_lanes(const typename P::Real* column, const std::uint32_t* j) {
    return from_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA { return column[j[l]]; });
}

namespace detail {

typedef float Four __attribute__((vector_size(16), may_alias));

/// Two rows side by side.
TREACLE_SIMD_INLINE void join_rows(const Row4<float>* low, const Row4<float>* high, Float8& r) {
    const Four& l = *reinterpret_cast<const Four*>(low);
    const Four& h = *reinterpret_cast<const Four*>(high);
#ifndef __clang__  // straight from memory; gcc takes a detour through a register that costs a shuffle
    r = (Float8)__builtin_ia32_vinsertf128_ps256(__builtin_ia32_ps256_ps((__m128)l), (__m128)h, 1);
#else
    r = __builtin_shufflevector(l, h, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}

/// Rows of four transposed to columns, within each group of four lanes: x of rows 0-3, then y, then z, then w.
struct Columns4 {
    Four x, y, z, w;
};

TREACLE_SIMD_INLINE void transpose(Four a, Four b, Four c, Four d, Columns4& r) {
    const Four ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const Four ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7), cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    r.x = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
    r.y = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    r.z = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    r.w = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

}  // namespace detail

/// Four packs: the four columns of eight rows.
template <class P>
struct RowPack {
    P x, y, z, w;
    TREACLE_SIMD_INLINE Vec3<P> xyz() const { return {x, y, z}; }
};

/// Rows j[0] … j[7] of four packed numbers, transposed to columns in registers. (The CPU's own gather instruction is
/// slower than eight loads and a transpose.) With a stride, only every stride-th row is counted by j.
template <class P, int stride = 1>
TREACLE_SIMD_INLINE RowPack<P> load_rows(const Row4<typename P::Real>* rows, const std::uint32_t* j) {
    RowPack<P> r;
    const auto at = [&](int l) TREACLE_SIMD_INLINE_LAMBDA { return rows + std::size_t(stride) * j[l]; };
    if constexpr (std::is_same_v<typename P::Real, float> && !std::is_same_v<typename P::Path, Twin>) {
        using Four = detail::Four;
        const auto row = [&](int l) TREACLE_SIMD_INLINE_LAMBDA { return *reinterpret_cast<const Four*>(at(l)); };
        if constexpr (P::part_lanes == 8) {
            // Both halves at once: rows l and l + 4 side by side.
            typename P::Part a, b, c, d;
            detail::join_rows(at(0), at(4), a), detail::join_rows(at(1), at(5), b);
            detail::join_rows(at(2), at(6), c), detail::join_rows(at(3), at(7), d);
            const auto ab_low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
            const auto cd_low = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13);
            const auto ab_high = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
            const auto cd_high = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
            r.x.part[0] = __builtin_shufflevector(ab_low, cd_low, 0, 1, 8, 9, 4, 5, 12, 13);
            r.y.part[0] = __builtin_shufflevector(ab_low, cd_low, 2, 3, 10, 11, 6, 7, 14, 15);
            r.z.part[0] = __builtin_shufflevector(ab_high, cd_high, 0, 1, 8, 9, 4, 5, 12, 13);
            r.w.part[0] = __builtin_shufflevector(ab_high, cd_high, 2, 3, 10, 11, 6, 7, 14, 15);
        } else {
            for (int p = 0; p < 2; ++p) {
                detail::Columns4 columns;
                detail::transpose(row(4 * p), row(4 * p + 1), row(4 * p + 2), row(4 * p + 3), columns);
                r.x.part[p] = columns.x;
                r.y.part[p] = columns.y;
                r.z.part[p] = columns.z;
                r.w.part[p] = columns.w;
            }
        }
    } else if constexpr (std::is_same_v<typename P::Path, Avx2>) {
        using Four = typename detail::AnywhereOf<Avx2, double>::Type;
        const auto row = [&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const Four& {
            return *reinterpret_cast<const Four*>(at(l));
        };
        for (int p = 0; p < 2; ++p) {
            const detail::Double4 a = row(4 * p), b = row(4 * p + 1), c = row(4 * p + 2), d = row(4 * p + 3);
            const auto ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6),
                       cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6);
            const auto ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7),
                       cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
            r.x.part[p] = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
            r.y.part[p] = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
            r.z.part[p] = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
            r.w.part[p] = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
        }
    } else {
        r.x = from_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA { return at(l)->x; });
        r.y = from_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA { return at(l)->y; });
        r.z = from_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA { return at(l)->z; });
        r.w = from_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA { return at(l)->w; });
    }
    return r;
}

/// Writes eight rows of four packed numbers from columns: the inverse of load_rows at 0 … 7.
template <class P, int stride = 1>
TREACLE_SIMD_INLINE void store_rows(const RowPack<P>& columns, Row4<typename P::Real>* rows) {
    using Real = typename P::Real;
    if constexpr (P::part_lanes == 8) {
        const auto xy_low = __builtin_shufflevector(columns.x.part[0], columns.y.part[0], 0, 8, 1, 9, 4, 12, 5, 13);
        const auto xy_high = __builtin_shufflevector(columns.x.part[0], columns.y.part[0], 2, 10, 3, 11, 6, 14, 7, 15);
        const auto zw_low = __builtin_shufflevector(columns.z.part[0], columns.w.part[0], 0, 8, 1, 9, 4, 12, 5, 13);
        const auto zw_high = __builtin_shufflevector(columns.z.part[0], columns.w.part[0], 2, 10, 3, 11, 6, 14, 7, 15);
        const auto put = [&](int l, const auto& both) TREACLE_SIMD_INLINE_LAMBDA {  // rows l and l + 4
            *reinterpret_cast<detail::Four*>(rows + stride * l) = __builtin_shufflevector(both, both, 0, 1, 2, 3);
            *reinterpret_cast<detail::Four*>(rows + stride * (l + 4)) = __builtin_shufflevector(both, both, 4, 5, 6, 7);
        };
        put(0, __builtin_shufflevector(xy_low, zw_low, 0, 1, 8, 9, 4, 5, 12, 13));
        put(1, __builtin_shufflevector(xy_low, zw_low, 2, 3, 10, 11, 6, 7, 14, 15));
        put(2, __builtin_shufflevector(xy_high, zw_high, 0, 1, 8, 9, 4, 5, 12, 13));
        put(3, __builtin_shufflevector(xy_high, zw_high, 2, 3, 10, 11, 6, 7, 14, 15));
    } else {
        Real x[lanes], y[lanes], z[lanes], w[lanes];
        store(columns.x, x), store(columns.y, y), store(columns.z, z), store(columns.w, w);
        for (int l = 0; l < lanes; ++l) {
            Row4<Real>& row = rows[stride * l];
            row.x = x[l], row.y = y[l], row.z = z[l], row.w = w[l];
        }
    }
}

/// The sums of the lanes of four packs, each by the same tree as sum_of_lanes.
template <class P>
TREACLE_SIMD_INLINE Row4<typename P::Real> row_of_sums(const RowPack<P>& of) {
    Row4<typename P::Real> r;
    if constexpr (P::part_lanes == 8) {
        const auto halves = [](const auto& a) TREACLE_SIMD_INLINE_LAMBDA {
            return __builtin_shufflevector(a, a, 0, 1, 2, 3) + __builtin_shufflevector(a, a, 4, 5, 6, 7);
        };
        const auto x = halves(of.x.part[0]), y = halves(of.y.part[0]), z = halves(of.z.part[0]),
                   w = halves(of.w.part[0]);
        const auto xy = __builtin_shufflevector(x, y, 0, 4, 1, 5) + __builtin_shufflevector(x, y, 2, 6, 3, 7);
        const auto zw = __builtin_shufflevector(z, w, 0, 4, 1, 5) + __builtin_shufflevector(z, w, 2, 6, 3, 7);
        *reinterpret_cast<detail::Four*>(&r) =
            __builtin_shufflevector(xy, zw, 0, 1, 4, 5) + __builtin_shufflevector(xy, zw, 2, 3, 6, 7);
    } else {
        r.x = sum_of_lanes(of.x), r.y = sum_of_lanes(of.y), r.z = sum_of_lanes(of.z), r.w = sum_of_lanes(of.w);
    }
    return r;
}

}  // namespace treacle::simd

#pragma GCC diagnostic pop
