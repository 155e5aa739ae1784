#pragma once

#include <immintrin.h>

#include <cstdint>
#include <type_traits>
#include <utility>

/// Everything on packs must be inlined into the function that was compiled for the CPU at hand (see dispatch.h): a call
/// left in between would be compiled for the lowest common CPU. Builds with the scalar path alone have no such need,
/// and sanitizers take minutes for functions that are this long.
#if TREACLE_SCALAR_ONLY
#define TREACLE_SIMD_INLINE inline
#define TREACLE_SIMD_INLINE_LAMBDA
#else
#define TREACLE_SIMD_INLINE __attribute__((always_inline)) inline
#define TREACLE_SIMD_INLINE_LAMBDA __attribute__((always_inline))  // between a lambda's parameters and its body
#endif

// gcc warns of registers of 32 bytes between functions for CPUs that lack them. There are none: everything is inlined
// into one.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace treacle::simd {

/// Lanes of every pack, on every CPU.
inline constexpr int lanes = 8;

/// The ways to carry out the operations of a pack. All give the same bits.
struct Twin {};  ///< eight plain numbers: the oracle, and the path without SIMD
struct Sse4 {};  ///< halves (float) or quarters (double) of 16 bytes
struct Avx2 {};  ///< one register (float) or two (double) of 32 bytes

namespace detail {

// Registers as vectors of the compiler (gcc and clang alike): + - * / and comparisons are lane by lane.
template <class Path, class Real>
struct PartOf;
template <class Real>
struct PartOf<Twin, Real> {
    using Type = Real;
};
template <class Real>
struct PartOf<Sse4, Real> {
    typedef Real Type __attribute__((vector_size(16)));
};
template <class Real>
struct PartOf<Avx2, Real> {
    typedef Real Type __attribute__((vector_size(32)));
};

using Float4 = PartOf<Sse4, float>::Type;
using Float8 = PartOf<Avx2, float>::Type;
using Double2 = PartOf<Sse4, double>::Type;
using Double4 = PartOf<Avx2, double>::Type;

/// body(p) for every part of a pack, written out: compilers take twice as long to unroll loops of two or four rounds.
/// The eight numbers of the twin stay a loop.
template <int parts, class Body>
TREACLE_SIMD_INLINE void for_parts(const Body& body) {
    if constexpr (parts == 1) {
        body(0);
    } else if constexpr (parts == 2) {
        body(0), body(1);
    } else if constexpr (parts == 4) {
        body(0), body(1), body(2), body(3);
    } else {
        for (int p = 0; p < parts; ++p) body(p);
    }
}

// Registers of 32 bytes are put together from halves: listed number by number, gcc assembles them one lane at a time.
TREACLE_SIMD_INLINE void join(const Float4& low, const Float4& high, Float8& r) {
    r = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
TREACLE_SIMD_INLINE void join(const Double2& low, const Double2& high, Double4& r) {
    r = __builtin_shufflevector(low, high, 0, 1, 2, 3);
}

TREACLE_SIMD_INLINE void fill(float x, float& r) { r = x; }
TREACLE_SIMD_INLINE void fill(double x, double& r) { r = x; }
TREACLE_SIMD_INLINE void fill(float x, Float4& r) { r = Float4{x, x, x, x}; }
TREACLE_SIMD_INLINE void fill(double x, Double2& r) { r = Double2{x, x}; }
TREACLE_SIMD_INLINE void fill(float x, Float8& r) {
#ifndef __clang__
    r = (Float8)__builtin_ia32_vbroadcastss_ps256((__m128)Float4{x});  // gcc does not find it by itself
#else
    const Float4 half{x, x, x, x};
    join(half, half, r);
#endif
}
TREACLE_SIMD_INLINE void fill(double x, Double4& r) {
    const Double2 half{x, x};
    join(half, half, r);
}

}  // namespace detail

template <class PackType>
class Mask;

/// Eight numbers on which a pair kernel works at once. Only correctly rounded operations exist here, so a kernel has
/// the same bits on every path: no fused multiply-add, no approximate reciprocals.
template <class PathType, class RealType>
class Pack {
public:
    using Path = PathType;
    using Real = RealType;
    using Part = typename detail::PartOf<Path, Real>::Type;
    using Bools = Mask<Pack>;
    static constexpr int part_lanes = static_cast<int>(sizeof(Part) / sizeof(Real));
    static constexpr int parts = lanes / part_lanes;

    TREACLE_SIMD_INLINE Pack() : part{} {}
    /// The same number in all lanes.
    TREACLE_SIMD_INLINE Pack(Real x) {
        detail::for_parts<parts>([&](int p) TREACLE_SIMD_INLINE_LAMBDA { detail::fill(x, part[p]); });
    }
    // Written out so that packs are passed in memory where a call is left: registers of 32 bytes would change the
    // calling convention between functions compiled for different CPUs.
    TREACLE_SIMD_INLINE Pack(const Pack& other) {
        detail::for_parts<parts>([&](int p) TREACLE_SIMD_INLINE_LAMBDA { part[p] = other.part[p]; });
    }
    TREACLE_SIMD_INLINE Pack& operator=(const Pack& other) {
        detail::for_parts<parts>([&](int p) TREACLE_SIMD_INLINE_LAMBDA { part[p] = other.part[p]; });
        return *this;
    }

    TREACLE_SIMD_INLINE Real lane(int l) const {
        if constexpr (part_lanes == 1) return part[l];
        else return part[l / part_lanes][l % part_lanes];
    }
    TREACLE_SIMD_INLINE void set_lane(int l, Real x) {
        if constexpr (part_lanes == 1) part[l] = x;
        else part[l / part_lanes][l % part_lanes] = x;
    }

    friend TREACLE_SIMD_INLINE Pack operator+(const Pack& a, const Pack& b) {
        Pack r;
        detail::for_parts<parts>([&](int p) TREACLE_SIMD_INLINE_LAMBDA { r.part[p] = a.part[p] + b.part[p]; });
        return r;
    }
    friend TREACLE_SIMD_INLINE Pack operator-(const Pack& a, const Pack& b) {
        Pack r;
        detail::for_parts<parts>([&](int p) TREACLE_SIMD_INLINE_LAMBDA { r.part[p] = a.part[p] - b.part[p]; });
        return r;
    }
    friend TREACLE_SIMD_INLINE Pack operator*(const Pack& a, const Pack& b) {
        Pack r;
        detail::for_parts<parts>([&](int p) TREACLE_SIMD_INLINE_LAMBDA { r.part[p] = a.part[p] * b.part[p]; });
        return r;
    }
    friend TREACLE_SIMD_INLINE Pack operator/(const Pack& a, const Pack& b) {
        Pack r;
        detail::for_parts<parts>([&](int p) TREACLE_SIMD_INLINE_LAMBDA { r.part[p] = a.part[p] / b.part[p]; });
        return r;
    }
    friend TREACLE_SIMD_INLINE Pack operator-(const Pack& a) {
        Pack r;
        detail::for_parts<parts>([&](int p) TREACLE_SIMD_INLINE_LAMBDA { r.part[p] = -a.part[p]; });
        return r;
    }
    TREACLE_SIMD_INLINE Pack& operator+=(const Pack& b) { return *this = *this + b; }
    TREACLE_SIMD_INLINE Pack& operator-=(const Pack& b) { return *this = *this - b; }
    TREACLE_SIMD_INLINE Pack& operator*=(const Pack& b) { return *this = *this * b; }

    friend TREACLE_SIMD_INLINE Bools operator<(const Pack& a, const Pack& b) {
        Bools r;
        detail::for_parts<parts>([&](int p) TREACLE_SIMD_INLINE_LAMBDA { r.part[p] = a.part[p] < b.part[p]; });
        return r;
    }
    friend TREACLE_SIMD_INLINE Bools operator<=(const Pack& a, const Pack& b) {
        Bools r;
        detail::for_parts<parts>([&](int p) TREACLE_SIMD_INLINE_LAMBDA { r.part[p] = a.part[p] <= b.part[p]; });
        return r;
    }
    friend TREACLE_SIMD_INLINE Bools operator>(const Pack& a, const Pack& b) { return b < a; }
    friend TREACLE_SIMD_INLINE Bools operator>=(const Pack& a, const Pack& b) { return b <= a; }
    friend TREACLE_SIMD_INLINE Bools equal(const Pack& a, const Pack& b) {
        Bools r;
        detail::for_parts<parts>([&](int p) TREACLE_SIMD_INLINE_LAMBDA { r.part[p] = a.part[p] == b.part[p]; });
        return r;
    }

    /// Like std::min and std::max: if both are equal, or one is NaN, the first.
    friend TREACLE_SIMD_INLINE Pack min(const Pack& a, const Pack& b) {
        Pack r;
        detail::for_parts<parts>([&](int p) TREACLE_SIMD_INLINE_LAMBDA { part_min(a.part[p], b.part[p], r.part[p]); });
        return r;
    }
    friend TREACLE_SIMD_INLINE Pack max(const Pack& a, const Pack& b) {
        Pack r;
        detail::for_parts<parts>([&](int p) TREACLE_SIMD_INLINE_LAMBDA { part_max(a.part[p], b.part[p], r.part[p]); });
        return r;
    }
    friend TREACLE_SIMD_INLINE Pack sqrt(const Pack& a) {
        Pack r;
        detail::for_parts<parts>([&](int p) TREACLE_SIMD_INLINE_LAMBDA { part_sqrt(a.part[p], r.part[p]); });
        return r;
    }

    /// Sum of all lanes, always by the same tree: ((0+4)+(2+6)) + ((1+5)+(3+7)).
    friend TREACLE_SIMD_INLINE Real sum_of_lanes(const Pack& a) {
        if constexpr (part_lanes == 8) {
            const auto four = __builtin_shufflevector(a.part[0], a.part[0], 0, 1, 2, 3) +
                              __builtin_shufflevector(a.part[0], a.part[0], 4, 5, 6, 7);
            return (four[0] + four[2]) + (four[1] + four[3]);
        } else if constexpr (part_lanes == 4) {
            const Part four = a.part[0] + a.part[1];
            return (four[0] + four[2]) + (four[1] + four[3]);
        } else if constexpr (part_lanes == 2) {
            const Part two = (a.part[0] + a.part[2]) + (a.part[1] + a.part[3]);
            return two[0] + two[1];
        } else {
            return ((a.part[0] + a.part[4]) + (a.part[2] + a.part[6])) +
                   ((a.part[1] + a.part[5]) + (a.part[3] + a.part[7]));
        }
    }

    Part part[parts];

private:
    // The CPU's own min and max also give the second where neither is less. gcc does not find them by itself.
    static TREACLE_SIMD_INLINE void part_min(const Part& a, const Part& b, Part& r) {
#ifndef __clang__
        if constexpr (part_lanes == 8) r = (Part)__builtin_ia32_minps256((__m256)b, (__m256)a);
        else if constexpr (part_lanes == 4 && sizeof(Real) == 4) r = (Part)_mm_min_ps((__m128)b, (__m128)a);
        else
#endif
            r = b < a ? b : a;
    }
    static TREACLE_SIMD_INLINE void part_max(const Part& a, const Part& b, Part& r) {
#ifndef __clang__
        if constexpr (part_lanes == 8) r = (Part)__builtin_ia32_maxps256((__m256)b, (__m256)a);
        else if constexpr (part_lanes == 4 && sizeof(Real) == 4) r = (Part)_mm_max_ps((__m128)b, (__m128)a);
        else
#endif
            r = a < b ? b : a;
    }
    static TREACLE_SIMD_INLINE void part_sqrt(const Part& a, Part& r) {
        if constexpr (part_lanes == 1) {
            r = root(a);
        } else if constexpr (std::is_same_v<Path, Sse4>) {
            if constexpr (sizeof(Real) == 4) r = (Part)_mm_sqrt_ps((__m128)a);
            else r = (Part)_mm_sqrt_pd((__m128d)a);
        } else if constexpr (part_lanes == 8) {  // compilers make one instruction of this
            r = Part{root(a[0]), root(a[1]), root(a[2]), root(a[3]), root(a[4]), root(a[5]), root(a[6]), root(a[7])};
        } else {
            r = Part{root(a[0]), root(a[1]), root(a[2]), root(a[3])};
        }
    }
    static TREACLE_SIMD_INLINE float root(float x) { return __builtin_sqrtf(x); }
    static TREACLE_SIMD_INLINE double root(double x) { return __builtin_sqrt(x); }
};

/// Yes or no per lane: the result of comparing two packs.
template <class PackType>
class Mask {
public:
    using Part = std::remove_cvref_t<decltype(std::declval<typename PackType::Part>() <
                                              std::declval<typename PackType::Part>())>;
    static constexpr int parts = PackType::parts;
    static constexpr int part_lanes = PackType::part_lanes;

    TREACLE_SIMD_INLINE Mask() : part{} {}
    TREACLE_SIMD_INLINE Mask(const Mask& other) {
        detail::for_parts<parts>([&](int p) TREACLE_SIMD_INLINE_LAMBDA { part[p] = other.part[p]; });
    }
    TREACLE_SIMD_INLINE Mask& operator=(const Mask& other) {
        detail::for_parts<parts>([&](int p) TREACLE_SIMD_INLINE_LAMBDA { part[p] = other.part[p]; });
        return *this;
    }

    friend TREACLE_SIMD_INLINE Mask operator&(const Mask& a, const Mask& b) {
        Mask r;
        detail::for_parts<parts>(
            [&](int p) TREACLE_SIMD_INLINE_LAMBDA { r.part[p] = static_cast<Part>(a.part[p] & b.part[p]); });
        return r;
    }
    friend TREACLE_SIMD_INLINE Mask operator|(const Mask& a, const Mask& b) {
        Mask r;
        detail::for_parts<parts>(
            [&](int p) TREACLE_SIMD_INLINE_LAMBDA { r.part[p] = static_cast<Part>(a.part[p] | b.part[p]); });
        return r;
    }

    /// Bit l is lane l.
    TREACLE_SIMD_INLINE unsigned bits() const {
        unsigned all = 0;
        detail::for_parts<parts>([&](int p)
                                     TREACLE_SIMD_INLINE_LAMBDA { all |= part_bits(part[p]) << (p * part_lanes); });
        return all;
    }
    TREACLE_SIMD_INLINE bool any() const { return bits() != 0; }
    TREACLE_SIMD_INLINE bool all() const { return bits() == 0xFFu; }
    TREACLE_SIMD_INLINE int count() const { return __builtin_popcount(bits()); }

    Part part[parts];

private:
    static TREACLE_SIMD_INLINE unsigned part_bits(const Part& m) {
        if constexpr (part_lanes == 1) {
            return m ? 1u : 0u;
        } else if constexpr (sizeof(Part) == 16) {
            if constexpr (part_lanes == 4) return static_cast<unsigned>(_mm_movemask_ps((__m128)m));
            else return static_cast<unsigned>(_mm_movemask_pd((__m128d)m));
#ifndef __clang__
        } else if constexpr (part_lanes == 8) {
            return static_cast<unsigned>(__builtin_ia32_movmskps256((__m256)m));
        } else {
            return static_cast<unsigned>(__builtin_ia32_movmskpd256((__m256d)m));
        }
#else  // by halves: clang allows the instruction for all lanes only in a function that names AVX itself
        } else if constexpr (part_lanes == 8) {
            const auto low = __builtin_shufflevector(m, m, 0, 1, 2, 3);
            const auto high = __builtin_shufflevector(m, m, 4, 5, 6, 7);
            return static_cast<unsigned>(_mm_movemask_ps((__m128)low) | _mm_movemask_ps((__m128)high) << 4);
        } else {
            const auto low = __builtin_shufflevector(m, m, 0, 1);
            const auto high = __builtin_shufflevector(m, m, 2, 3);
            return static_cast<unsigned>(_mm_movemask_pd((__m128d)low) | _mm_movemask_pd((__m128d)high) << 2);
        }
#endif
    }
};

/// Lane by lane: yes where the mask says so, else no.
template <class P>
TREACLE_SIMD_INLINE P select(const Mask<P>& mask, const P& yes, const P& no) {
    P r;
    detail::for_parts<P::parts>(
        [&](int p) TREACLE_SIMD_INLINE_LAMBDA { r.part[p] = mask.part[p] ? yes.part[p] : no.part[p]; });
    return r;
}

/// The same for plain numbers, so that a formula may be written once for both.
template <class Real>
requires std::is_floating_point_v<Real>
constexpr Real select(bool mask, Real yes, Real no) { return mask ? yes : no; }

}  // namespace treacle::simd

#pragma GCC diagnostic pop
