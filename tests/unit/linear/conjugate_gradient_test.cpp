#include "linear/conjugate_gradient.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "support/on_every_path.h"

namespace treacle {
namespace {

/// A dense symmetric positive definite matrix for some rows and some others, and its diagonal as preconditioner.
template <class Real>
struct Dense {
    using Row = Row4<Real>;
    using Vec = Vec3<Real>;

    Dense(std::size_t row_count, std::size_t other_count, std::uint32_t seed)
        : rows(row_count), size(3 * row_count + other_count), matrix(size * size), right(row_count),
          right_of_others(other_count) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> number(-1, 1);
        std::vector<double> root(size * size);
        for (double& r : root) r = number(random);
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j < size; ++j) {
                for (std::size_t k = 0; k < size; ++k) at(i, j) += root[k * size + i] * root[k * size + j];
            }
            at(i, i) += 0.2 * static_cast<double>(size) * (1 + static_cast<double>(i % 5));
        }
        for (Row& b : right) b = cast<Real>(Vec3d{number(random), number(random), number(random)});
        for (double& b : right_of_others) b = number(random);
    }

    double& at(std::size_t i, std::size_t j) { return matrix[i * size + j]; }
    double at(std::size_t i, std::size_t j) const { return matrix[i * size + j]; }

    std::vector<double> together(std::span<const Row> x, std::span<const double> others) const {
        std::vector<double> all;
        for (const Row& row : x) {
            const Vec3d v = cast<double>(row.xyz());
            all.insert(all.end(), {v.x, v.y, v.z});
        }
        all.insert(all.end(), others.begin(), others.end());
        return all;
    }
    double product(std::size_t i, std::span<const double> all) const {
        double sum = 0;
        for (std::size_t j = 0; j < size; ++j) sum += at(i, j) * all[j];
        return sum;
    }

    template <class Use>
    Vec row(Use, std::size_t i, std::span<const Row> x, std::span<const double> others) const {
        const auto all = together(x, others);
        return cast<Real>(Vec3d{product(3 * i, all), product(3 * i + 1, all), product(3 * i + 2, all)});
    }
    void others(std::span<const Row> x, std::span<const double> others, const Parallel&,
                std::span<double> result) const {
        const auto all = together(x, others);
        for (std::size_t n = 0; n < result.size(); ++n) result[n] = product(3 * rows + n, all);
    }

    /// Elimination; the matrix is definite, so no pivoting.
    std::vector<double> solution() const {
        auto m = matrix;
        auto b = together(right, right_of_others);
        for (std::size_t k = 0; k < size; ++k) {
            for (std::size_t r = k + 1; r < size; ++r) {
                const double factor = m[r * size + k] / m[k * size + k];
                for (std::size_t c = k; c < size; ++c) m[r * size + c] -= factor * m[k * size + c];
                b[r] -= factor * b[k];
            }
        }
        for (std::size_t k = size; k-- > 0;) {
            for (std::size_t c = k + 1; c < size; ++c) b[k] -= m[k * size + c] * b[c];
            b[k] /= m[k * size + k];
        }
        return b;
    }

    std::size_t rows, size;
    std::vector<double> matrix;
    std::vector<Row> right;
    std::vector<double> right_of_others;
};

template <class Real>
struct Diagonal {
    using Vec = Vec3<Real>;
    const Dense<Real>& a;

    Vec row(std::size_t i, Vec r) const {
        const auto over = [&](std::size_t n, Real x) { return x / static_cast<Real>(a.at(n, n)); };
        return {over(3 * i, r.x), over(3 * i + 1, r.y), over(3 * i + 2, r.z)};
    }
    void others(std::span<const double> r, std::span<double> z) const {
        for (std::size_t n = 0; n < r.size(); ++n) z[n] = r[n] / a.at(3 * a.rows + n, 3 * a.rows + n);
    }
};

template <class Real>
struct Solved {
    std::vector<Row4<Real>> x;
    std::vector<double> others;
    SolverReport report;
};

template <class Real>
Solved<Real> solve(const Dense<Real>& a, const StoppingRule& rule, int threads = 1,
                   const std::vector<double>& start = {}) {
    Solved<Real> s{std::vector<Row4<Real>>(a.rows), std::vector<double>(a.size - 3 * a.rows), {}};
    for (std::size_t n = 0; n < start.size(); ++n) {
        if (n >= 3 * a.rows) {
            s.others[n - 3 * a.rows] = start[n];
            continue;
        }
        Vec3<Real> v = s.x[n / 3].xyz();
        v[static_cast<int>(n % 3)] = static_cast<Real>(start[n]);
        s.x[n / 3] = v;
    }
    ConjugateGradient<Real> solver;
    s.report = solver.solve(a, Diagonal<Real>{a}, a.right, a.right_of_others, rule, Parallel(threads), s.x, s.others);
    return s;
}

template <class Real>
class ConjugateGradientTest : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(ConjugateGradientTest, Reals);

TYPED_TEST(ConjugateGradientTest, finds_what_elimination_finds) {
    for (const std::size_t other_count : {0u, 6u}) {
        const Dense<TypeParam> a(20, other_count, 3);
        const bool single = sizeof(TypeParam) == 4;
        const auto s = solve(a, {single ? 1e-6 : 1e-12, 200});
        EXPECT_TRUE(s.report.converged);
        EXPECT_GT(s.report.iterations, 5);
        const auto found = a.together(s.x, s.others), expected = a.solution();
        double size = 0;
        for (const double e : expected) size = std::max(size, std::abs(e));
        const double rounding = size * (single ? 1e-5 : 1e-11);
        for (std::size_t n = 0; n < a.size; ++n) EXPECT_NEAR(found[n], expected[n], rounding) << n;
    }
}

TYPED_TEST(ConjugateGradientTest, stops_by_its_rule) {
    const Dense<TypeParam> a(20, 6, 4);
    const auto loose = solve(a, {1e-2, 200}), tight = solve(a, {1e-5, 200});
    EXPECT_LT(loose.report.iterations, tight.report.iterations);
    EXPECT_LE(tight.report.residual, 1e-5);
    const auto capped = solve(a, {1e-5, 3});
    EXPECT_EQ(capped.report.iterations, 3);
    EXPECT_FALSE(capped.report.converged);
    EXPECT_GT(capped.report.residual, 1e-5);
    // Starting at the solution, there is nothing to do.
    const auto there = solve(a, {1e-4, 200}, 1, a.solution());
    EXPECT_EQ(there.report.iterations, 0);
    EXPECT_TRUE(there.report.converged);
    EXPECT_LT(there.report.residual, 1e-4);
}

TYPED_TEST(ConjugateGradientTest, nothing_on_the_right_gives_nothing) {
    Dense<TypeParam> a(20, 6, 4);
    const std::vector<double> start = a.solution();
    std::fill(a.right.begin(), a.right.end(), Row4<TypeParam>{});
    std::fill(a.right_of_others.begin(), a.right_of_others.end(), 0.0);
    const auto s = solve(a, {1e-4, 200}, 1, start);
    EXPECT_TRUE(s.report.converged);
    EXPECT_EQ(s.report.iterations, 0);
    for (const double x : a.together(s.x, s.others)) EXPECT_EQ(x, 0);
    const auto empty = solve(Dense<TypeParam>(0, 0, 1), {});
    EXPECT_TRUE(empty.report.converged);
}

TYPED_TEST(ConjugateGradientTest, ends_with_what_it_cannot_solve) {
    Dense<TypeParam> indefinite(20, 6, 4);
    for (std::size_t n = 0; n + 1 < indefinite.size; ++n) {
        indefinite.at(n, n + 1) -= 200;
        indefinite.at(n + 1, n) -= 200;
    }
    const auto s = solve(indefinite, {1e-6, 500});
    EXPECT_FALSE(s.report.converged);
    for (const double x : indefinite.together(s.x, s.others)) EXPECT_TRUE(std::isfinite(x));
    Dense<TypeParam> broken(20, 6, 4);
    broken.right[7].y = std::numeric_limits<TypeParam>::quiet_NaN();
    const auto none = solve(broken, {1e-6, 500});
    EXPECT_FALSE(none.report.converged);
    EXPECT_EQ(none.report.iterations, 0);
}

/// A ring of springs: enough rows for several blocks to add up.
template <class Real>
struct Ring {
    std::size_t count;

    template <class Use>
    Vec3<Real> row(Use, std::size_t i, std::span<const Row4<Real>> x, std::span<const double>) const {
        const Vec3<Real> before = x[(i + count - 1) % count].xyz(), after = x[(i + 1) % count].xyz();
        return Real(2.1) * x[i].xyz() - before - after;
    }
    void others(std::span<const Row4<Real>>, std::span<const double>, const Parallel&, std::span<double>) const {}
};

template <class Real>
struct Identity {
    Vec3<Real> row(std::size_t, Vec3<Real> r) const { return r; }
    void others(std::span<const double>, std::span<double>) const {}
};

TYPED_TEST(ConjugateGradientTest, bits_do_not_depend_on_threads_nor_on_the_path) {
    const std::size_t count = 5000;
    std::mt19937 random(1);
    std::uniform_real_distribution<TypeParam> number(-1, 1);
    std::vector<Row4<TypeParam>> right(count), first;
    for (auto& b : right) b = Vec3<TypeParam>{number(random), number(random), number(random)};
    for (const simd::Choice path : test::paths()) {
        const test::OnPath on(path);
        for (const int threads : {1, 2, 4}) {
            std::vector<Row4<TypeParam>> x(count);
            ConjugateGradient<TypeParam> solver;
            const SolverReport report = solver.solve(Ring<TypeParam>{count}, Identity<TypeParam>{}, right, {},
                                                     {1e-5, 200}, Parallel(threads), x, {});
            EXPECT_TRUE(report.converged);
            if (first.empty()) first = x;
            for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(x[i].xyz(), first[i].xyz());
        }
    }
}

/// The ring with one number per row; the first is fixed.
template <class Real>
struct HeldRing {
    std::size_t count;

    template <class Use>
    Real row(Use, std::size_t i, std::span<const Real> x, std::span<const double>) const {
        return i == 0 ? 0 : Real(2) * x[i] - x[i - 1] - x[(i + 1) % count];
    }
    void others(std::span<const Real>, std::span<const double>, const Parallel&, std::span<double>) const {}
};

template <class Real>
struct AllButTheFirst {
    Real row(std::size_t i, Real r) const { return i == 0 ? 0 : r / 2; }
    void others(std::span<const double>, std::span<double>) const {}
};

/// A string with a constant load, x'' = -1: a parabola, exact on the lattice.
TYPED_TEST(ConjugateGradientTest, solves_for_one_number_a_row_around_held_ones) {
    const std::size_t count = 60;
    std::vector<TypeParam> right(count, 1), x(count);
    right[0] = 0;
    ConjugateGradient<TypeParam, TypeParam> solver;
    const SolverReport report = solver.solve(HeldRing<TypeParam>{count}, AllButTheFirst<TypeParam>{}, right, {},
                                             {1e-6, 200}, Parallel(2), x, {});
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(x[0], 0);
    for (std::size_t i = 0; i < count; ++i) {
        const double parabola = 0.5 * static_cast<double>(i) * static_cast<double>(count - i);
        EXPECT_NEAR(static_cast<double>(x[i]), parabola, 0.01) << i;
    }
}

}  // namespace
}  // namespace treacle
