#pragma once

// The start of a step and its first stage, on velocities.

#include <algorithm>
#include <cassert>

#include "blocks/elastic/conformation_parts.h"
#include "core/promises.h"

namespace treacle {

template <class S>
void Conformation<S>::begin(const FluidView<S>& fluid, const BlockContext<S>& context, const Constraints& constraints) {
    assert(promises::rows_within(fluid.size(), constraints.rows) && whole(fluid, constraints));
    assert(promises::finite(fluid.position) && promises::positive(fluid.mass, fluid.volume) && context.dt > 0);
    const auto stage = context.timer.stage("velocity projection");
    const std::size_t groups = simd::groups_of(fluid.size());
    kernel_ = CubicSpline<S>(settings.support_radius);
    dt_ = static_cast<Real>(context.dt);
    frames_.resize(groups);
    stress_.assign(groups, {});
    velocity_before_.clear();
    Quaternions<Lanes> unturned{};
    std::fill(std::begin(unturned.w.lane), std::end(unturned.w.lane), Real(1));
    rotation_.assign(groups, unturned);
    push_.resize(4 * simd::lanes * groups);
    factors_.lay_out(constraints.rows);
    find_alike(fluid, context, constraints);
    const std::span<const Row> position = fluid.position;
    by_kind([&]<class Alike>(Alike) {
        simd::many_registers::for_each_group<Real>(
            context.parallel, fluid.rows(),
            [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
                ShapeSums<P> of_rows[simd::lanes];
                for (int l = 0; l < members; ++l) {
                    const std::size_t i = g * simd::lanes + static_cast<std::size_t>(l);
                    const PairKernel<P, Alike::value> pairs(*this, fluid, constraints, i);
                    const Vec x = position[i].xyz();
                    Real* const factors = factors_.row(i);
                    ShapeSums<P> sums;
                    for_each_filled_eight(pairs.row_of(constraints.rows, i),
                                          [&](const std::uint32_t* j, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
                                              simd::store(P(pair_scale_) *
                                                              pairs.add(j, n, offsets<P>(position, x, j), sums),
                                                          factors + n);
                                          });
                    of_rows[l] = sums;
                }
                const ShapeSums<P> sums =
                    totals<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const ShapeSums<P>& { return of_rows[l]; });
                const Frame<P> frame = frame_of(Members<P>(fluid, constraints, g, members), constraints.rows, sums);
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

template <class S>
template <class Give>
void Conformation<S>::push_particles(const FluidView<S>& fluid, const BlockContext<S>& context,
                                     const ConformationRows<S>& rows, std::span<const Row> start,
                                     const Give& give) const {
    simd::many_registers::for_each<Real>(
        context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const Vec x = start[i].xyz();
            const Real* const factors = factors_.row(i);
            Vec3<P> sum{};
            for_each_filled_eight(rows.row(i), [&](const std::uint32_t* j, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
                const Pushes<P> pushes(push_.data(), j);
                sum += pushes.times(simd::load<P>(factors + n) * pushes.from(x));
            });
            const Vec pushed = push_[4 * i + 3].xyz() + simd::row_of_sums<P>({sum.x, sum.y, sum.z, P(0)}).xyz();
            give(i, (dt_ * fluid.volume[i] / fluid.mass[i]) * pushed);
        });
}

template <class S>
void Conformation<S>::push_velocities(const FluidView<S>& fluid, const BlockContext<S>& context,
                                      const ConformationRows<S>& rows, const Row* before, std::span<Row> to) const {
    push_particles(fluid, context, rows, fluid.position, [&](std::size_t i, const Vec& by) TREACLE_SIMD_INLINE_LAMBDA {
        to[i] = (before ? before[i].xyz() : Vec{}) + by;
    });
}

/// Σ (a_j - a_i) g_ijᵀ
template <class S>
template <class P>
TREACLE_SIMD_INLINE Mat3<P> Conformation<S>::differences_of(const ConformationRows<S>& rows, std::size_t g, int members,
                                                            std::span<const Row> start, std::span<const Row> a) const {
    Mat3<P> of_rows[simd::lanes];
    for (int l = 0; l < members; ++l) {
        const std::size_t i = g * simd::lanes + static_cast<std::size_t>(l);
        const Vec x = start[i].xyz(), own = a[i].xyz();
        const Real* const factors = factors_.row(i);
        Mat3<P> sums;
        for_each_filled_eight(rows.row(i), [&](const std::uint32_t* j, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
            const Vec3<P> gradient = simd::load<P>(factors + n) * offsets<P>(start, x, j);
            const Vec3<P> apart = offsets<P>(a, own, j);
            sums.x += apart.x * gradient;
            sums.y += apart.y * gradient;
            sums.z += apart.z * gradient;
        });
        of_rows[l] = sums;
    }
    return matrix_of_sums<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const Mat3<P>& { return of_rows[l]; });
}

template <class S>
template <class P>
TREACLE_SIMD_INLINE SymMat<P> Conformation<S>::strain_in_step(const FluidView<S>& fluid,
                                                              const ConformationRows<S>& rows, std::size_t g,
                                                              int members, std::span<const Row> velocity) const {
    Mat3<P> gradient = differences_of<P>(rows, g, members, fluid.position, velocity);
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
void Conformation<S>::project_velocities(const FluidView<S>& fluid, const BlockContext<S>& context,
                                         const Constraints& constraints) {
    assert(begun(fluid.size()) && whole(fluid, constraints));
    const auto stage = context.timer.stage("velocity projection");
    simd::many_registers::for_each_group<Real>(
        context.parallel, fluid.rows(),
        [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
            const SymMat<P> memory = plus(simd::load_group<P>(constraints.conformation, g, members), P(-1));
            const Frame<P> frame = frame_at_start<P>(g);
            const SymMat<P> strain = memory + strain_in_step<P>(fluid, constraints.rows, g, members, fluid.velocity);
            const P compliance = simd::load_group<P>(constraints.compliance, g, members);
            store_pushes(g, members, add_stress(g, frame, strain, compliance), frame.gradient, fluid.position);
        });
    push_velocities(fluid, context, constraints.rows, fluid.velocity.data(), fluid.velocity);
}

/// r = C - T/G; returns r·P r. There is no direction yet.
template <class S>
double Conformation<S>::start_search(const FluidView<S>& fluid, const BlockContext<S>& context,
                                     const Constraints& constraints) {
    simd::many_registers::for_each_group<Real>(
        context.parallel, fluid.rows(),
        [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
            const Members<P> own(fluid, constraints, g, members);
            const SymMat<P> memory = plus(simd::load_group<P>(constraints.conformation, g, members), P(-1));
            const SymMat<P> strain = memory + strain_in_step<P>(fluid, constraints.rows, g, members, fluid.velocity);
            const SymMat<P> rest = scaled(strain, P(1), P(1)) - compliant(simd::load<P>(stress_[g]), own.compliance);
            const SymMat<P> better = preconditioned(rest, own.compliance, simd::load<P>(frames_[g].diagonal));
            simd::store(rest, rest_[g]);
            simd::store(better, curvature_[g]);
            simd::store(SymMat<P>{}, direction_[g]);
            simd::store(own.volume * double_dot(rest, better), product_[g]);
        });
    return sum_of_products(fluid, context);
}

template <class S>
double Conformation<S>::sum_of_products(const FluidView<S>& fluid, const BlockContext<S>& context) const {
    return context.parallel.template sum<double>(fluid.rows(), [&](std::size_t i) {
        return static_cast<double>(product_[i / simd::lanes].lane[i % simd::lanes]);
    });
}

/// p = P r + turn p, and the change of velocity that it makes.
template <class S>
void Conformation<S>::set_direction(const FluidView<S>& fluid, const BlockContext<S>& context,
                                    const Constraints& constraints, Real turn) {
    simd::for_each_group<Real>(context.parallel, fluid.rows(),
                               [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
                                   const Frame<P> frame = frame_at_start<P>(g);
                                   const SymMat<P> direction =
                                       simd::load<P>(curvature_[g]) + P(turn) * simd::load<P>(direction_[g]);
                                   simd::store(direction, direction_[g]);
                                   store_pushes(g, members, adjoint(frame, direction), frame.gradient, fluid.position);
                               });
    push_velocities(fluid, context, constraints.rows, nullptr, change_);
}

/// A p; returns p·A p.
template <class S>
double Conformation<S>::apply_operator(const FluidView<S>& fluid, const BlockContext<S>& context,
                                       const Constraints& constraints) {
    simd::many_registers::for_each_group<Real>(
        context.parallel, fluid.rows(),
        [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
            const Members<P> own(fluid, constraints, g, members);
            const SymMat<P> direction = simd::load<P>(direction_[g]);
            const SymMat<P> strain = strain_in_step<P>(fluid, constraints.rows, g, members, change_);
            const SymMat<P> curvature = compliant(direction, own.compliance) - scaled(strain, P(1), P(1));
            simd::store(curvature, curvature_[g]);
            simd::store(own.volume * double_dot(direction, curvature), product_[g]);
        });
    return sum_of_products(fluid, context);
}

/// Stress and velocity go a step along p; returns r·P r.
template <class S>
double Conformation<S>::step_along(const FluidView<S>& fluid, const BlockContext<S>& context,
                                   const Constraints& constraints, Real step) {
    simd::for_each_group<Real>(
        context.parallel, fluid.rows(),
        [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
            const Members<P> own(fluid, constraints, g, members);
            const SymMat<P> rest = simd::load<P>(rest_[g]) - P(step) * simd::load<P>(curvature_[g]);
            const SymMat<P> better = preconditioned(rest, own.compliance, simd::load<P>(frames_[g].diagonal));
            simd::store(simd::load<P>(stress_[g]) + P(step) * simd::load<P>(direction_[g]), stress_[g]);
            simd::store(rest, rest_[g]);
            simd::store(better, curvature_[g]);
            simd::store(own.volume * double_dot(rest, better), product_[g]);
            for (std::size_t i = own.first; i < own.first + static_cast<std::size_t>(members); ++i) {
                fluid.velocity[i] = fluid.velocity[i].xyz() + step * change_[i].xyz();
            }
        });
    return sum_of_products(fluid, context);
}

/// Takes back half of what the last call of solve_velocities() did.
template <class S>
void Conformation<S>::take_half_back(const FluidView<S>& fluid, const BlockContext<S>& context) {
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        fluid.velocity[i] = Real(0.5) * (fluid.velocity[i].xyz() + velocity_before_[i].xyz());
    });
    simd::for_each_group<Real>(
        context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t g, int) TREACLE_SIMD_INLINE_LAMBDA {
            simd::store(P(Real(0.5)) * (simd::load<P>(stress_[g]) + simd::load<P>(stress_before_[g])), stress_[g]);
        });
}

template <class S>
void Conformation<S>::solve_velocities(const FluidView<S>& fluid, const BlockContext<S>& context,
                                       const Constraints& constraints, int iterations, const Contacts& contacts) {
    assert(begun(fluid.size()) && whole(fluid, constraints) && promises::finite(fluid.velocity));
    const auto stage = context.timer.stage("velocity projection");
    const std::size_t groups = simd::groups_of(fluid.size());
    for (auto* column : {&rest_, &direction_, &curvature_}) column->resize(groups);
    product_.resize(groups);
    change_.resize(fluid.size());
    double square = start_search(fluid, context, constraints);
    if (!velocity_before_.empty() && square > square_before_) {
        take_half_back(fluid, context);
        contacts.take_half_back();
        square = start_search(fluid, context, constraints);
    }
    velocity_before_.assign(fluid.velocity.begin(), fluid.velocity.end());
    stress_before_ = stress_;
    square_before_ = square;
    Real turn = 0;
    for (int n = 0; n < iterations && square > 0; ++n) {
        set_direction(fluid, context, constraints, turn);
        contacts.restrain(change_, n == 0);
        const double along = apply_operator(fluid, context, constraints);
        if (!(along > 0)) return;
        const Real step = static_cast<Real>(square / along);
        const double next = step_along(fluid, context, constraints, step);
        contacts.follow(step);
        turn = static_cast<Real>(next / square);
        square = next;
    }
}

}  // namespace treacle
