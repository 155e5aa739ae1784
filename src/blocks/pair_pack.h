#pragma once

#include <cstdint>
#include <span>

#include "blocks/pair.h"
#include "neighbors/row_pack.h"
#include "simd/dispatch.h"
#include "simd/load.h"

namespace treacle {

/// Eight neighbors as particle i sees them. A lane that holds no pair within the support radius has q = 1 and direction
/// zero, so that whatever carries the factor 1-q or the direction vanishes there. Everything is bitwise symmetric in i
/// and j, the direction exactly opposite.
template <class S, class P>
struct PairPack {
    std::size_t i;
    const std::uint32_t* j;  ///< storage indices of all eight lanes; those that hold no pair repeat others or i
    simd::Mask<P> within;    ///< lanes that hold a pair
    P distance;
    P q;        ///< distance / support radius
    Vec3<P> r;  ///< x_j - x_i
    const std::uint32_t* id;

    /// Unit vectors from i to j.
    TREACLE_SIMD_INLINE Vec3<P> direction() const {
        const auto apart = within & (distance > P(0));
        const P inverse = select(apart, P(1) / distance, P(0));
        Vec3<P> result{r.x * inverse, r.y * inverse, r.z * inverse};
        if (__builtin_expect(apart.bits() != within.bits(), 0)) {
            Vec3<P> mended = result;  // a copy: taking the address of `result` would keep it out of registers
            separate_coincident(within.bits() & ~apart.bits(), mended);
            result = mended;
        }
        return result;
    }

private:
    __attribute__((noinline)) void separate_coincident(unsigned coincident, Vec3<P>& result) const {
        for (int l = 0; l < simd::lanes; ++l) {
            if (!(coincident >> l & 1u)) continue;
            const auto d = direction_from_ids<S>(id[i], id[j[l]]);
            result.x.set_lane(l, d.x);
            result.y.set_lane(l, d.y);
            result.z.set_lane(l, d.z);
        }
    }
};

/// x_j - x of eight particles as seen from a place x, or from particle i, and its length.
template <class P>
TREACLE_SIMD_INLINE Vec3<P> offsets(std::span<const Row4<typename P::Real>> position, Vec3<typename P::Real> x,
                                    const std::uint32_t* j) {
    const auto x_j = simd::load_rows<P>(position.data(), j);
    return {x_j.x - P(x.x), x_j.y - P(x.y), x_j.z - P(x.z)};
}
template <class P>
TREACLE_SIMD_INLINE Vec3<P> offsets(std::span<const Row4<typename P::Real>> position, std::size_t i,
                                    const std::uint32_t* j) {
    return offsets<P>(position, position[i].xyz(), j);
}

template <class P>
TREACLE_SIMD_INLINE P distances(std::span<const Row4<typename P::Real>> position, std::size_t i,
                                const std::uint32_t* j) {
    const Vec3<P> r = offsets<P>(position, i, j);
    return sqrt((r.x * r.x + r.y * r.y) + r.z * r.z);
}

/// kernel(PairPack) for the neighbors of i, eight at a time in row order.
template <class S, class P, class Kernel>
TREACLE_SIMD_INLINE void for_each_pair_pack(std::size_t i, std::span<const std::uint32_t> row,
                                            std::span<const typename S::Row> position,
                                            std::span<const std::uint32_t> id, typename S::Real h,
                                            const Kernel& kernel) {
    const P inverse_h(1 / h);
    for_each_eight(i, row, [&](const std::uint32_t* j, int count, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
        const Vec3<P> r = offsets<P>(position, i, j);
        const P distance = sqrt((r.x * r.x + r.y * r.y) + r.z * r.z);
        const P q = distance * inverse_h;
        simd::Mask<P> within = q < P(1);
        if (count < simd::lanes) within = within & simd::first_lanes<P>(count);
        kernel(PairPack<S, P>{i, j, within, distance, select(within, q, P(1)), r, id.data()});
    });
}

/// share_of for eight neighbors. Equal masses, the common case, are found out once and spare loads and a division; one
/// half is also what the division would give.
template <class Real>
class MassShares {
public:
    explicit MassShares(std::span<const Real> mass) : mass_(mass) {
        for (const Real m : mass) equal_ &= m == mass.front();
    }

    template <class P>
    TREACLE_SIMD_INLINE P of(std::size_t i, const std::uint32_t* j) const {
        if (equal_) return P(Real(0.5));
        const P mass_j = simd::load_lanes<P>(mass_.data(), j);
        return mass_j / (P(mass_[i]) + mass_j);
    }

private:
    std::span<const Real> mass_;
    bool equal_ = true;
};

/// A column that is usually the same for all particles; then it need not be gathered.
template <class Real>
class MaybeUniform {
public:
    explicit MaybeUniform(std::span<const Real> values) : values_(values) {
        for (const Real value : values) uniform_ &= value == values.front();
    }
    bool uniform() const { return uniform_; }
    template <class P>
    TREACLE_SIMD_INLINE P of(const std::uint32_t* j) const {
        return uniform_ ? P(values_.front()) : simd::load_lanes<P>(values_.data(), j);
    }

private:
    std::span<const Real> values_;
    bool uniform_ = true;
};

/// value(material of i, material of j) for eight neighbors; with a single material it is asked once.
template <class P, class Value>
TREACLE_SIMD_INLINE P by_materials(std::span<const std::uint8_t> material, std::size_t materials, std::size_t i,
                                   const std::uint32_t* j, const Value& value) {
    if (materials == 1) return P(value(0, 0));
    return simd::from_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA { return value(material[i], material[j[l]]); });
}

/// Sum of the lanes of each component.
template <class P>
TREACLE_SIMD_INLINE Vec3<typename P::Real> sum_of_lanes(const Vec3<P>& a) {
    return {sum_of_lanes(a.x), sum_of_lanes(a.y), sum_of_lanes(a.z)};
}

}  // namespace treacle
