#include "geometry/solid_mesh.h"

#include <memory>
#include <random>

#include <gtest/gtest.h>

namespace treacle {
namespace {

double number(std::mt19937& random, double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
}
Vec3d point(std::mt19937& random, double reach) {
    return {number(random, -reach, reach), number(random, -reach, reach), number(random, -reach, reach)};
}

Shape mesh_of(const Shape& shape) {
    Shape made = shape;
    made.form = Mesh{"", std::make_shared<const SolidMesh>(tessellate(shape))};
    return made;
}

TEST(SolidMesh, ACubeIsABox) {
    std::mt19937 random{5};
    const Shape box{Box{{0.1, 0.2, 0.3}, {1, 2, 0.5}}, {{1, 0, 0}, from_axis_angle({1, 2, 3}, 40), 1.5}},
        mesh = mesh_of(box);
    for (int n = 0; n < 20000; ++n) {
        const Vec3d p = Vec3d{1, 0, 0} + point(random, n % 2 ? 4 : 1.5);
        const SurfacePoint expected = surface_point(box, p), found = surface_point(mesh, p);
        ASSERT_NEAR(found.distance, expected.distance, 1e-12);
        // Where two faces are equally near, either direction is right.
        if (expected.distance > 0) { ASSERT_NEAR(length(found.normal - expected.normal), 0, 1e-9); }
        ASSERT_NEAR(length(found.normal), 1, 1e-12);
    }
    const MassProperties a = *mass_properties(box), b = *mass_properties(mesh);
    EXPECT_NEAR(a.volume, b.volume, 1e-12);
    EXPECT_NEAR(a.surface, b.surface, 1e-12);
    EXPECT_NEAR(length(a.center - b.center), 0, 1e-12);
    EXPECT_NEAR(length(*center(box) - *center(mesh)), 0, 1e-12);
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(bounds(box)->low[axis], bounds(mesh)->low[axis], 1e-12);
        EXPECT_NEAR(bounds(box)->high[axis], bounds(mesh)->high[axis], 1e-12);
    }
}

/// Nearest point of a triangle, by going through its corners, edges and face.
double brute_force(const TriangleMesh& mesh, Vec3d p) {
    double nearest = 1e300;
    for (const auto& t : mesh.triangles) {
        const Vec3d v[3]{mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
        const Vec3d normal = cross(v[1] - v[0], v[2] - v[0]) / length(cross(v[1] - v[0], v[2] - v[0]));
        bool above = true;
        for (int n = 0; n < 3; ++n) {
            const Vec3d a = v[n], along = v[(n + 1) % 3] - a;
            const double share = std::clamp(dot(p - a, along) / dot(along, along), 0.0, 1.0);
            nearest = std::min(nearest, length(p - a - share * along));
            above = above && dot(cross(normal, along), p - a) >= 0;
        }
        if (above) nearest = std::min(nearest, std::abs(dot(p - v[0], normal)));
    }
    return nearest;
}

/// A sharp wedge, a thin plate, a ball and a pipe: distances against all triangles, and the sign against the true
/// shape.
TEST(SolidMesh, DistancesAreThoseToTheNearestTriangle) {
    std::mt19937 random{6};
    const TriangleMesh wedge{{{0, 0, 0}, {1, 0.01, 0}, {1, -0.01, 0}, {0, 0, 1}, {1, 0.01, 1}, {1, -0.01, 1}},
                             {{0, 1, 2}, {3, 5, 4}, {0, 3, 4}, {0, 4, 1}, {1, 4, 5}, {1, 5, 2}, {2, 5, 3}, {2, 3, 0}}};
    std::vector<TriangleMesh> meshes{wedge};
    for (const Shape& shape :
         {Shape{Box{{}, {1, 0.01, 1}}}, Shape{Sphere{{}, 1}}, Shape{Cylinder{{}, {1, 1, 0}, 0.7, 1, 0.65}}}) {
        meshes.push_back(tessellate(shape));
    }
    for (const TriangleMesh& mesh : meshes) {
        const SolidMesh solid(mesh);
        for (int n = 0; n < 1500; ++n) {
            const Vec3d p = point(random, 1.5);
            const SurfacePoint hit = solid.nearest(p);
            ASSERT_NEAR(std::abs(hit.distance), brute_force(mesh, p), 1e-12);
            ASSERT_NEAR(std::abs(solid.nearest(p - hit.distance * hit.normal).distance), 0, 1e-9);
        }
    }
    // The sign near the tip of the wedge: along its middle, everything up to the tip is inside.
    const SolidMesh solid(meshes[0]);
    for (double x = 0.001; x < 1; x += 0.001) {
        EXPECT_LT(solid.nearest({x, 0, 0.5}).distance, 0);
        EXPECT_GT(solid.nearest({-x, 0, 0.5}).distance, 0);
        EXPECT_GT(solid.nearest({x, 0.0101 * x + 1e-6, 0.5}).distance, 0);
    }
}

TEST(SolidMesh, MassPropertiesComeNearTheTrueShape) {
    for (const Shape& shape :
         {Shape{Sphere{{1, 2, 3}, 0.5}}, Shape{Cylinder{{1, 2, 3}, {1, 2, -1}, 0.4, 2}},
          Shape{Cylinder{{1, 0, 3}, {1, -2, 1}, 0.4, 1, 0.2}}, Shape{Capsule{{1, 2, 3}, {0, 2, -1}, 0.4, 2}}}) {
        const MassProperties exact = *mass_properties(shape), found = mass_properties(tessellate(shape));
        EXPECT_NEAR(found.volume, exact.volume, 0.02 * exact.volume);
        EXPECT_NEAR(length(found.center - exact.center), 0, 1e-9);
        // Axes may come in another order: compare the whole tensor, along some directions.
        for (const Vec3d d : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0.6, 0, 0.8}, Vec3d{0.36, 0.48, 0.8}}) {
            const auto along = [&](const MassProperties& m) {
                const Vec3d e = rotate(conjugate(m.principal_axes), d);
                return m.inertia.x * e.x * e.x + m.inertia.y * e.y * e.y + m.inertia.z * e.z * e.z;
            };
            EXPECT_NEAR(along(found), along(exact), 0.04 * along(exact));
        }
    }
}

}  // namespace
}  // namespace treacle
