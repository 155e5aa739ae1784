#pragma once

// The start of a step and its first stage, on velocities.

#include <algorithm>
#include <cassert>

#include "blocks/elastic/conformation_parts.h"
#include "core/promises.h"

namespace treacle {

template <class S>
void Conformation<S>::begin(const Start& start, const Fluid& fluid, double dt, const Parallel& parallel) {
    assert(promises::rows_within(start.position.size(), start.rows) && whole(fluid, start.position.size()));
    assert(promises::finite(start.position) && promises::positive(fluid.mass, fluid.volume) && dt > 0);
    const ConformationRows<S>& rows = start.rows;
    const std::span<const Row> position = start.position;
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
    factors_.lay_out(rows);
    find_alike(rows, fluid, parallel);
    by_kind([&]<class Alike>(Alike) {
        simd::many_registers::for_each_group<Real>(
            parallel, count, [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
                ShapeSums<P> of_rows[simd::lanes];
                for (int l = 0; l < members; ++l) {
                    const std::size_t i = g * simd::lanes + static_cast<std::size_t>(l);
                    const PairKernel<P, Alike::value> pairs(*this, rows, fluid, i);
                    const Vec x = position[i].xyz();
                    Real* const factors = factors_.row(i);
                    ShapeSums<P> sums;
                    for_each_filled_eight(pairs.row_of(rows, i), [&](const std::uint32_t* j,
                                                                     std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
                        simd::store(P(pair_scale_) * pairs.add(j, n, offsets<P>(position, x, j), sums), factors + n);
                    });
                    of_rows[l] = sums;
                }
                const ShapeSums<P> sums =
                    totals<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const ShapeSums<P>& { return of_rows[l]; });
                const Frame<P> frame = frame_of(Members<P>(fluid, g, members), rows, sums);
                simd::store(frame.shape, frames_[g].shape);
                simd::store(frame.spin, frames_[g].spin);
                simd::store(frame.correction, frames_[g].correction);
                simd::store(frame.gradient.x, frames_[g].gradient.x);
                simd::store(frame.gradient.y, frames_[g].gradient.y);
                simd::store(frame.gradient.z, frames_[g].gradient.z);
                simd::store(frame.diagonal, frames_[g].diagonal);
            });
    });
}

/// velocity_i = before_i + dt V_i/m_i Σ (P_i + P_j) g_ij
template <class S>
void Conformation<S>::push_velocities(const Start& start, const Fluid& fluid, const Parallel& parallel,
                                      const Row* before, std::span<Row> velocity) const {
    simd::many_registers::for_each<Real>(
        parallel, velocity.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const Vec x = start.position[i].xyz();
            const Real* const factors = factors_.row(i);
            Vec3<P> sum{};
            for_each_filled_eight(start.rows.row(i),
                                  [&](const std::uint32_t* j, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
                                      const Pushes<P> pushes(push_.data(), j);
                                      sum += pushes.times(simd::load<P>(factors + n) * pushes.from(x));
                                  });
            const Vec pushed = push_[4 * i + 3].xyz() + simd::row_of_sums<P>({sum.x, sum.y, sum.z, P(0)}).xyz();
            velocity[i] = (before ? before[i].xyz() : Vec{}) + (dt_ * fluid.volume[i] / fluid.mass[i]) * pushed;
        });
}

template <class S>
template <class P>
TREACLE_SIMD_INLINE SymMat<P> Conformation<S>::strain_in_step(const Start& start, std::size_t g, int members,
                                                              std::span<const Row> velocity) const {
    Mat3<P> of_rows[simd::lanes];
    for (int l = 0; l < members; ++l) {
        const std::size_t i = g * simd::lanes + static_cast<std::size_t>(l);
        const Vec x = start.position[i].xyz(), u = velocity[i].xyz();
        const Real* const factors = factors_.row(i);
        Mat3<P> sums;
        for_each_filled_eight(start.rows.row(i), [&](const std::uint32_t* j, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
            const Vec3<P> gradient = simd::load<P>(factors + n) * offsets<P>(start.position, x, j);
            const Vec3<P> apart = offsets<P>(velocity, u, j);
            sums.x += apart.x * gradient;
            sums.y += apart.y * gradient;
            sums.z += apart.z * gradient;
        });
        of_rows[l] = sums;
    }
    Mat3<P> gradient =
        matrix_of_sums<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const Mat3<P>& { return of_rows[l]; });
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
    return {simd::load<P>(frame.shape),
            simd::load<P>(frame.spin),
            simd::load<P>(frame.correction),
            {simd::load<P>(frame.gradient.x), simd::load<P>(frame.gradient.y), simd::load<P>(frame.gradient.z)},
            simd::load<P>(frame.diagonal)};
}

template <class S>
void Conformation<S>::project_velocities(const Start& start, const Fluid& fluid,
                                         std::span<const SymMat<Real>> conformation, const Parallel& parallel,
                                         std::span<Row> velocity) {
    assert(begun(start.rows.size()) && whole(fluid, start.rows.size()));
    assert(promises::sized(start.rows.size(), start.position, conformation, velocity));
    simd::many_registers::for_each_group<Real>(
        parallel, velocity.size(), [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
            const SymMat<P> memory = plus(simd::load_group<P>(conformation, g, members), P(-1));
            const Frame<P> frame = frame_at_start<P>(g);
            const SymMat<P> strain_now = memory + strain_in_step<P>(start, g, members, velocity);
            keep(g, members, strain(g, frame, strain_now, simd::load_group<P>(fluid.compliance, g, members)),
                 frame.gradient, start.position);
        });
    push_velocities(start, fluid, parallel, velocity.data(), velocity);
}

/// r = C - T/G and its r·P r. No direction yet.
template <class S>
double Conformation<S>::start_search(const Start& start, const Fluid& fluid, std::span<const SymMat<Real>> conformation,
                                     const Parallel& parallel, std::span<const Row> velocity) {
    simd::many_registers::for_each_group<Real>(
        parallel, velocity.size(), [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
            const Members<P> own(fluid, g, members);
            const SymMat<P> memory = plus(simd::load_group<P>(conformation, g, members), P(-1));
            const SymMat<P> rest = scaled(memory + strain_in_step<P>(start, g, members, velocity), P(1), P(1)) -
                                   compliant(simd::load<P>(stress_[g]), own.compliance);
            const SymMat<P> better = preconditioned(rest, own.compliance, simd::load<P>(frames_[g].diagonal));
            simd::store(rest, rest_[g]);
            simd::store(better, curvature_[g]);
            simd::store(SymMat<P>{}, direction_[g]);
            simd::store(own.volume * double_dot(rest, better), product_[g]);
        });
    return sum_of_products(velocity.size(), parallel);
}

template <class S>
double Conformation<S>::sum_of_products(std::size_t count, const Parallel& parallel) const {
    return parallel.sum<double>(Rows::of(count), [&](std::size_t i) {
        return static_cast<double>(product_[i / simd::lanes].lane[i % simd::lanes]);
    });
}

/// p = P r + turn p, and its change of velocity.
template <class S>
void Conformation<S>::search_along(const Start& start, const Fluid& fluid, Real turn, const Parallel& parallel) {
    simd::for_each_group<Real>(
        parallel, change_.size(), [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
            const Frame<P> frame = frame_at_start<P>(g);
            const SymMat<P> direction = simd::load<P>(curvature_[g]) + P(turn) * simd::load<P>(direction_[g]);
            simd::store(direction, direction_[g]);
            keep(g, members, adjoint(frame, direction), frame.gradient, start.position);
        });
    push_velocities(start, fluid, parallel, nullptr, change_);
}

/// A p; returns p·A p.
template <class S>
double Conformation<S>::curve(const Start& start, const Fluid& fluid, const Parallel& parallel) {
    simd::many_registers::for_each_group<Real>(
        parallel, change_.size(), [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
            const Members<P> own(fluid, g, members);
            const SymMat<P> direction = simd::load<P>(direction_[g]);
            const SymMat<P> curvature = compliant(direction, own.compliance) -
                                        scaled(strain_in_step<P>(start, g, members, change_), P(1), P(1));
            simd::store(curvature, curvature_[g]);
            simd::store(own.volume * double_dot(direction, curvature), product_[g]);
        });
    return sum_of_products(change_.size(), parallel);
}

/// Goes a step along p. Returns r·P r.
template <class S>
double Conformation<S>::go(const Fluid& fluid, Real step, const Parallel& parallel, std::span<Row> velocity) {
    simd::for_each_group<Real>(
        parallel, velocity.size(), [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
            const Members<P> own(fluid, g, members);
            const SymMat<P> rest = simd::load<P>(rest_[g]) - P(step) * simd::load<P>(curvature_[g]);
            const SymMat<P> better = preconditioned(rest, own.compliance, simd::load<P>(frames_[g].diagonal));
            simd::store(simd::load<P>(stress_[g]) + P(step) * simd::load<P>(direction_[g]), stress_[g]);
            simd::store(rest, rest_[g]);
            simd::store(better, curvature_[g]);
            simd::store(own.volume * double_dot(rest, better), product_[g]);
            for (std::size_t i = own.first; i < own.first + static_cast<std::size_t>(members); ++i) {
                velocity[i] = velocity[i].xyz() + step * change_[i].xyz();
            }
        });
    return sum_of_products(velocity.size(), parallel);
}

/// Takes back half of what the last call did.
template <class S>
void Conformation<S>::go_half_back(const Parallel& parallel, std::span<Row> velocity) {
    parallel.for_each(velocity.size(), [&](std::size_t i) {
        velocity[i] = Real(0.5) * (velocity[i].xyz() + velocity_before_[i].xyz());
    });
    simd::for_each_group<Real>(
        parallel, velocity.size(), [&]<class P>(simd::Use<P>, std::size_t g, int) TREACLE_SIMD_INLINE_LAMBDA {
            simd::store(P(Real(0.5)) * (simd::load<P>(stress_[g]) + simd::load<P>(stress_before_[g])), stress_[g]);
        });
}

template <class S>
void Conformation<S>::solve_velocities(const Start& start, const Fluid& fluid,
                                       std::span<const SymMat<Real>> conformation, int iterations,
                                       const std::function<void(std::span<Row>, bool)>& hold, const Parallel& parallel,
                                       std::span<Row> velocity) {
    assert(begun(start.rows.size()) && whole(fluid, start.rows.size()));
    assert(promises::sized(start.rows.size(), start.position, conformation, velocity) && promises::finite(velocity));
    const std::size_t groups = simd::groups_of(velocity.size());
    for (auto* column : {&rest_, &direction_, &curvature_}) column->resize(groups);
    product_.resize(groups);
    change_.resize(velocity.size());
    double square = start_search(start, fluid, conformation, parallel, velocity);
    if (!velocity_before_.empty() && square > square_before_) {
        go_half_back(parallel, velocity);
        square = start_search(start, fluid, conformation, parallel, velocity);
    }
    velocity_before_.assign(velocity.begin(), velocity.end());
    stress_before_ = stress_;
    square_before_ = square;
    Real turn = 0;
    for (int n = 0; n < iterations && square > 0; ++n) {
        search_along(start, fluid, turn, parallel);
        hold(change_, n == 0);
        const double along = curve(start, fluid, parallel);
        if (!(along > 0)) return;
        const double next = go(fluid, static_cast<Real>(square / along), parallel, velocity);
        turn = static_cast<Real>(next / square);
        square = next;
    }
}

}  // namespace treacle
