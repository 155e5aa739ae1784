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
    const Quaternion negative{-to.w, -to.x, -to.y, -to.z};  // the same rotation
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
    expect_near(angular_velocity(from_axis_angle({1, 1, 0}, 30), from_axis_angle({1, 1, 0}, 30), 0.01), {0, 0, 0},
                1e-13);
}

TEST(Pose, to_world_and_back) {
    const Pose pose{{1, 2, 3}, from_axis_angle({0, 0, 1}, 90)};
    expect_near(pose.to_world({1, 0, 0}), {1, 3, 3});
    expect_near(pose.to_local({1, 3, 3}), {1, 0, 0});
}

}  // namespace
}  // namespace treacle
