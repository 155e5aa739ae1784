#include "math/rotation.h"

#include <random>

#include <gtest/gtest.h>

#include "math/reproducible.h"

namespace treacle {
namespace {

constexpr double degree = reproducible::pi / 180;

void expect_near(Vec3d a, Vec3d b, double tolerance = 1e-14) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
}

Quaternion random_rotation(std::mt19937& random) {
    std::normal_distribution<double> normal;
    return normalized({normal(random), normal(random), normal(random), normal(random)});
}

TEST(Rotation, axis_and_angle_by_hand) {
    expect_near(rotate(from_axis_angle({0, 0, 1}, 90), {1, 0, 0}), {0, 1, 0});
    expect_near(rotate(from_axis_angle({1, 0, 0}, 90), {0, 1, 0}), {0, 0, 1});
    expect_near(rotate(from_axis_angle({0, 1, 0}, 90), {0, 0, 1}), {1, 0, 0});
    // 120 degrees about the diagonal turns x into y into z; the length of the axis does not matter.
    expect_near(rotate(from_axis_angle({5, 5, 5}, 120), {1, 2, 3}), {3, 1, 2});
    EXPECT_EQ(from_axis_angle({0, 0, 0}, 77), Quaternion{});
}

// Blender's matrix for "XYZ" is Rz · Ry · Rx: x is applied first.
TEST(Rotation, euler_angles_in_blenders_order) {
    // (0,1,0): 90 about x gives (0,0,1), 90 about y gives (1,0,0). The other order would leave (0,0,1).
    expect_near(rotate(from_euler_xyz({90, 90, 0}), {0, 1, 0}), {1, 0, 0});
    // (0,1,0): 90 about x gives (0,0,1), which a turn about z leaves. The other order would give (-1,0,0).
    expect_near(rotate(from_euler_xyz({90, 0, 90}), {0, 1, 0}), {0, 0, 1});
    // (1,0,0): 90 about y gives (0,0,-1), which a turn about z leaves. The other order would give (0,1,0).
    expect_near(rotate(from_euler_xyz({0, 90, 90}), {1, 0, 0}), {0, 0, -1});
    // Rz(30) · Ry(20) · Rx(10), multiplied out: first column (cos y cos z, cos y sin z, -sin y).
    expect_near(rotate(from_euler_xyz({10, 20, 30}), {1, 0, 0}),
                {std::cos(20 * degree) * std::cos(30 * degree), std::cos(20 * degree) * std::sin(30 * degree),
                 -std::sin(20 * degree)});
    // Third row of that matrix: (-sin y, cos y sin x, cos y cos x).
    const Quaternion q = from_euler_xyz({10, 20, 30});
    EXPECT_NEAR(rotate(q, {0, 1, 0}).z, std::cos(20 * degree) * std::sin(10 * degree), 1e-14);
    EXPECT_NEAR(rotate(q, {0, 0, 1}).z, std::cos(20 * degree) * std::cos(10 * degree), 1e-14);
}

TEST(Rotation, products_apply_the_right_one_first) {
    std::mt19937 random(1);
    for (int n = 0; n < 100; ++n) {
        const Quaternion a = random_rotation(random), b = random_rotation(random);
        const Vec3d v{1, -2, 3};
        expect_near(rotate(a * b, v), rotate(a, rotate(b, v)), 1e-13);
        expect_near(rotate(conjugate(a), rotate(a, v)), v, 1e-13);
        EXPECT_NEAR(length(rotate(a, v)), length(v), 1e-13);
    }
}

TEST(Rotation, normalized_never_divides_by_zero) {
    EXPECT_EQ(normalized({0, 0, 0, 0}), Quaternion{});
    const Quaternion q = normalized({2, 0, 0, 2});
    EXPECT_NEAR(q.w, std::sqrt(0.5), 1e-15);
    EXPECT_NEAR(q.z, std::sqrt(0.5), 1e-15);
}

TEST(Rotation, blend_takes_the_short_way) {
    const Quaternion from{}, to = from_axis_angle({0, 0, 1}, 90);
    const Quaternion negative{-to.w, -to.x, -to.y, -to.z};   // the same rotation
    for (const Quaternion& end : {to, negative}) {
        expect_near(rotate(blend(from, end, 0), {1, 0, 0}), {1, 0, 0});
        expect_near(rotate(blend(from, end, 0.5), {1, 0, 0}), {std::sqrt(0.5), std::sqrt(0.5), 0});
        // Constant angular velocity: a quarter of the way is a quarter of the angle.
        expect_near(rotate(blend(from, end, 0.25), {1, 0, 0}), {std::cos(M_PI / 8), std::sin(M_PI / 8), 0});
        expect_near(rotate(blend(from, end, 1), {1, 0, 0}), {0, 1, 0});
    }
}

TEST(Rotation, angular_velocity_turns_one_rotation_into_the_other) {
    std::mt19937 random(2);
    std::uniform_real_distribution<double> angles(0, 180);
    for (int n = 0; n < 200; ++n) {
        const Quaternion from = random_rotation(random);
        const Vec3d axis = rotate(random_rotation(random), {1, 0, 0});
        const double degrees = n < 10 ? n * 1e-7 : angles(random);
        const Quaternion to = from_axis_angle(axis, degrees) * from;
        const double seconds = 0.25;
        // Also for the other sign of the quaternion, which is the same rotation.
        const Quaternion same{-to.w, -to.x, -to.y, -to.z};
        expect_near(angular_velocity(from, to, seconds), (degrees * degree / seconds) * axis, 1e-12);
        expect_near(angular_velocity(from, same, seconds), (degrees * degree / seconds) * axis, 1e-12);
    }
    expect_near(angular_velocity(from_axis_angle({1, 1, 0}, 30), from_axis_angle({1, 1, 0}, 30), 0.01), {0, 0, 0}, 1e-13);
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
        const Matrix inverse_transposed = (1 / determinant(x)) * Matrix{cross(x.y, x.z), cross(x.z, x.x), cross(x.x, x.y)};
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
        const Matrix r = closest_rotation(a, matrix_of(random_rotation(random)), 2000), off = r - polar(a);
        EXPECT_NEAR(product(off, off), 0, 1e-10) << n << " det " << determinant(a);
        expect_rotation(r, 1e-12);
    }
}

TEST(ClosestRotation, needs_two_iterations_from_the_last_one) {
    std::mt19937 random(4);
    std::uniform_real_distribution<double> angles(0, 6);   // degrees within a step
    for (int n = 0; n < 100; ++n) {
        const Matrix before = matrix_of(random_rotation(random));
        const Matrix now = matrix_of(from_axis_angle(rotate(random_rotation(random), {1, 0, 0}), angles(random))) * before;
        const Matrix stretch = Matrix::identity() + 0.1 * random_matrix(random);
        const Matrix a = now * stretch;
        const Matrix off = closest_rotation(a, before, 2) - closest_rotation(a, before, 200);
        EXPECT_LT(std::sqrt(product(off, off)), 0.06) << n;
    }
}

TEST(ClosestRotation, of_inverted_and_flat_matrices_is_the_best_proper_one) {
    std::mt19937 random(5);
    for (int n = 0; n < 50; ++n) {
        Matrix a = random_matrix(random);
        if (n % 2 == 0 && determinant(a) > 0) a = -1.0 * a;            // inverted
        if (n % 2 == 1) a = a * Matrix{{1, 0, 0}, {0, 1, 0}, {0, 0, 0}};   // flat
        const Matrix r = closest_rotation(a, matrix_of(random_rotation(random)), 5000);
        expect_rotation(r, 1e-12);
        for (int other = 0; other < 200; ++other) {
            EXPECT_LE(product(matrix_of(random_rotation(random)), a), product(r, a) + 1e-6) << n;
        }
    }
}

TEST(ClosestRotation, of_nothing_is_where_it_was) {
    const Matrix start = matrix_of(from_axis_angle({1, 2, 3}, 40));
    const Matrix r = closest_rotation(Matrix{}, start, 10), off = r - start;
    EXPECT_NEAR(product(off, off), 0, 1e-28);
    const Mat3<float> small = closest_rotation(1e-30f * Mat3<float>::identity(), Mat3<float>::identity(), 10);
    EXPECT_EQ(small.x.x, 1);
    EXPECT_EQ(small.x.y, 0);
}

TEST(ClosestRotation, stays_in_the_plane_in_2D) {
    const Mat3<float> a{{0.8f, -0.7f, 0}, {0.6f, 0.9f, 0}, {0, 0, 0}};
    const Mat3<float> r = closest_rotation(a, Mat3<float>::identity(), 50);
    EXPECT_NEAR(r.y.x / r.x.x, (0.6 + 0.7) / (0.8 + 0.9), 1e-5);
    EXPECT_EQ(r.z.z, 1);
    EXPECT_EQ(r.x.z, 0);
}

TEST(Pose, to_world_and_back) {
    const Pose pose{{1, 2, 3}, from_axis_angle({0, 0, 1}, 90)};
    expect_near(pose.to_world({1, 0, 0}), {1, 3, 3});
    expect_near(pose.to_local({1, 3, 3}), {1, 0, 0});
}

}  // namespace
}  // namespace treacle
