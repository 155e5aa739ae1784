#include "geometry/shape.h"

#include <random>

#include <gtest/gtest.h>

#include "math/reproducible.h"

namespace treacle {
namespace {

constexpr double pi = reproducible::pi;

void expect_near(Vec3d a, Vec3d b, double tolerance = 1e-12) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
}

void expect_surface(const Shape& shape, Vec3d point, double distance, Vec3d normal) {
    const SurfacePoint hit = surface_point(shape, point);
    EXPECT_NEAR(hit.distance, distance, 1e-12);
    expect_near(hit.normal, normal);
}

TEST(Shape, plane) {
    const Shape floor{Plane{{0, 1, 0}, 0.5}};
    expect_surface(floor, {7, 2, -3}, 1.5, {0, 1, 0});
    expect_surface(floor, {7, -2, -3}, -2.5, {0, 1, 0});
    // The offset counts in lengths of the normal as given: normal · x < offset.
    const Shape slope{Plane{{0, 2, 0}, 1}};
    expect_surface(slope, {0, 0.75, 0}, 0.25, {0, 1, 0});
    EXPECT_FALSE(volume(floor));
    EXPECT_FALSE(center(floor));
    EXPECT_FALSE(bounds(floor));
}

TEST(Shape, sphere) {
    const Shape ball{Sphere{{1, 0, 0}, 2}};
    expect_surface(ball, {4, 0, 0}, 1, {1, 0, 0});
    expect_surface(ball, {1, -0.5, 0}, -1.5, {0, -1, 0});
    expect_surface(ball, {1, 0, 0}, -2, {0, 1, 0});  // the center: any direction, but always the same
    EXPECT_NEAR(*volume(ball), 32.0 / 3 * pi, 1e-12);
    expect_near(*center(ball), {1, 0, 0});
    expect_near(bounds(ball)->low, {-1, -2, -2});
    expect_near(bounds(ball)->high, {3, 2, 2});
}

TEST(Shape, box) {
    const Shape box{Box{{0, 0, 0}, {2, 4, 6}}};
    expect_surface(box, {3, 0, 0}, 2, {1, 0, 0});
    expect_surface(box, {0, 0, -5}, 2, {0, 0, -1});
    expect_surface(box, {4, 6, 3}, 5, {0.6, 0.8, 0});                      // beyond an edge: 3-4-5
    expect_surface(box, {-2, -4, -5}, 3, {-1.0 / 3, -2.0 / 3, -2.0 / 3});  // beyond a corner: 1-2-2
    expect_surface(box, {0.9, 0, 0}, -0.1, {1, 0, 0});
    expect_surface(box, {0, -1.75, 0}, -0.25, {0, -1, 0});
    EXPECT_NEAR(surface_point(box, {1, 0, 0}).distance, 0, 1e-15);
    EXPECT_EQ(*volume(box), 48);
    expect_near(bounds(box)->low, {-1, -2, -3});
    expect_near(bounds(box)->high, {1, 2, 3});
}

TEST(Shape, two_dimensions_ignore_z) {
    Shape disc{Sphere{{0, 0, 0}, 2}};
    disc.dimension = 2;
    expect_surface(disc, {3, 4, 0}, 3, {0.6, 0.8, 0});
    EXPECT_NEAR(*volume(disc), 4 * pi, 1e-12);
    EXPECT_EQ(bounds(disc)->low.z, 0);
    EXPECT_EQ(bounds(disc)->high.z, 0);

    Shape rectangle{Box{{0, 0, 0}, {2, 4, 0}}};
    rectangle.dimension = 2;
    EXPECT_EQ(*volume(rectangle), 8);
    expect_surface(rectangle, {0, 0, 0}, -1, {1, 0, 0});  // in 3D a box without thickness would have no inside
    expect_surface(rectangle, {4, 6, 0}, 5, {0.6, 0.8, 0});
}

TEST(Shape, transform_scales_then_rotates_then_translates) {
    const Transform transform{{10, 0, 0}, from_axis_angle({0, 0, 1}, 90), 2};
    expect_near(transform.apply({1, 0, 0}), {10, 2, 0});
    expect_near(transform.invert({10, 2, 0}), {1, 0, 0});

    Shape box{Box{{1, 0, 0}, {2, 4, 6}}, transform};
    expect_near(*center(box), {10, 2, 0});
    EXPECT_NEAR(*volume(box), 8 * 48, 1e-10);
    expect_near(bounds(box)->low, {6, 0, -6});
    expect_near(bounds(box)->high, {14, 4, 6});
    expect_surface(box, {10, 5, 0}, 1, {0, 1, 0});
    expect_surface(box, {5, 2, 0}, 1, {-1, 0, 0});

    box.dimension = 2;
    EXPECT_NEAR(*volume(box), 4 * 8, 1e-10);

    const Shape floor{Plane{{0, 1, 0}, 1}, {{0, 3, 0}, {}, 2}};  // height 1, then 2, then 5
    expect_surface(floor, {0, 6, 0}, 1, {0, 1, 0});
}

TEST(Shape, cylinder) {
    const Shape bar{Cylinder{{1, 0, 0}, {0, 2, 0}, 1, 4}};
    expect_surface(bar, {4, 0, 0}, 2, {1, 0, 0});
    expect_surface(bar, {1, 3, 0}, 1, {0, 1, 0});
    expect_surface(bar, {5, -6, 0}, 5, {0.6, -0.8, 0});  // beyond the rim: 3-4-5
    expect_surface(bar, {1, 1.5, 0.2}, -0.5, {0, 1, 0});
    expect_surface(bar, {1, 0, 0.7}, -0.3, {0, 0, 1});
    EXPECT_NEAR(length(surface_point(bar, {1, 0, 0}).normal), 1, 1e-12);  // on the axis
    EXPECT_NEAR(*volume(bar), 4 * pi, 1e-12);
    expect_near(bounds(bar)->low, {0, -2, -1});
    expect_near(bounds(bar)->high, {2, 2, 1});
}

TEST(Shape, tube) {
    const Shape pipe{Cylinder{{0, 0, 0}, {0, 0, 1}, 3, 4, 2}};
    expect_surface(pipe, {0.5, 0, 0}, 1.5, {-1, 0, 0});  // in the bore
    EXPECT_NEAR(surface_point(pipe, {0, 0, 0}).distance, 2, 1e-12);
    expect_surface(pipe, {0, 2.25, 0}, -0.25, {0, -1, 0});
    expect_surface(pipe, {0, 2.75, 0}, -0.25, {0, 1, 0});
    expect_surface(pipe, {0, 2.5, 1.9}, -0.1, {0, 0, 1});
    EXPECT_NEAR(*volume(pipe), 20 * pi, 1e-12);
    Shape plates{Cylinder{{0, 0, 0}, {1, 0, 0}, 3, 4, 2}};
    plates.dimension = 2;
    EXPECT_EQ(*volume(plates), 8);
    expect_surface(plates, {0, 1, 0}, 1, {0, -1, 0});
    expect_surface(plates, {0, -4, 0}, 1, {0, -1, 0});
}

TEST(Shape, capsule) {
    const Shape pill{Capsule{{0, 0, 0}, {1, 0, 0}, 1, 4}};
    expect_surface(pill, {0, 3, 0}, 2, {0, 1, 0});
    expect_surface(pill, {5, 4, 0}, 4, {0.6, 0.8, 0});
    expect_surface(pill, {1, 0, 0.5}, -0.5, {0, 0, 1});
    EXPECT_NEAR(*volume(pill), (4 + 4.0 / 3) * pi, 1e-12);
    Shape stadium = pill;
    stadium.dimension = 2;
    EXPECT_NEAR(*volume(stadium), 8 + pi, 1e-12);
}

class RandomShapes : public ::testing::Test {
protected:
    double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
    Vec3d point(double reach, int dimension) {
        return {number(-reach, reach), number(-reach, reach), dimension == 3 ? number(-reach, reach) : 0};
    }
    Shape shape(int kind, int dimension) {
        const Vec3d axis = dimension == 3 ? point(1, 3) : Vec3d{0, 0, 1};
        Shape made{Plane{}, {point(1, dimension), from_axis_angle(axis, number(-180, 180)), number(0.5, 2)}, dimension};
        const Vec3d size{number(0.3, 2), number(0.3, 2), number(0.3, 2)};
        if (kind == 0) made.form = Plane{point(1, dimension), number(-1, 1)};
        if (kind == 1) made.form = Sphere{point(1, dimension), number(0.3, 1)};
        if (kind == 2) made.form = Box{point(1, dimension), size};
        const Vec3d center = point(1, dimension), along = point(1, dimension);
        if (kind == 3) made.form = Cylinder{center, along, size.x, size.y};
        if (kind == 4) made.form = Cylinder{center, along, size.x, size.y, number(0.2, 0.8) * size.x};
        if (kind == 5) made.form = Capsule{center, along, size.x, size.y};
        return made;
    }
    std::mt19937 random{3};
};

// For a true distance: |gradient| = 1, the gradient is the normal, and going back along it leads to the surface.
TEST_F(RandomShapes, normal_is_the_gradient_of_the_distance) {
    int compared = 0;
    for (int n = 0; n < 6000; ++n) {
        const int dimension = 2 + n % 2;
        const Shape made = shape(n / 2 % 6, dimension);
        const Vec3d p = point(3, dimension);
        const SurfacePoint hit = surface_point(made, p);
        EXPECT_NEAR(length(hit.normal), 1, 1e-12);
        if (hit.distance > 0) { EXPECT_NEAR(surface_point(made, p - hit.distance * hit.normal).distance, 0, 1e-9); }

        const double step = 1e-6;
        Vec3d gradient{}, second{};
        for (int axis = 0; axis < dimension; ++axis) {
            Vec3d shift{};
            shift[axis] = step;
            const double up = surface_point(made, p + shift).distance, down = surface_point(made, p - shift).distance;
            gradient[axis] = (up - down) / (2 * step);
            second[axis] = (up + down - 2 * hit.distance) / step;
        }
        if (length(second) > 1e-4) continue;  // on a crease, where there is no gradient
        ++compared;
        expect_near(gradient, hit.normal, 1e-5);
    }
    EXPECT_GT(compared, 5800);
}

TEST_F(RandomShapes, bounds_hold_all_that_is_inside) {
    int inside = 0;
    for (int n = 0; n < 6000; ++n) {
        const int dimension = 2 + n % 2;
        const Shape made = shape(1 + n / 2 % 5, dimension);
        const Vec3d p = point(3, dimension);
        if (surface_point(made, p).distance > 0) continue;
        ++inside;
        const Bounds box = *bounds(made);
        for (int axis = 0; axis < dimension; ++axis) {
            EXPECT_GE(p[axis], box.low[axis] - 1e-12);
            EXPECT_LE(p[axis], box.high[axis] + 1e-12);
        }
    }
    EXPECT_GT(inside, 100);
}

// The share of random points inside must be the volume's share of the box they are drawn from.
TEST_F(RandomShapes, volume_is_what_random_points_say) {
    for (int kind = 1; kind <= 5; ++kind) {
        for (int dimension = 2; dimension <= 3; ++dimension) {
            const Shape made = shape(kind, dimension);
            const Vec3d middle = *center(made);
            const double reach = 1.1 * length(bounds(made)->high - middle);
            int inside = 0;
            const int count = 200000;
            for (int n = 0; n < count; ++n)
                inside += surface_point(made, middle + point(reach, dimension)).distance < 0;
            const double sampled = inside * std::pow(2 * reach, dimension) / count;
            EXPECT_NEAR(sampled / *volume(made), 1, 0.03);
        }
    }
}

}  // namespace
}  // namespace treacle
