#pragma once

#include <cstddef>
#include <string_view>

#include "core/parallel.h"
#include "simd/pack.h"

namespace treacle::simd {

/// How packs are computed on this machine. Chosen once, by the CPU; the results are the same.
enum class Choice {
    scalar,
    sse4,
    avx2,
    avx512,  ///< packs and operations of AVX2, with twice as many registers where a kernel asks (many_registers.h)
};

/// The path in use. TREACLE_SIMD in the environment (scalar, sse4, avx2 or avx512) asks for another one at the start.
Choice choice();
const char* name(Choice choice);
bool available(Choice choice);

/// Takes another path from now on, for tests and benchmarks; returns false if the CPU lacks it. Not to be called while
/// a loop runs.
bool choose(Choice choice);

/// Tells a kernel which pack it is compiled with.
template <class P>
struct Use {};

namespace detail {

// One copy of the kernel per kind of CPU. `flatten` inlines everything it calls into the copy. Functions that stay
// outside are compiled for the lowest common CPU, which is slower but never wrong.
template <class Real, class Body>
__attribute__((target("avx2"), flatten, noinline)) void run_avx2(const Body& body, std::size_t first,
                                                                 std::size_t last) {
    for (std::size_t i = first; i < last; ++i) body(Use<Pack<Avx2, Real>>{}, i);
}

template <class Real, class Body>
__attribute__((flatten, noinline)) void run_sse4(const Body& body, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) body(Use<Pack<Sse4, Real>>{}, i);
}

// The scalar path exists for comparison: its speed does not matter, but the time to compile it does.
template <class Real, class Body>
#ifndef __clang__
__attribute__((optimize("O1")))
#endif
__attribute__((noinline)) void
run_scalar(const Body& body, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) body(Use<Pack<Twin, Real>>{}, i);
}

}  // namespace detail

/// body(Use<P>, i) for first <= i < last, with P the pack of this CPU. Written once:
///   [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA { … }
template <class Real, class Body>
void run(std::size_t first, std::size_t last, const Body& body) {
#if TREACLE_SCALAR_ONLY
    detail::run_scalar<Real>(body, first, last);
#else
    switch (choice()) {
        case Choice::avx512:
        case Choice::avx2: return detail::run_avx2<Real>(body, first, last);
        case Choice::sse4: return detail::run_sse4<Real>(body, first, last);
        case Choice::scalar: return detail::run_scalar<Real>(body, first, last);
    }
#endif
}

/// The same over all i < count, on all threads; the body may write row i only.
template <class Real, class Body>
void for_each(const Parallel& parallel, std::size_t count, const Body& body) {
    parallel.for_blocks(count, Parallel::small_block,
                        [&](std::size_t first, std::size_t last, std::size_t) { run<Real>(first, last, body); });
}

/// The same over all rows of ours.
template <class Real, class Body>
void for_each(const Parallel& parallel, treacle::Rows rows, const Body& body) {
    for_each<Real>(parallel, rows.own, body);
}

}  // namespace treacle::simd
