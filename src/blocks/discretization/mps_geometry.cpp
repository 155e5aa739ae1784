#include "blocks/discretization/mps_geometry.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/promises.h"
#include "kernels/lattice_sums.h"
#include "neighbors/nearest_image.h"

namespace treacle {

namespace {

constexpr double few_around = 0.97;   // n/n0 below which a particle may be at the surface
constexpr double nearly_alone = 0.3;  // n/n0 below which it is in any case
constexpr double half_cone = 0.7071;  // cosine of half the opening of the cone that is empty above a surface
constexpr double flat = 0.108;        // det of Σ x cᵀ, 1 on a lattice, below which it is not inverted

template <class P>
struct CloseSums {
    P weight{};
    Vec3<P> side{};
    SymMat<P> spread{};
};

template <class P>
TREACLE_SIMD_INLINE SymMat<typename P::Real> sum_of_lanes(const SymMat<P>& a) {
    return {sum_of_lanes(a.xx), sum_of_lanes(a.xy), sum_of_lanes(a.xz),
            sum_of_lanes(a.yy), sum_of_lanes(a.yz), sum_of_lanes(a.zz)};
}

}  // namespace

template <class S>
void MpsGeometry<S>::update(const FluidView<S>& fluid, const BlockContext<S>& context, ParticleSizes<S> sizes) {
    assert(promises::rows_within(fluid.size(), context.neighbors));
    assert(promises::reaching(weights_.wide.support_radius(), context.neighbors));
    assert(promises::sized_or_empty(fluid.size(), sizes) && promises::finite(fluid.position));
    const auto stage = context.timer.stage("geometry");
    const std::size_t count = fluid.size();
    const Parallel& parallel = context.parallel;
    period_ = cast<Real>(context.period);
    for (auto* column : {&density_, &dashpot_density_, &smooth_density_}) column->resize(count);
    for (auto* column : {&normal_, &crowding_}) column->resize(count);
    for (auto* column : {&surface_, &surrounded_, &fell_back_}) column->resize(count);
    correction_.resize(count), spread_.resize(count);
    wide_rows_ = &context.neighbors;
    sizes_ = sizes;
    close_rows_.update(fluid.position, static_cast<double>(close().support_radius()), parallel, context.period);
    if (!sizes_.equal()) {
        const auto keep_within = [&](Neighbors<S>& rows, Real radius) {
            rows.keep_only(parallel, [&](std::size_t i, std::size_t j) {
                const Vec r = nearest_image(fluid.position[j].xyz() - fluid.position[i].xyz(), period_);
                return length(r) < sizes_.mean(i, j) * radius;
            });
        };
        keep_within(context.neighbors, weights_.wide.support_radius());
        keep_within(close_rows_, close().support_radius());
    }
    walls_.update(fluid, context, sizes_, weights_);
    sum_wide(fluid, parallel);
    sum_close(fluid, parallel);
    find_surface(fluid, parallel);
    parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const auto row = close_rows_.row(i);
        surrounded_[i] =
            !surface_[i] && std::none_of(row.begin(), row.end(), [&](std::uint32_t j) { return surface_[j] != 0; });
    });
    mirror_density(fluid, parallel);
    fallbacks_ = static_cast<std::size_t>(std::count(fell_back_.begin(), fell_back_.end(), 1));
}

template <class S>
double MpsGeometry<S>::lattice_sum(const CubicSpline<S>& kernel, double spacing) {
    double sum = sheet_sum(kernel, S::dim, spacing, 0);
    for (int layer = 1; layer * spacing < static_cast<double>(kernel.support_radius()); ++layer) {
        sum += 2 * sheet_sum(kernel, S::dim, spacing, layer * spacing);
    }
    return sum;
}

template <class S>
void MpsGeometry<S>::sum_wide(const FluidView<S>& fluid, const Parallel& parallel) {
    const Real least = static_cast<Real>(0.1 * weights_.spacing);
    simd::for_each<Real>(parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        P dashpots{}, smooth{};
        Vec3<P> side{};
        for_each_eight(
            i, wide_rows_->row(i), [&](const std::uint32_t* j, int in_row, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
                const Vec3<P> r = nearest_image(offsets<P>(fluid.position, i, j), period_);
                const PairSize<P> size = sizes_.template pair<P>(i, j);
                const P distance = sqrt(dot(r, r)), of_size = distance * size.shrink;
                const auto in = simd::first_lanes<P>(in_row);
                const P w = select(in, size.share * weights_.wide(of_size), P(0));
                dashpots += select(in, size.share * weights_.dashpot(of_size), P(0));
                smooth += select(
                    in, size.share * weights_.smooth.value(of_size * P(1 / weights_.smooth.support_radius())), P(0));
                side += (w / max(distance, P(least) / size.shrink)) * r;
            });
        Real sum = sum_of_lanes(dashpots), smooth_sum = sum_of_lanes(smooth) + weights_.smooth.value(Real(0));
        Vec all = sum_of_lanes(side);
        for (const auto& wall : walls_.row(i)) {
            sum += wall.dashpot_sum;
            smooth_sum += wall.smooth_sum;
            all += wall.wide_side;
        }
        dashpot_density_[i] = sum / static_cast<Real>(weights_.dashpot.lattice_sum());
        smooth_density_[i] = smooth_sum / static_cast<Real>(smooth_lattice_sum_);
        const Real size = length(all);
        normal_[i] = size > Real(1e-3) * static_cast<Real>(weights_.wide.lattice_sum()) ? (-1 / size) * all : Vec{};
    });
}

template <class S>
void MpsGeometry<S>::sum_close(const FluidView<S>& fluid, const Parallel& parallel) {
    const Real scale = gradient_scale(), per_n0 = static_cast<Real>(1 / weights_.close.lattice_sum());
    const Real least = static_cast<Real>(0.1 * weights_.spacing);
    gradient_pairs_.template update<CloseSums>(
        close_rows_, parallel,
        [&]<class P>(simd::Use<P>, std::size_t i, const std::uint32_t* j, int in_row, std::size_t,
                     CloseSums<P>& sums) TREACLE_SIMD_INLINE_LAMBDA {
            const Vec3<P> r = nearest_image(offsets<P>(fluid.position, i, j), period_);
            const PairSize<P> size = sizes_.template pair<P>(i, j);
            const P distance = max(sqrt(dot(r, r)), P(least) / size.shrink);
            const P w = select(simd::first_lanes<P>(in_row), size.share * weights_.close(distance * size.shrink), P(0));
            const Vec3<P> c = (P(scale) * w / (distance * distance)) * r;
            sums.weight += w;
            sums.side += (w / distance) * r;
            sums.spread.xx += c.x * r.x, sums.spread.xy += c.x * r.y, sums.spread.xz += c.x * r.z;
            sums.spread.yy += c.y * r.y, sums.spread.yz += c.y * r.z, sums.spread.zz += c.z * r.z;
            return c;
        },
        [&]<class P>(simd::Use<P>, std::size_t i, const CloseSums<P>& sums) TREACLE_SIMD_INLINE_LAMBDA {
            Real n = sum_of_lanes(sums.weight);
            Vec side = sum_of_lanes(sums.side);
            SymMat<Real> spread = sum_of_lanes(sums.spread);
            for (const auto& wall : walls_.row(i)) {
                n += wall.close_sum;
                side += wall.close_side;
                spread = spread + scale * wall.spread;
            }
            density_[i] = per_n0 * n;
            crowding_[i] = per_n0 * side;
            if (S::dim == 2) spread.zz = 1;
            spread_[i] = spread;
            const Real across = spread.yy * spread.zz - spread.yz * spread.yz;
            const Real down = spread.xz * spread.yz - spread.xy * spread.zz,
                       out = spread.xy * spread.yz - spread.xz * spread.yy;
            const Real determinant = (spread.xx * across + spread.xy * down) + spread.xz * out;
            fell_back_[i] = !(determinant > Real(flat));
            correction_[i] = fell_back_[i] ? SymMat<Real>::identity() : inverse(spread);
        });
}

template <class S>
void MpsGeometry<S>::find_surface(const FluidView<S>& fluid, const Parallel& parallel) {
    const Real cosine = static_cast<Real>(half_cone);
    parallel.for_each(fluid.rows(), [&](std::size_t i) {
        surface_[i] = 0;
        if (density_[i] >= Real(few_around)) return;
        const Vec normal = normal_[i];
        bool empty = normal != Vec{};
        for (const std::uint32_t j : close_rows_.row(i)) {
            const Vec r = nearest_image(fluid.position[j].xyz() - fluid.position[i].xyz(), period_);
            empty = empty && !(dot(r, normal) > cosine * length(r));
        }
        for (const auto& wall : walls_.row(i))
            empty = empty && !(wall.close_sum > 0 && -dot(wall.normal, normal) > cosine);
        surface_[i] = empty || density_[i] < Real(nearly_alone);
    });
}

/// The smooth density near the surface.
template <class S>
void MpsGeometry<S>::mirror_density(const FluidView<S>& fluid, const Parallel& parallel) {
    const Real per_ramp = static_cast<Real>(1 / (0.5 * weights_.spacing)), per_h = 1 / weights_.smooth.support_radius();
    simd::for_each<Real>(parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        if (surrounded_[i] || normal_[i] == Vec{}) return;
        const Vec n = normal_[i];
        P sum{};
        for_each_eight(
            i, wide_rows_->row(i), [&](const std::uint32_t* j, int in_row, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
                const Vec3<P> r = nearest_image(offsets<P>(fluid.position, i, j), period_);
                const PairSize<P> size = sizes_.template pair<P>(i, j);
                const P height = (P(n.x) * r.x + P(n.y) * r.y) + P(n.z) * r.z;
                const P twice = P(1) - min(max(height * P(per_ramp / sizes_[i]), P(-1)), P(1));
                const P weight = size.share * weights_.smooth.value(sqrt(dot(r, r)) * size.shrink * P(per_h));
                sum += select(simd::first_lanes<P>(in_row), twice * weight, P(0));
            });
        Real all = sum_of_lanes(sum) + weights_.smooth.value(Real(0));
        for (const auto& wall : walls_.row(i)) all += (1 + dot(n, wall.normal)) * wall.smooth_sum;
        smooth_density_[i] = all / static_cast<Real>(smooth_lattice_sum_);
    });
}

template class MpsGeometry<Space2d>;
template class MpsGeometry<Space3d>;

}  // namespace treacle
