#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "math/mat3.h"
#include "math/sym_mat.h"
#include "math/vec.h"
#include "simd/dispatch.h"
#include "simd/load.h"

namespace treacle::simd {

// Work per particle (not per pair), eight particles at a time: group g holds particles 8g … 8g + 7, one per lane. The
// tensors of a group are stored component by component, as SymMat<Lanes<Real>>.

/// Eight numbers in memory, one per particle of a group.
template <class Real>
struct alignas(lanes * sizeof(Real)) Lanes {
    Real lane[lanes] = {};
};

inline std::size_t groups_of(std::size_t particles) { return (particles + lanes - 1) / lanes; }

/// body(Use<P>, g, members) for all groups, on all threads. The last may have fewer than eight members; results of its
/// other lanes are not used.
template <class Real, class Body>
void for_each_group(const Parallel& parallel, std::size_t particles, const Body& body) {
    parallel.for_blocks(groups_of(particles), Parallel::small_block / lanes,
                        [&](std::size_t first, std::size_t last, std::size_t) {
                            run<Real>(first, last, [&]<class P>(Use<P> use, std::size_t g) TREACLE_SIMD_INLINE_LAMBDA {
                                body(use, g, static_cast<int>(std::min<std::size_t>(lanes, particles - g * lanes)));
                            });
                        });
}

/// The same over all rows of ours.
template <class Real, class Body>
void for_each_group(const Parallel& parallel, treacle::Rows rows, const Body& body) {
    for_each_group<Real>(parallel, rows.own, body);
}

template <class P>
TREACLE_SIMD_INLINE P load(const Lanes<typename P::Real>& from) {
    return load<P>(from.lane);
}
template <class P>
TREACLE_SIMD_INLINE SymMat<P> load(const SymMat<Lanes<typename P::Real>>& from) {
    return {load<P>(from.xx), load<P>(from.xy), load<P>(from.xz), load<P>(from.yy), load<P>(from.yz), load<P>(from.zz)};
}

template <class P>
TREACLE_SIMD_INLINE void store(const P& pack, Lanes<typename P::Real>& to) {
    store(pack, to.lane);
}
template <class P>
TREACLE_SIMD_INLINE void store(const SymMat<P>& m, SymMat<Lanes<typename P::Real>>& to) {
    store(m.xx, to.xx), store(m.xy, to.xy), store(m.xz, to.xz);
    store(m.yy, to.yy), store(m.yz, to.yz), store(m.zz, to.zz);
}

/// Numbers or tensors of a column, for the members of a group; lanes without a member repeat the first.
template <class P>
TREACLE_SIMD_INLINE P load_group(std::span<const typename P::Real> column, std::size_t g, int members) {
    const typename P::Real* first = column.data() + g * lanes;
    if (members == lanes) return load<P>(first);
    return from_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA { return first[l < members ? l : 0]; });
}
template <class P>
TREACLE_SIMD_INLINE SymMat<P> load_group(std::span<const SymMat<typename P::Real>> column, std::size_t g, int members) {
    using Real = typename P::Real;
    const SymMat<Real>* first = column.data() + g * lanes;
    const auto of = [&](Real SymMat<Real>::*number) TREACLE_SIMD_INLINE_LAMBDA {
        return from_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA { return first[l < members ? l : 0].*number; });
    };
    using M = SymMat<Real>;
    return {of(&M::xx), of(&M::xy), of(&M::xz), of(&M::yy), of(&M::yz), of(&M::zz)};
}

template <class P>
TREACLE_SIMD_INLINE RowPack<P> load_group(std::span<const Row4<typename P::Real>> column, std::size_t g, int members) {
    std::uint32_t member[lanes];
    for (int l = 0; l < lanes; ++l) member[l] = l < members ? static_cast<std::uint32_t>(l) : 0;
    return load_rows<P>(column.data() + g * lanes, member);
}

/// Writes the rows of a group's members to a column; with a stride, every stride-th row belongs to a particle.
template <class P, int stride = 1>
TREACLE_SIMD_INLINE void store_group(const Vec3<P>& vectors, std::size_t g, int members,
                                     std::span<Row4<typename P::Real>> column) {
    typename P::Real x[lanes], y[lanes], z[lanes];
    store(vectors.x, x), store(vectors.y, y), store(vectors.z, z);
    Row4<typename P::Real>* row = column.data() + std::size_t(stride) * g * lanes;
    for (int l = 0; l < members; ++l) row[stride * l] = Vec3<typename P::Real>{x[l], y[l], z[l]};
}

/// The tensor of one lane.
template <class P>
TREACLE_SIMD_INLINE SymMat<typename P::Real> lane(const SymMat<P>& m, int l) {
    return {m.xx.lane(l), m.xy.lane(l), m.xz.lane(l), m.yy.lane(l), m.yz.lane(l), m.zz.lane(l)};
}

/// Lane l of the result is the sum of the lanes of pack(l), by the same tree as sum_of_lanes.
template <class P, class PackOf>
TREACLE_SIMD_INLINE P sums_of_lanes(const PackOf& pack) {
    if constexpr (P::part_lanes == 8) {
        // Adds the halves of two packs side by side; then transposes four by four and adds.
        const auto halves = [&](int l) TREACLE_SIMD_INLINE_LAMBDA {
            const P a = pack(l), b = pack(l + 4);
            P r;
            r.part[0] = __builtin_shufflevector(a.part[0], b.part[0], 0, 1, 2, 3, 8, 9, 10, 11) +
                        __builtin_shufflevector(a.part[0], b.part[0], 4, 5, 6, 7, 12, 13, 14, 15);
            return r;
        };
        const auto s0 = halves(0).part[0], s1 = halves(1).part[0], s2 = halves(2).part[0], s3 = halves(3).part[0];
        const auto a = __builtin_shufflevector(s0, s1, 0, 8, 1, 9, 4, 12, 5, 13) +
                       __builtin_shufflevector(s0, s1, 2, 10, 3, 11, 6, 14, 7, 15);
        const auto b = __builtin_shufflevector(s2, s3, 0, 8, 1, 9, 4, 12, 5, 13) +
                       __builtin_shufflevector(s2, s3, 2, 10, 3, 11, 6, 14, 7, 15);
        P r;
        r.part[0] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13) +
                    __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
        return r;
    } else {
        return from_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA { return sum_of_lanes(pack(l)); });
    }
}

}  // namespace treacle::simd
