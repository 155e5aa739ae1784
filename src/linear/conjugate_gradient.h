#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "core/parallel.h"
#include "math/vec.h"
#include "simd/dispatch.h"

namespace treacle {

/// When an iterative solver may stop.
struct StoppingRule {
    double tolerance = 1e-4;  ///< of the residual, as a share of the solution's size
    int max_iterations = 500;
    double size = 0;  ///< added to x·A x: the size of a greater quantity that x changes, if errors are measured by that
};

/// How an iterative solver stopped.
struct SolverReport {
    int iterations = 0;
    double residual = 0;  ///< as a share of the solution's size
    bool converged = true;
};

/// Solves A x = b by preconditioned conjugate gradients (Hestenes & Stiefel 1952; Shewchuk 1994, section B3) for a
/// symmetric positive definite A that is never stored. Unknowns are a row of three numbers per particle, or one number
/// with Value = Real, and, if wanted, some others in double, such as the velocities of rigid bodies.
///
/// Operator (A) and preconditioner (P, close to the inverse of A, symmetric positive definite too) are given as
/// objects:
///   Value a.row(Use<P>, i, x, others) const                    row i of A x; inlined into the pass, may use packs
///   void a.others(x, others, parallel, result) const           the rows of A x that belong to the others
///   Value p.row(i, residual) const                             row i of P r
///   void p.others(residual, result) const
/// Without others, a.others and p.others are not called. If rows of A x need something computed from all of x, such as
/// a stress,
///   void a.prepare(x, others, parallel) const
/// is called before every pass of a.row over x. Where both rows are zero, x keeps its start value.
///
/// The residual is measured as √(r·P r) / √(x·A x), which has no unit, whatever the unknowns' units are. Where A is
/// not smaller than the inverse of P (P the inverse mass, A mass plus stiffness), this bounds the error, and it is a
/// fair estimate of its share in x: on viscous fluids of all degrees of stiffness a tolerance of 1e-4 leaves 2e-6 to
/// 1e-4, and 1e-3 with a very light body among them (docs/decisions/implicit-viscosity.md). Relative to b, as is
/// usual, it would leave up to 6e-3 and 4e-2. x·A x is known without computing it: every step adds to it the amount by
/// which the error shrinks, α r·P r. If x is a change of a greater quantity, the rule may name the size of that.
///
/// The start does not change the rule: a good one makes the solver end sooner.
///
/// An iteration makes three passes over the rows, with dot products in double and in block order: the same bits for any
/// number of threads. Working memory is kept for the next solve.
///
/// Limits: the residual is updated and not computed anew, so in float the true one does not meet a tolerance below
/// about 1e-6. NaN ends the solve with `converged` false. A direction without curvature (A not definite, or rounding)
/// ends it with the present x.
template <class Real, class Value = Vec3<Real>>
class ConjugateGradient {
public:
    /// How a value is stored.
    using Row = std::conditional_t<std::is_same_v<Value, Real>, Real, Row4<Real>>;

    /// `x` and `others` hold the start, which may be zero, and then the solution.
    template <class Operator, class Preconditioner>
    SolverReport solve(const Operator& a, const Preconditioner& p, std::span<const Row> right,
                       std::span<const double> right_of_others, const StoppingRule& rule, const Parallel& parallel,
                       std::span<Row> x, std::span<double> others);

private:
    /// Sum of pass(Use, i) -> double over all rows. The pass may write row i.
    template <class Pass>
    double sum(Rows rows, const Parallel& parallel, const Pass& pass) {
        return parallel.fold_blocks(rows, 0.0, [&](double& sum, std::size_t first, std::size_t last) {
            double local = 0;  // in a register: the sum's place could be anybody's for all the compiler knows
            simd::run<Real>(first, last, [&]<class P>(simd::Use<P> use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                local += pass(use, i);
            });
            sum = local;
        });
    }

    static TREACLE_SIMD_INLINE Real value_of(Real row) { return row; }
    static TREACLE_SIMD_INLINE Vec3<Real> value_of(const Row4<Real>& row) { return row.xyz(); }
    static TREACLE_SIMD_INLINE double dot_in_double(Real a, Real b) {
        return static_cast<double>(a) * static_cast<double>(b);
    }
    static TREACLE_SIMD_INLINE double dot_in_double(Vec3<Real> a, Vec3<Real> b) {
        const double x = static_cast<double>(a.x) * static_cast<double>(b.x);
        const double y = static_cast<double>(a.y) * static_cast<double>(b.y);
        return (x + y) + static_cast<double>(a.z) * static_cast<double>(b.z);
    }
    static bool zero(std::span<const Row> rows, std::span<const double> others, const Parallel& parallel) {
        return std::all_of(others.begin(), others.end(), [](double x) { return x == 0; }) &&
               parallel.max<int>(Rows::of(rows.size()), 0,
                                 [&](std::size_t i) { return value_of(rows[i]) == Value{} ? 0 : 1; }) == 0;
    }
    static double dot(std::span<const double> a, std::span<const double> b) {
        double sum = 0;
        for (std::size_t n = 0; n < a.size(); ++n) sum += a[n] * b[n];
        return sum;
    }

    std::vector<Row> residual_, direction_, curvature_;  ///< r, p, A p
    std::vector<double> residual_of_others_, direction_of_others_, curvature_of_others_, preconditioned_others_;
};

template <class Real, class Value>
template <class Operator, class Preconditioner>
SolverReport ConjugateGradient<Real, Value>::solve(const Operator& a, const Preconditioner& precondition,
                                                   std::span<const Row> right, std::span<const double> right_of_others,
                                                   const StoppingRule& rule, const Parallel& parallel, std::span<Row> x,
                                                   std::span<double> others) {
    const Rows rows = Rows::of(x.size());
    residual_.resize(rows.all), direction_.resize(rows.all), curvature_.resize(rows.all);
    const std::size_t other_count = others.size();
    for (auto* column : {&residual_of_others_, &direction_of_others_, &curvature_of_others_, &preconditioned_others_}) {
        column->assign(other_count, 0);
    }
    // P r of the others; returns its product with r.
    const auto precondition_others = [&] {
        if (other_count == 0) return 0.0;
        precondition.others(residual_of_others_, preconditioned_others_);
        return dot(residual_of_others_, preconditioned_others_);
    };

    if (zero(right, right_of_others, parallel)) {
        std::fill(x.begin(), x.end(), Row{});
        std::fill(others.begin(), others.end(), 0.0);
        return {};
    }
    const bool from_zero = zero(x, others, parallel);
    const auto prepare = [&](std::span<const Row> values, std::span<const double> of_others) {
        if constexpr (requires { a.prepare(values, of_others, parallel); }) a.prepare(values, of_others, parallel);
    };
    if (!from_zero) prepare(x, others);
    double square = sum(rows, parallel, [&](auto use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        const Value r = from_zero ? value_of(right[i]) : value_of(right[i]) - a.row(use, i, x, others);
        const Value z = precondition.row(i, r);
        residual_[i] = r;
        direction_[i] = z;
        return dot_in_double(r, z);
    });
    if (other_count > 0 && !from_zero) a.others(x, others, parallel, curvature_of_others_);
    for (std::size_t n = 0; n < other_count; ++n) residual_of_others_[n] = right_of_others[n] - curvature_of_others_[n];
    square += precondition_others();
    direction_of_others_ = preconditioned_others_;
    // x·A x of the solution: that of the start; the search adds to it.
    double energy = 0;
    if (!from_zero) {
        energy = sum(rows, parallel, [&](auto, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            return dot_in_double(value_of(x[i]), value_of(right[i]) + value_of(residual_[i]));
        });
        energy += dot(others, right_of_others) + dot(others, residual_of_others_);
    }
    const auto relative = [&] {
        if (square == 0) return 0.0;
        return energy + rule.size > 0 ? std::sqrt(square / (energy + rule.size))
                                      : std::numeric_limits<double>::infinity();
    };

    SolverReport report{0, relative(), false};
    while (report.residual > rule.tolerance && report.iterations < rule.max_iterations) {
        const std::span<const Row> direction(direction_);
        const std::span<const double> direction_of_others(direction_of_others_);
        prepare(direction, direction_of_others);
        double along = sum(rows, parallel, [&](auto use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const Value q = a.row(use, i, direction, direction_of_others);
            curvature_[i] = q;
            return dot_in_double(value_of(direction[i]), q);
        });
        if (other_count > 0) {
            a.others(direction, direction_of_others, parallel, curvature_of_others_);
            along += dot(direction_of_others_, curvature_of_others_);
        }
        if (!(along > 0)) break;

        const double step = square / along;
        energy += step * square;
        const Real row_step = static_cast<Real>(step);
        double next_square = sum(rows, parallel, [&](auto, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const Value r = value_of(residual_[i]) - row_step * value_of(curvature_[i]);
            residual_[i] = r;
            return dot_in_double(r, precondition.row(i, r));
        });
        for (std::size_t n = 0; n < other_count; ++n) residual_of_others_[n] -= step * curvature_of_others_[n];
        next_square += precondition_others();

        const double turn = next_square / square;
        const Real row_turn = static_cast<Real>(turn);
        parallel.for_each(rows, [&](std::size_t i) {
            const Value p = value_of(direction_[i]);
            x[i] = value_of(x[i]) + row_step * p;
            direction_[i] = precondition.row(i, value_of(residual_[i])) + row_turn * p;
        });
        for (std::size_t n = 0; n < other_count; ++n) {
            others[n] += step * direction_of_others_[n];
            direction_of_others_[n] = preconditioned_others_[n] + turn * direction_of_others_[n];
        }
        square = next_square;
        ++report.iterations;
        report.residual = relative();
    }
    report.converged = report.residual <= rule.tolerance;
    return report;
}

}  // namespace treacle
