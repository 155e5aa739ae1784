#include "geometry/mass_properties.h"

#include <cmath>

#include <gtest/gtest.h>

namespace treacle {
namespace {

/// Sums over a fine grid inside the shape.
struct Counted {
    double volume = 0;
    Vec3d center{};
    double moments[3][3]{};  ///< Σ x_a x_b about the center
};

Counted count(const Shape& shape, double step) {
    const Bounds box = *bounds(shape);
    Counted sums;
    const auto visit = [&](const auto& use) {
        for (double z = shape.dimension == 2 ? 0 : box.low.z + step / 2; z <= box.high.z; z += step) {
            for (double y = box.low.y + step / 2; y < box.high.y; y += step) {
                for (double x = box.low.x + step / 2; x < box.high.x; x += step) {
                    if (surface_point(shape, {x, y, z}).distance < 0) use(Vec3d{x, y, z});
                }
            }
            if (shape.dimension == 2) break;
        }
    };
    const double cell = shape.dimension == 2 ? step * step : step * step * step;
    visit([&](Vec3d p) {
        sums.volume += cell;
        sums.center += cell * p;
    });
    sums.center = sums.center / sums.volume;
    visit([&](Vec3d p) {
        const Vec3d r = p - sums.center;
        for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b) sums.moments[a][b] += cell * r[a] * r[b];
        }
    });
    return sums;
}

void expect_as_counted(const Shape& shape, double step) {
    const MassProperties found = *mass_properties(shape);
    const Counted counted = count(shape, step);
    EXPECT_NEAR(found.volume, counted.volume, 0.01 * counted.volume);
    EXPECT_NEAR(length(found.center - counted.center), 0, 1e-3);
    for (int axis = 0; axis < 3; ++axis) {
        if (shape.dimension == 2 && axis < 2) continue;
        Vec3d e{};
        e[axis] = 1;
        e = rotate(found.principal_axes, e);
        double trace = 0, along = 0;
        for (int a = 0; a < 3; ++a) {
            trace += counted.moments[a][a];
            for (int b = 0; b < 3; ++b) along += e[a] * counted.moments[a][b] * e[b];
        }
        EXPECT_NEAR(found.inertia[axis], trace - along, 0.02 * found.inertia[axis]) << axis;
    }
}

TEST(MassProperties, AreWhatACountGives) {
    Shape ball{Sphere{{0.1, 0.2, 0.3}, 0.5}}, brick{Box{{0.3, 0, -0.1}, {0.5, 1, 0.3}}};
    brick.transform = {{0.2, 0, 0.1}, from_euler_xyz({20, 30, 40}), 1.3};
    expect_as_counted(ball, 0.02);
    expect_as_counted(brick, 0.02);
    ball.dimension = brick.dimension = 2;
    brick.form = Box{{0.3, 0, 0}, {0.5, 1, 0}};
    brick.transform.rotate = from_euler_xyz({0, 0, 25});
    brick.transform.translate.z = 0;
    ball.form = Sphere{{0.1, 0.2, 0}, 0.5};
    expect_as_counted(ball, 0.005);
    expect_as_counted(brick, 0.005);
}

TEST(MassProperties, OfRoundShapesAreWhatACountGives) {
    const Transform turned{{0.2, 0, 0.1}, from_euler_xyz({20, 30, 40}), 1.3},
        flat{{0.2, 0, 0}, from_euler_xyz({0, 0, 25}), 1.3};
    for (const int dimension : {2, 3}) {
        const Vec3d axis = dimension == 2 ? Vec3d{1, 0.4, 0} : Vec3d{1, 0.4, -0.3}, center{0.1, 0.2, 0};
        for (const auto& form : {decltype(Shape::form){Cylinder{center, axis, 0.3, 0.8}},
                                 {Cylinder{center, axis, 0.4, 0.5, 0.25}},
                                 {Capsule{center, axis, 0.25, 0.5}}}) {
            expect_as_counted({form, dimension == 2 ? flat : turned, dimension}, dimension == 2 ? 0.003 : 0.012);
        }
    }
}

TEST(MassProperties, APlaneHasNone) { EXPECT_FALSE(mass_properties(Shape{Plane{}})); }

}  // namespace
}  // namespace treacle
