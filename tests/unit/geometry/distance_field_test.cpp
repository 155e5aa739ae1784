#include "geometry/distance_field.h"

#include <map>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "core/parallel.h"

namespace treacle {
namespace {

/// A sharp wedge, a plate of one spacing, a ball of fine triangles and a thin pipe.
std::vector<std::shared_ptr<const SolidMesh>> solids() {
    const TriangleMesh wedge{{{0, 0, 0}, {1, 0.1, 0}, {1, -0.1, 0}, {0, 0, 1}, {1, 0.1, 1}, {1, -0.1, 1}},
                             {{0, 1, 2}, {3, 5, 4}, {0, 3, 4}, {0, 4, 1}, {1, 4, 5}, {1, 5, 2}, {2, 5, 3}, {2, 3, 0}}};
    std::vector<std::shared_ptr<const SolidMesh>> all{std::make_shared<const SolidMesh>(wedge)};
    for (const Shape& shape :
         {Shape{Box{{}, {1, 0.1, 1}}}, Shape{Sphere{{}, 1}}, Shape{Cylinder{{}, {1, 1, 0}, 0.7, 1, 0.6}}}) {
        all.push_back(std::make_shared<const SolidMesh>(tessellate(shape)));
    }
    return all;
}

Vec3d point(std::mt19937& random, double reach) {
    std::uniform_real_distribution<double> number(-reach, reach);
    const double x = number(random), y = number(random);
    return {x, y, number(random)};
}

TEST(DistanceField, ComesCloseToTheMeshWhereParticlesAsk) {
    constexpr double spacing = 0.1, reach = 0.3;
    std::mt19937 random{7};
    for (const auto& mesh : solids()) {
        for (const bool inside : {false, true}) {
            const DistanceField field(mesh, {.spacing = spacing, .reach = reach, .inside = inside});
            for (int n = 0; n < (TREACLE_SANITIZED ? 500 : 20000); ++n) {
                const Vec3d p = point(random, 1.5);
                const SurfacePoint exact = mesh->nearest(p), found = field.nearest(p);
                const double into_fluid = inside ? -exact.distance : exact.distance;
                if (into_fluid <= reach) {
                    ASSERT_NEAR(found.distance, exact.distance, 0.05 * spacing);
                } else {
                    ASSERT_GT(inside ? -found.distance : found.distance, (1 - 1e-6) * reach - 0.05 * spacing);
                    ASSERT_LT(std::abs(found.distance), std::abs(exact.distance) + 0.05 * spacing);
                }
                ASSERT_NEAR(length(found.normal), 1, 1e-6);
                // No particle may be pushed the wrong way.
                if (std::abs(exact.distance) < 0.2 * spacing && std::abs(exact.distance) > 0.05 * spacing) {
                    ASSERT_GT(dot(found.normal, exact.normal), 0.5);
                }
            }
        }
    }
}

/// Splits every triangle in four.
TriangleMesh refined(const TriangleMesh& mesh) {
    TriangleMesh fine{mesh.vertices, {}};
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
        const auto [at, is_new] =
            middles.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(fine.vertices.size()));
        if (is_new) fine.vertices.push_back(0.5 * (mesh.vertices[a] + mesh.vertices[b]));
        return at->second;
    };
    for (const auto& [a, b, c] : mesh.triangles) {
        const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
        for (const auto& t :
             {std::array{a, ab, ca}, std::array{ab, b, bc}, std::array{ca, bc, c}, std::array{ab, bc, ca}}) {
            fine.triangles.push_back(t);
        }
    }
    return fine;
}

/// A nail thinner than any cube stands on a plate of fine triangles, between the corners of the cubes around it.
TEST(DistanceField, SmallThingsAreNotOverlooked) {
    constexpr double spacing = 0.3;
    TriangleMesh plate = tessellate(Shape{Box{{}, {4, 1, 4}}});
    for (int n = 0; n < 6; ++n) plate = refined(plate);
    const auto first = static_cast<std::uint32_t>(plate.vertices.size());
    for (const Vec3d v :
         {Vec3d{0.168, 0.45, 0.158}, Vec3d{0.172, 0.45, 0.158}, Vec3d{0.17, 0.45, 0.162}, Vec3d{0.17, 0.55, 0.16}}) {
        plate.vertices.push_back(v);
    }
    for (const auto& [a, b, c] :
         {std::array{0u, 1u, 2u}, std::array{0u, 3u, 1u}, std::array{1u, 3u, 2u}, std::array{2u, 3u, 0u}}) {
        plate.triangles.push_back({first + a, first + b, first + c});
    }
    const auto mesh = std::make_shared<const SolidMesh>(plate);
    const DistanceField field(mesh, {.spacing = spacing, .reach = 0.7});
    for (double y = 0.5; y < 1.1; y += 0.01) {
        const Vec3d p{0.17, y, 0.16};
        EXPECT_NEAR(std::abs(field.nearest(p).distance), std::abs(mesh->nearest(p).distance), 0.05 * spacing) << y;
    }
}

/// Fluid that touches a corner of a body does not pay for the rest of it.
TEST(DistanceField, IsLaidWhereItIsAsked) {
    const auto mesh = solids()[2];
    const DistanceField field(mesh, {.spacing = 0.05, .reach = 0.1});
    EXPECT_EQ(field.divided_count(), 0u);
    for (double x = 0; x < 0.05; x += 0.01) field.nearest({x, 1.02, 0});
    EXPECT_GE(field.divided_count(), 1u);
    EXPECT_LE(field.divided_count(), 4u);
    EXPECT_GT(field.cube_count(), 300u);
}

/// What was asked before, and by which thread, makes no difference to an answer.
TEST(DistanceField, HasTheSameBitsInAnyOrderOfQuestions) {
    std::mt19937 random{9};
    for (const auto& mesh : solids()) {
        const DistanceBand band{.spacing = 0.07, .reach = 0.2};
        const DistanceField forward(mesh, band), backward(mesh, band), at_once(mesh, band);
        std::vector<Vec3d> points;
        for (int n = 0; n < 5000; ++n) points.push_back(point(random, 1.5));
        std::vector<SurfacePoint> found(points.size()), parallel_found(points.size());
        for (std::size_t n = 0; n < points.size(); ++n) found[n] = forward.nearest(points[n]);
        Parallel(4).for_each(points.size(), [&](std::size_t n) { parallel_found[n] = at_once.nearest(points[n]); });
        for (std::size_t n = points.size(); n-- > 0;) {
            const SurfacePoint again = backward.nearest(points[n]);
            ASSERT_EQ(again.distance, found[n].distance);
            ASSERT_EQ(again.normal, found[n].normal);
            ASSERT_EQ(parallel_found[n].distance, found[n].distance);
            ASSERT_EQ(parallel_found[n].normal, found[n].normal);
        }
    }
}

TEST(DistanceField, OutsideOfTheGridTheMeshIsAsked) {
    const auto mesh = solids()[1];
    const DistanceField field(mesh, {.spacing = 0.1, .reach = 0.3});
    for (const Vec3d p : {Vec3d{50, 0, 0}, Vec3d{0, -1e6, 3}, Vec3d{0, 0, 0.9}}) {
        EXPECT_EQ(field.nearest(p).distance, mesh->nearest(p).distance);
    }
}

}  // namespace
}  // namespace treacle
