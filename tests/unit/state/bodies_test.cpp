#include "state/bodies.h"

#include <gtest/gtest.h>

namespace treacle {
namespace {

Body moving_ball() {
    Body body;
    body.shape.form = Sphere{{0, 0, 0}, 1};
    body.shape.transform.translate = {2, 0, 0};  // as drawn it stands at x = 2
    body.pose = {{10, 0, 0}, from_axis_angle({0, 0, 1}, 90)};
    return body;
}

TEST(Body, surface_follows_the_pose) {
    const Body body = moving_ball();  // its center is now at (10, 2, 0)
    const SurfacePoint hit = body.surface_at({10, 5, 0});
    EXPECT_NEAR(hit.distance, 2, 1e-14);
    EXPECT_NEAR(hit.normal.y, 1, 1e-14);
    EXPECT_NEAR(body.surface_at({10.5, 2, 0}).distance, -0.5, 1e-14);
    EXPECT_NEAR(body.surface_at({10.5, 2, 0}).normal.x, 1, 1e-14);
}

TEST(Body, a_container_is_solid_outside) {
    Body body = moving_ball();
    body.invert = true;
    const SurfacePoint inside = body.surface_at({10.5, 2, 0});
    EXPECT_NEAR(inside.distance, 0.5, 1e-14);
    EXPECT_NEAR(inside.normal.x, -1, 1e-14);
    EXPECT_NEAR(body.surface_at({10, 5, 0}).distance, -2, 1e-14);
}

TEST(Body, velocity_of_a_turning_body) {
    Body body = moving_ball();
    body.velocity = {1, 0, 0};
    body.angular_velocity = {0, 0, 2};
    EXPECT_EQ(body.velocity_at({10, 3, 0}), (Vec3d{-5, 0, 0}));
    EXPECT_EQ(body.velocity_at({10, 0, 0}), (Vec3d{1, 0, 0}));
}

}  // namespace
}  // namespace treacle
