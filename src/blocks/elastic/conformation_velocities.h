#pragma once

// The start of a step and its first stage, on velocities.

#include <algorithm>

#include "blocks/elastic/conformation_parts.h"

namespace treacle {

template <class S>
void Conformation<S>::begin(const ConformationRows<S>& rows, const Fluid& fluid, std::span<const Row> position, double dt,
                            const Parallel& parallel) {
    const std::size_t count = position.size(), groups = simd::groups_of(count);
    kernel_ = CubicSpline<S>(settings.support_radius);
    dt_ = static_cast<Real>(dt);
    frames_.resize(groups);
    stress_.assign(groups, {});
    velocity_before_.clear();
    Quaternions<Lanes> unturned{};
    std::fill(std::begin(unturned.w.lane), std::end(unturned.w.lane), Real(1));
    rotation_.assign(groups, unturned);
    push_.resize(4 * simd::lanes * groups);
    find_alike(rows, fluid, parallel);
    const auto finish = [&]<class P>(simd::Use<P>, std::size_t g, int members, const ShapeSums<P>* of_rows) TREACLE_SIMD_INLINE_LAMBDA {
            const ShapeSums<P> sums = totals<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const ShapeSums<P>& { return of_rows[l]; });
            const Frame<P> frame = frame_of(Members<P>(fluid, g, members), rows, sums);
            simd::store(frame.shape, frames_[g].shape);
            simd::store(frame.spin, frames_[g].spin);
            simd::store(frame.correction, frames_[g].correction);
            simd::store(frame.gradient.x, frames_[g].gradient.x);
            simd::store(frame.gradient.y, frames_[g].gradient.y);
            simd::store(frame.gradient.z, frames_[g].gradient.z);
            simd::store(frame.diagonal, frames_[g].diagonal);
    };
    by_kind([&]<class Alike>(Alike) {
        gradients_.template update_by_groups<ShapeSums>(rows, parallel,
            [&]<class P>(simd::Use<P>, std::size_t i, const std::uint32_t* j, int in_row, std::size_t n,
                ShapeSums<P>& sums) TREACLE_SIMD_INLINE_LAMBDA {
                const PairKernel<P, Alike::value> pairs(*this, rows, fluid, i);
                return P(pair_scale_) * pairs.add(j, in_row, n, offsets<P>(position, i, j), sums);
            }, finish);
    });
}

/// velocity_i += dt V_i/m_i Σ (P_i + P_j) g_ij
template <class S>
void Conformation<S>::push_velocities(const Fluid& fluid, const Parallel& parallel, std::span<Row> velocity) const {
    simd::for_each<Real>(parallel, velocity.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        Vec3<P> sum{};
        for (const auto& eight : gradients_.row(i)) sum += Pushes<P>(push_.data(), eight.j).times(eight.template vectors<P>());
        velocity[i] = velocity[i].xyz() + (dt_ * fluid.volume[i] / fluid.mass[i]) * 
                      (push_[4 * i + 3].xyz() + simd::row_of_sums<P>({sum.x, sum.y, sum.z, P(0)}).xyz());
    });
}

template <class S>
template <class P>
TREACLE_SIMD_INLINE SymMat<P> Conformation<S>::strain_in_step(std::size_t g, int members, std::span<const Row> velocity) const {
    Mat3<P> of_rows[simd::lanes];
    for (int l = 0; l < members; ++l) {
        const std::size_t i = g * simd::lanes + static_cast<std::size_t>(l);
        const Vec own = velocity[i].xyz();
        Mat3<P> sums;
        for (const auto& eight : gradients_.row(i)) {
            const auto v = simd::load_rows<P>(velocity.data(), eight.j);
            const Vec3<P> gradient = eight.template vectors<P>();
            sums.x += (v.x - P(own.x)) * gradient;
            sums.y += (v.y - P(own.y)) * gradient;
            sums.z += (v.z - P(own.z)) * gradient;
        }
        of_rows[l] = sums;
    }
    Mat3<P> gradient = matrix_of_sums<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const Mat3<P>& { return of_rows[l]; });
    if (settings.corotational) {
        gradient = gradient - Mat3<P>::crossing(simd::load<P>(frames_[g].spin) * twist(gradient)) *
                                  Mat3<P>::from(simd::load<P>(frames_[g].shape));
    }
    return P(2 * dt_) * symmetric_part(gradient * Mat3<P>::from(simd::load<P>(frames_[g].correction)));
}

template <class S>
template <class P>
TREACLE_SIMD_INLINE auto Conformation<S>::frame_at_start(std::size_t g) const -> Frame<P> {
    const Frame<Lanes>& frame = frames_[g];
    return {simd::load<P>(frame.shape), simd::load<P>(frame.spin), simd::load<P>(frame.correction),
            {simd::load<P>(frame.gradient.x), simd::load<P>(frame.gradient.y), simd::load<P>(frame.gradient.z)},
            simd::load<P>(frame.diagonal)};
}

template <class S>
void Conformation<S>::project_velocities(const Fluid& fluid, std::span<const SymMat<Real>> conformation,
                                         const Parallel& parallel, std::span<Row> velocity) {
    simd::for_each_group<Real>(parallel, velocity.size(),
                               [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
        const SymMat<P> memory = plus(simd::load_group<P>(conformation, g, members), P(-1));
        const Frame<P> frame = frame_at_start<P>(g);
        keep(g, strain(g, frame, memory + strain_in_step<P>(g, members, velocity), simd::load_group<P>(fluid.compliance, g, members)),
             frame.gradient);
    });
    push_velocities(fluid, parallel, velocity);
}

/// r = C - T/G and its r·P r.
template <class S>
double Conformation<S>::start_search(const Fluid& fluid, std::span<const SymMat<Real>> conformation, const Parallel& parallel,
                                     std::span<const Row> velocity) {
    simd::for_each_group<Real>(parallel, velocity.size(),
                               [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
        const Members<P> own(fluid, g, members);
        const SymMat<P> memory = plus(simd::load_group<P>(conformation, g, members), P(-1));
        const SymMat<P> rest = scaled(memory + strain_in_step<P>(g, members, velocity), P(1), P(1)) -
                               compliant(simd::load<P>(stress_[g]), own.compliance);
        const SymMat<P> direction = preconditioned(rest, own.compliance, simd::load<P>(frames_[g].diagonal));
        simd::store(rest, rest_[g]);
        simd::store(direction, direction_[g]);
        simd::store(own.volume * double_dot(rest, direction), product_[g]);
    });
    return sum_of_products(velocity.size(), parallel);
}

template <class S>
double Conformation<S>::sum_of_products(std::size_t count, const Parallel& parallel) const {
    return parallel.sum<double>(count, [&](std::size_t i) {
        return static_cast<double>(product_[i / simd::lanes].lane[i % simd::lanes]);
    });
}

template <class S>
void Conformation<S>::solve_velocities(const Fluid& fluid, std::span<const SymMat<Real>> conformation, int iterations,
                                       const std::function<void(std::span<Row>, bool)>& hold, const Parallel& parallel,
                                       std::span<Row> velocity) {
    const std::size_t count = velocity.size(), groups = simd::groups_of(count);
    for (auto* column : {&rest_, &direction_, &curvature_}) column->resize(groups);
    product_.resize(groups);
    double square = start_search(fluid, conformation, parallel, velocity);
    if (!velocity_before_.empty() && square > square_before_) {
        parallel.for_each(count, [&](std::size_t i) {
            velocity[i] = Real(0.5) * (velocity[i].xyz() + velocity_before_[i].xyz());
        });
        simd::for_each_group<Real>(parallel, count, [&]<class P>(simd::Use<P>, std::size_t g, int) TREACLE_SIMD_INLINE_LAMBDA {
            simd::store(P(Real(0.5)) * (simd::load<P>(stress_[g]) + simd::load<P>(stress_before_[g])), stress_[g]);
        });
        square = start_search(fluid, conformation, parallel, velocity);
    }
    velocity_before_.assign(velocity.begin(), velocity.end());
    stress_before_ = stress_;
    square_before_ = square;
    for (int n = 0; n < iterations && square > 0; ++n) {
        simd::for_each_group<Real>(parallel, count,
                                   [&]<class P>(simd::Use<P>, std::size_t g, int) TREACLE_SIMD_INLINE_LAMBDA {
            const Frame<P> frame = frame_at_start<P>(g);
            keep(g, adjoint(frame, simd::load<P>(direction_[g])), frame.gradient);
        });
        change_.assign(count, Row{});
        push_velocities(fluid, parallel, change_);
        hold(change_, n == 0);
        simd::for_each_group<Real>(parallel, count,
                                   [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
            const Members<P> own(fluid, g, members);
            const SymMat<P> direction = simd::load<P>(direction_[g]);
            const SymMat<P> curvature = compliant(direction, own.compliance) -
                                        scaled(strain_in_step<P>(g, members, change_), P(1), P(1));
            simd::store(curvature, curvature_[g]);
            simd::store(own.volume * double_dot(direction, curvature), product_[g]);
        });
        const double along = sum_of_products(count, parallel);
        if (!(along > 0)) return;
        const Real step = static_cast<Real>(square / along);
        parallel.for_each(count, [&](std::size_t i) { velocity[i] = velocity[i].xyz() + step * change_[i].xyz(); });
        simd::for_each_group<Real>(parallel, count,
                                   [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
            const Members<P> own(fluid, g, members);
            const SymMat<P> rest = simd::load<P>(rest_[g]) - P(step) * simd::load<P>(curvature_[g]);
            const SymMat<P> better = preconditioned(rest, own.compliance, simd::load<P>(frames_[g].diagonal));
            simd::store(simd::load<P>(stress_[g]) + P(step) * simd::load<P>(direction_[g]), stress_[g]);
            simd::store(rest, rest_[g]);
            simd::store(better, curvature_[g]);
            simd::store(own.volume * double_dot(rest, better), product_[g]);
        });
        const double next = sum_of_products(count, parallel);
        const Real turn = static_cast<Real>(next / square);
        simd::for_each_group<Real>(parallel, count, [&]<class P>(simd::Use<P>, std::size_t g, int) TREACLE_SIMD_INLINE_LAMBDA {
            simd::store(simd::load<P>(curvature_[g]) + P(turn) * simd::load<P>(direction_[g]), direction_[g]);
        });
        square = next;
    }
}

}  // namespace treacle
