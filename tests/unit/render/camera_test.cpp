#include "render/camera.h"

#include <random>

#include <gtest/gtest.h>

namespace treacle {
namespace {

std::vector<Vec3d> cube_points(std::size_t count) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> side(-1, 1);
    std::vector<Vec3d> points;
    for (std::size_t n = 0; n < count; ++n) points.push_back({3 + side(random), side(random), side(random)});
    return points;
}

/// Place in the picture: -1 to 1 from left to right and from bottom to top.
std::pair<double, double> place_of(const Camera& camera, double aspect, Vec3d point) {
    const Vec3d p = point - camera.eye;
    const double scale = camera.half_height * (camera.orthographic ? 1 : dot(p, camera.forward));
    return {dot(p, camera.right) / (scale * aspect), dot(p, camera.up) / scale};
}

TEST(Camera, a_fitted_camera_sees_everything_and_comes_close) {
    const auto points = cube_points(500);
    for (const bool orthographic : {false, true}) {
        for (const double aspect : {0.5, 1.0, 2.0}) {
            Camera camera = oriented_camera({30, 20}, {0, 1, 0});
            camera.orthographic = orthographic;
            fit_camera(camera, aspect, {0.1, 0.2, 0.05, 0.15}, {}, points);
            double left = 1, right = -1, low = 1, high = -1;
            for (const Vec3d& p : points) {
                EXPECT_GT(dot(p - camera.eye, camera.forward), 0);
                const auto [x, y] = place_of(camera, aspect, p);
                left = std::min(left, x), right = std::max(right, x);
                low = std::min(low, y), high = std::max(high, y);
            }
            const double slack = 1e-9;
            EXPECT_GE(left, -0.8 - slack);
            EXPECT_LE(right, 0.6 + slack);
            EXPECT_GE(low, -0.7 - slack);
            EXPECT_LE(high, 0.9 + slack);
            const bool fills_width = left < -0.79 && right > 0.59, fills_height = low < -0.69 && high > 0.89;
            EXPECT_TRUE(fills_width || fills_height) << "aspect " << aspect << ", orthographic " << orthographic;
        }
    }
}

TEST(Camera, a_stray_particle_does_not_shrink_the_picture) {
    auto points = cube_points(1000);
    const auto distance = [&] {
        Camera camera = oriented_camera({30, 20}, {0, 1, 0});
        fit_camera(camera, 1.5, {}, points, {});
        return length(camera.eye - Vec3d{3, 0, 0});
    };
    const double alone = distance();
    points.push_back({3, 500, 0});
    EXPECT_NEAR(distance(), alone, 0.05 * alone);
}

TEST(Camera, up_is_up_and_x_is_right_from_the_front) {
    for (const Vec3d up : {Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
        const Camera front = oriented_camera({0, 0}, up);
        EXPECT_NEAR(length(front.right - Vec3d{1, 0, 0}), 0, 1e-12);
        EXPECT_NEAR(length(front.up - up), 0, 1e-12);
        const Camera top = oriented_camera(*parse_view("top"), up);
        EXPECT_NEAR(length(top.forward + up), 0, 1e-12);
        const Camera corner = oriented_camera({130, 25}, up);
        EXPECT_GT(dot(corner.up, up), 0.8);
        EXPECT_NEAR(dot(corner.right, up), 0, 1e-12);
        EXPECT_NEAR(length(cross(corner.right, corner.up) + corner.forward), 0, 1e-12);
    }
}

TEST(Camera, views_are_words_or_angles) {
    for (const std::string& name : view_names()) EXPECT_TRUE(parse_view(name)) << name;
    ASSERT_TRUE(parse_view("-30,12.5"));
    EXPECT_EQ(parse_view("-30,12.5")->azimuth, -30);
    EXPECT_EQ(parse_view("-30,12.5")->elevation, 12.5);
    for (const char* wrong : {"", "sideways", "30", "30,", ",20", "30,91", "400,0", "30,20,10", "nan,0"}) {
        EXPECT_FALSE(parse_view(wrong)) << wrong;
    }
}

}  // namespace
}  // namespace treacle
