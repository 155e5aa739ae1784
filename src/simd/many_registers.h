#pragma once

#include <algorithm>

#include "simd/groups.h"

namespace treacle::simd {

namespace detail {

template <class Real, class Body>
__attribute__((target("avx2,avx512f,avx512vl,avx512bw,avx512dq"), flatten, noinline)) void run_avx512(
    const Body& body, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) body(Use<Pack<Avx2, Real>>{}, i);
}

}  // namespace detail

/// The loops of dispatch.h and groups.h for kernels with more sums than AVX2 has registers. A CPU that has twice as
/// many uses them, with the same packs and operations. This saves a tenth of the time of such passes; every use takes
/// longer to compile.
namespace many_registers {

template <class Real, class Body>
void run(std::size_t first, std::size_t last, const Body& body) {
#if !TREACLE_SCALAR_ONLY
    if (choice() == Choice::avx512) return detail::run_avx512<Real>(body, first, last);
#endif
    simd::run<Real>(first, last, body);
}

template <class Real, class Body>
void for_each(const Parallel& parallel, std::size_t count, const Body& body) {
    parallel.for_blocks(count, Parallel::small_block,
                        [&](std::size_t first, std::size_t last, std::size_t) { run<Real>(first, last, body); });
}

template <class Real, class Body>
void for_each_group(const Parallel& parallel, std::size_t particles, const Body& body) {
    parallel.for_blocks(groups_of(particles), Parallel::small_block / lanes,
                        [&](std::size_t first, std::size_t last, std::size_t) {
                            run<Real>(first, last, [&]<class P>(Use<P> use, std::size_t g) TREACLE_SIMD_INLINE_LAMBDA {
                                body(use, g, static_cast<int>(std::min<std::size_t>(lanes, particles - g * lanes)));
                            });
                        });
}

template <class Real, class Body>
void for_each(const Parallel& parallel, treacle::Rows rows, const Body& body) {
    for_each<Real>(parallel, rows.own, body);
}

template <class Real, class Body>
void for_each_group(const Parallel& parallel, treacle::Rows rows, const Body& body) {
    for_each_group<Real>(parallel, rows.own, body);
}

}  // namespace many_registers
}  // namespace treacle::simd
