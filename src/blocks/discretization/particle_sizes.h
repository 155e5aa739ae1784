#pragma once

#include <cassert>
#include <cstdint>
#include <span>

#include "blocks/pair_pack.h"
#include "core/promises.h"
#include "math/space.h"

namespace treacle {

/// How the sums over two particles of unequal size differ from those over equal ones. With the size s of a particle,
/// its spacing over that of the scene, d dimensions and s_ij the mean of both:
///
///   w_ij = (s_j/s_ij)^d w(r/s_ij)       sums over neighbors: each counts by its volume, the radius is that of the pair
///   C_ij = (s_i s_j/s_ij)^d
///     volume of the pair, for its dashpot for example, in units of the volume of a whole particle
template <class T>
struct PairSize {
    T shrink = T(1);  ///< 1/s_ij: factor of distances before they are weighted
    T share = T(1);   ///< (s_j/s_ij)^d
    T mutual = T(1);  ///< C_ij over the mean of both volumes
    T other = T(1);   ///< (s_i/s_j)^d: turns the share of j for i into that of i for j
};

/// Sizes by particle; none: all are whole, and all factors 1.
template <class S>
class ParticleSizes {
public:
    using Real = typename S::Real;

    ParticleSizes() = default;
    explicit ParticleSizes(std::span<const Real> size) : size_(size) { assert(promises::positive(size)); }

    bool equal() const { return size_.empty(); }
    std::size_t size() const { return size_.size(); }  ///< particles with a size of their own; 0: all are whole
    Real operator[](std::size_t i) const { return equal() ? Real(1) : size_[i]; }
    Real mean(std::size_t i, std::size_t j) const { return equal() ? Real(1) : Real(0.5) * (size_[i] + size_[j]); }

    /// Of i with the particles j that a pack holds.
    template <class P>
    TREACLE_SIMD_INLINE PairSize<P> pair(std::size_t i, const std::uint32_t* j) const {
        if (equal()) return {};
        return of(P(size_[i]), simd::load_lanes<P>(size_.data(), j));
    }
    PairSize<Real> pair(std::size_t i, std::size_t j) const {
        return equal() ? PairSize<Real>{} : of(size_[i], size_[j]);
    }
    /// Of i with particles of walls, which are whole.
    PairSize<Real> with_wall(std::size_t i) const { return equal() ? PairSize<Real>{} : of(size_[i], Real(1)); }

private:
    template <class T>
    static TREACLE_SIMD_INLINE T volume(const T& size) {
        return S::dim == 2 ? size * size : size * size * size;
    }
    template <class T>
    static TREACLE_SIMD_INLINE PairSize<T> of(const T& i, const T& j) {
        const T mean = T(Real(0.5)) * (i + j), v_i = volume(i), v_j = volume(j), v_mean = volume(mean);
        return {T(1) / mean, v_j / v_mean, (v_i * v_j) / (v_mean * (T(Real(0.5)) * (v_i + v_j))), v_i / v_j};
    }

    std::span<const Real> size_;
};

}  // namespace treacle
