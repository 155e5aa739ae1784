#pragma once

// Parts that both stages of Conformation share (conformation_velocities.h and conformation_positions.h).

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "blocks/elastic/conformation.h"
#include "kernels/spline_pairs.h"
#include "simd/many_registers.h"

namespace treacle {

template <class P>
TREACLE_SIMD_INLINE SymMat<P> plus(SymMat<P> m, P on_diagonal) {
    m.xx += on_diagonal, m.yy += on_diagonal, m.zz += on_diagonal;
    return m;
}

// Lane l of each number is the sum of the lanes of the same number of of(l).
template <class P, class Of>
TREACLE_SIMD_INLINE Vec3<P> vector_of_sums(const Of& of) {
    return {simd::sums_of_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const P& { return of(l).x; }),
            simd::sums_of_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const P& { return of(l).y; }),
            simd::sums_of_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const P& { return of(l).z; })};
}
template <class P, class Of>
TREACLE_SIMD_INLINE Mat3<P> matrix_of_sums(const Of& of) {
    return {vector_of_sums<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const Vec3<P>& { return of(l).x; }),
            vector_of_sums<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const Vec3<P>& { return of(l).y; }),
            vector_of_sums<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const Vec3<P>& { return of(l).z; })};
}
template <class P, class Of>
TREACLE_SIMD_INLINE SymMat<P> tensor_of_sums(const Of& of) {
    const auto number = [&](P SymMat<P>::*which) TREACLE_SIMD_INLINE_LAMBDA {
        return simd::sums_of_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const P& { return of(l).*which; });
    };
    using M = SymMat<P>;
    return {number(&M::xx), number(&M::xy), number(&M::xz), number(&M::yy), number(&M::yz), number(&M::zz)};
}

template <class S>
template <class P, bool alike>
class Conformation<S>::PairKernel {
public:
    TREACLE_SIMD_INLINE PairKernel(const Conformation& block, const FluidView<S>& fluid, const Constraints& constraints,
                                   std::size_t i)
        : spline_(block.kernel_), fluid_(fluid), compliance_(constraints.compliance),
          bonded_(constraints.rows.all_bonded()), rest_length_(alike ? nullptr : constraints.rows.rest_length(i)),
          constrained_(compliance_[i] >= 0) {}

    TREACLE_SIMD_INLINE static std::span<const std::uint32_t> row_of(const ConformationRows<S>& rows, std::size_t i) {
        return alike ? rows.neighbor_row(i) : rows.row(i);
    }

    /// f of g_ij = f x_ji, beginning at the n-th of the row; zero where one of the two has no constraint, or where both
    /// are i.
    TREACLE_SIMD_INLINE P factor(const std::uint32_t* j, std::size_t n, const Vec3<P>& r) const {
        const P distance = distance_of(n, r);
        return slope(j, distance) * (P(1) / distance);  // the division need not wait for the slope
    }

    /// The same; g_ij is also added to the sums that a frame is made of.
    TREACLE_SIMD_INLINE P add(const std::uint32_t* j, std::size_t n, const Vec3<P>& r, ShapeSums<P>& sums) const {
        const P distance = distance_of(n, r), slope_ij = slope(j, distance);
        const P factor_ij = slope_ij * (P(1) / distance);
        const Vec3<P> g = factor_ij * r;
        sums.shape.xx += r.x * g.x, sums.shape.xy += r.x * g.y, sums.shape.xz += r.x * g.z;
        sums.shape.yy += r.y * g.y, sums.shape.yz += r.y * g.z, sums.shape.zz += r.z * g.z;
        sums.gradient += g;
        if constexpr (alike) sums.squares += slope_ij * slope_ij;
        else sums.squares += dot(g, g) / simd::load_lanes<P>(fluid_.mass.data(), j);
        return factor_ij;
    }

private:
    TREACLE_SIMD_INLINE P distance_of(std::size_t n, const Vec3<P>& r) const {
        if constexpr (alike) return spline_.distance(r);
        return rest_length_ ? max(simd::load<P>(rest_length_ + n), P(spline_.least)) : spline_.distance(r);
    }

    TREACLE_SIMD_INLINE P slope(const std::uint32_t* j, P distance) const {
        const P slope = spline_.slope(distance);
        if constexpr (alike) return slope;
        constexpr Real infinite = std::numeric_limits<Real>::infinity();
        auto together = simd::load_lanes<P>(compliance_.data(), j) >= P(constrained_ ? Real(0) : infinite);
        // A particle with neighbors and a particle with connections do not interact.
        if (!rest_length_ && !bonded_.empty())
            together = together & (simd::load_lanes<P>(bonded_.data(), j) < P(Real(0.5)));
        return select(together, simd::load_lanes<P>(fluid_.volume.data(), j) * slope, P(0));
    }

    const SplinePairs<S, P> spline_;
    const FluidView<S>& fluid_;
    const std::span<const Real> compliance_, bonded_;
    const Real* const rest_length_;
    const bool constrained_;
};

template <class S>
void Conformation<S>::find_alike(const FluidView<S>& fluid, const BlockContext<S>& context,
                                 const Constraints& constraints) {
    const Parallel& parallel = context.parallel;
    alike_ = parallel.all_equal(fluid.rows(), [&](std::size_t i) { return std::pair(fluid.mass[i], fluid.volume[i]); });
    alike_ = alike_ && parallel.template sum<std::size_t>(fluid.rows(), [&](std::size_t i) {
        return std::size_t(constraints.compliance[i] < 0 || constraints.rows.bonded(i));
    }) == 0;
    const Real unit = alike_ && fluid.size() > 0 ? fluid.volume[0] : Real(1);
    pair_scale_ = -static_cast<Real>(settings.gradient_scale) * kernel_.slope_scale() * unit;
}

template <class S>
template <class Body>
void Conformation<S>::by_kind(const Body& body) const {
    if (alike_) body(std::true_type{});
    else body(std::false_type{});
}

template <class S>
template <class P, class Of>
TREACLE_SIMD_INLINE auto Conformation<S>::totals(const Of& of) const -> ShapeSums<P> {
    const P scale(pair_scale_);
    return {
        scale * tensor_of_sums<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const SymMat<P>& { return of(l).shape; }),
        scale * vector_of_sums<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const Vec3<P>& { return of(l).gradient; }),
        scale * scale *
            simd::sums_of_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const P& { return of(l).squares; })};
}

template <class S>
template <class P>
TREACLE_SIMD_INLINE auto Conformation<S>::frame_of(const Members<P>& members, const ConformationRows<S>& rows,
                                                   const ShapeSums<P>& sums) const -> Frame<P> {
    const P trace = sums.shape.trace();
    Frame<P> frame;
    frame.shape = sums.shape, frame.gradient = sums.gradient;
    // Neighbors in a line do not say how fast it turns about itself.
    frame.spin = inverse(plus(P(-1) * sums.shape, trace + P(Real(1e-4)) * trace + P(Real(1e-9))));
    const Real floor = static_cast<Real>(settings.correction_floor);
    frame.correction =
        floor > 0 && settings.corotational ? P(1 + floor) * inverse(plus(sums.shape, P(floor))) : SymMat<P>::identity();
    const P lightness = P(1) / members.mass, dim{Real(S::dim)};
    const P squares =
        (alike_ ? lightness * sums.squares : sums.squares) + lightness * dot(sums.gradient, sums.gradient);
    const P correction = (double_dot(frame.correction, frame.correction) - P(3 - S::dim)) / dim;
    const Real h = static_cast<Real>(settings.support_radius);
    // Where all gradients vanish the constraint has nothing to move, and rounding must not be divided by zero.
    const P least = P(Real(0.05)) * lightness / P(h * h);
    const P d = P(2 * dt_ * dt_) * members.volume * (correction * squares / dim + least);
    const P count = simd::from_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA {
        return static_cast<Real>(
            rows.row(members.first + (l < members.count ? static_cast<std::size_t>(l) : 0)).size());
    });
    frame.diagonal = d / min(P(static_cast<Real>(settings.neighbor_share)) / max(count, P(1)),
                             P(static_cast<Real>(settings.most_relaxation)));
    return frame;
}

template <class S>
template <class P>
TREACLE_SIMD_INLINE SymMat<P> Conformation<S>::scaled(const SymMat<P>& tensor, P of_shear, P of_volume) const {
    const SymMat<P> unit = S::dim == 2 ? SymMat<P>{1, 0, 0, 1, 0, 0} : SymMat<P>::identity();
    const P mean = (S::dim == 2 ? tensor.xx + tensor.yy : tensor.trace()) / P(Real(S::dim));
    const SymMat<P> shear = of_shear * (tensor - mean * unit);
    return settings.hydrostatic ? shear + (of_volume * mean) * unit : shear;
}

template <class S>
template <class P>
TREACLE_SIMD_INLINE SymMat<P> Conformation<S>::compliant(const SymMat<P>& stress, P compliance) const {
    return scaled(stress, compliance, compliance / P(static_cast<Real>(settings.hydrostatic_ratio)));
}

template <class S>
template <class P>
TREACLE_SIMD_INLINE SymMat<P> Conformation<S>::preconditioned(const SymMat<P>& residual, P compliance,
                                                              P diagonal) const {
    const P of_volume = compliance / P(static_cast<Real>(settings.hydrostatic_ratio));
    const auto constrained = compliance >= P(0);
    return scaled(residual, select(constrained, P(1) / (diagonal + compliance), P(0)),
                  select(constrained, P(1) / (diagonal + of_volume), P(0)));
}

template <class S>
template <class P>
TREACLE_SIMD_INLINE Mat3<P> Conformation<S>::add_stress(std::size_t g, const Frame<P>& frame, const SymMat<P>& strain,
                                                        P compliance) {
    const SymMat<P> before = simd::load<P>(stress_[g]);
    const SymMat<P> change = preconditioned(strain - compliant(before, compliance), compliance, frame.diagonal);
    simd::store(before + change, stress_[g]);
    return adjoint(frame, change);
}

template <class S>
template <class P>
TREACLE_SIMD_INLINE Mat3<P> Conformation<S>::adjoint(const Frame<P>& frame, const SymMat<P>& stress) const {
    const Mat3<P> p = Mat3<P>::from(stress) * Mat3<P>::from(frame.correction);
    if (!settings.corotational) return p;
    return p - Mat3<P>::crossing(frame.spin * twist(p * Mat3<P>::from(frame.shape)));
}

template <class S>
template <class P>
TREACLE_SIMD_INLINE void Conformation<S>::store_pushes(std::size_t g, int members, const Mat3<P>& p,
                                                       const Vec3<P>& gradient, std::span<const Row> position) {
    const simd::RowPack<P> beside = simd::load_group<P>(position, g, members);
    Row* const rows = push_.data() + 4 * simd::lanes * g;
    simd::store_rows<P, 4>({p.x.x, p.x.y, p.x.z, beside.x}, rows);
    simd::store_rows<P, 4>({p.y.x, p.y.y, p.y.z, beside.y}, rows + 1);
    simd::store_rows<P, 4>({p.z.x, p.z.y, p.z.z, beside.z}, rows + 2);
    const Vec3<P> own = p * gradient;
    simd::store_rows<P, 4>({own.x, own.y, own.z, P(0)}, rows + 3);
}

/// P_j of eight neighbors, and x_j, which stands beside its rows.
template <class S>
template <class P>
struct Conformation<S>::Pushes {
    TREACLE_SIMD_INLINE Pushes(const Row* push, const std::uint32_t* j)
        : x(simd::load_rows<P, 4>(push, j)), y(simd::load_rows<P, 4>(push + 1, j)),
          z(simd::load_rows<P, 4>(push + 2, j)) {}
    /// x_j - x
    TREACLE_SIMD_INLINE Vec3<P> from(const Vec& place) const {
        return {x.w - P(place.x), y.w - P(place.y), z.w - P(place.z)};
    }
    TREACLE_SIMD_INLINE Vec3<P> times(const Vec3<P>& g) const {
        return {dot(x.xyz(), g), dot(y.xyz(), g), dot(z.xyz(), g)};
    }
    simd::RowPack<P> x, y, z;
};

}  // namespace treacle
