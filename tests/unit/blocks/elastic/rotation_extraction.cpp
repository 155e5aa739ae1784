#include "blocks/elastic/rotation_extraction.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "math/rotation.h"

namespace treacle {
namespace {

Quaternion random_rotation(std::mt19937& random) {
    std::normal_distribution<double> normal;
    return normalized({normal(random), normal(random), normal(random), normal(random)});
}

using Matrix = Mat3<double>;

Matrix matrix_of(const Quaternion& q) {
    return Matrix{rotate(q, {1, 0, 0}), rotate(q, {0, 1, 0}), rotate(q, {0, 0, 1})}.transposed();
}

Matrix random_matrix(std::mt19937& random) {
    std::normal_distribution<double> number(0, 1);
    const auto row = [&] { return Vec3d{number(random), number(random), number(random)}; };
    return {row(), row(), row()};
}

double determinant(const Matrix& m) { return dot(m.x, cross(m.y, m.z)); }
double product(const Matrix& a, const Matrix& b) { return dot(a.x, b.x) + dot(a.y, b.y) + dot(a.z, b.z); }

/// The rotational part by Newton's iteration for the polar decomposition, X <- (X + X⁻ᵀ)/2 (Higham 1986); det > 0.
Matrix polar(Matrix x) {
    for (int n = 0; n < 60; ++n) {
        const Matrix inverse_transposed =
            (1 / determinant(x)) * Matrix{cross(x.y, x.z), cross(x.z, x.x), cross(x.x, x.y)};
        x = 0.5 * (x + inverse_transposed);
    }
    return x;
}

void expect_rotation(const Matrix& r, double tolerance) {
    const Matrix off = r * r.transposed() - Matrix::identity();
    EXPECT_NEAR(product(off, off), 0, tolerance * tolerance);
    EXPECT_NEAR(determinant(r), 1, tolerance);
}

TEST(ClosestRotation, is_that_of_the_polar_decomposition) {
    std::mt19937 random(3);
    for (int n = 0; n < 200; ++n) {
        Matrix a = random_matrix(random);
        if (determinant(a) < 0) a = -1.0 * a;
        const Matrix r = closest_rotation(a, random_rotation(random), 2000), off = r - polar(a);
        EXPECT_NEAR(product(off, off), 0, 1e-10) << n << " det " << determinant(a);
        expect_rotation(r, 1e-12);
    }
}

TEST(ClosestRotation, needs_two_iterations_from_the_last_one) {
    std::mt19937 random(4);
    std::uniform_real_distribution<double> angles(0, 6);  // degrees within a step
    for (int n = 0; n < 100; ++n) {
        const Quaternion before = random_rotation(random);
        const Matrix now =
            matrix_of(from_axis_angle(rotate(random_rotation(random), {1, 0, 0}), angles(random)) * before);
        const Matrix stretch = Matrix::identity() + 0.1 * random_matrix(random);
        const Matrix a = now * stretch;
        const Matrix off = closest_rotation(a, before, 2) - closest_rotation(a, before, 200);
        EXPECT_LT(std::sqrt(product(off, off)), 0.06) << n;
    }
}

TEST(ClosestRotation, of_flat_matrices_is_the_best_and_of_inverted_ones_a_proper_one) {
    std::mt19937 random(5);
    for (int n = 0; n < 50; ++n) {
        Matrix a = random_matrix(random);
        if (n % 2 == 0 && determinant(a) > 0) a = -1.0 * a;               // inverted
        if (n % 2 == 1) a = a * Matrix{{1, 0, 0}, {0, 1, 0}, {0, 0, 0}};  // flat
        const Matrix r = closest_rotation(a, random_rotation(random), 5000);
        expect_rotation(r, 1e-12);
        for (int other = 0; other < 200 && n % 2 == 1; ++other) {
            EXPECT_LE(product(matrix_of(random_rotation(random)), a), product(r, a) + 1e-6) << n;
        }
    }
}

TEST(ClosestRotation, of_nothing_is_where_it_was) {
    const Quaternion start = from_axis_angle({1, 2, 3}, 40);
    const Matrix off = closest_rotation(Matrix{}, start, 10) - matrix_of(start);
    EXPECT_NEAR(product(off, off), 0, 1e-28);
}

TEST(ClosestRotation, stays_in_the_plane_in_2D) {
    const Matrix r = closest_rotation(Matrix{{0.8, -0.7, 0}, {0.6, 0.9, 0}, {0, 0, 0}}, Quaternion{}, 100);
    EXPECT_NEAR(r.y.x / r.x.x, (0.6 + 0.7) / (0.8 + 0.9), 1e-9);
    EXPECT_EQ(r.z.z, 1);
    EXPECT_EQ(r.x.z, 0);
}

}  // namespace
}  // namespace treacle
