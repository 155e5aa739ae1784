#include "blocks/solids/surface_samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "geometry/distance_field.h"
#include "geometry/solid_mesh.h"
#include "geometry/tessellation.h"
#include "math/random.h"
#include "math/reproducible.h"
#include "math/space.h"
#include "neighbors/neighbors.h"

namespace treacle {
namespace {

constexpr double pi = reproducible::pi;

struct Case {
    std::string name;
    Shape shape;
    double spacing;
    double area;  ///< length in 2D
};

std::vector<Case> cases() {
    const Transform moved{{3, -1, 2}, from_axis_angle({1, 2, 3}, 40), 2};
    const Transform moved_2d{{3, -1, 0}, from_axis_angle({0, 0, 1}, 33), 2};
    return {{"sphere", {Sphere{{0.1, 0.2, 0.3}, 0.1}}, 0.01, 4 * pi * 0.01},
            {"small sphere", {Sphere{{}, 0.03}}, 0.01, 4 * pi * 0.0009},
            {"box", {Box{{}, {0.1, 0.15, 0.08}}}, 0.01, 2 * (0.015 + 0.012 + 0.008)},
            {"turned box", {Box{{}, {0.05, 0.05, 0.1}}, moved}, 0.01, 4 * 2 * (0.0025 + 0.005 + 0.005)},
            {"plate", {Box{{}, {0.3, 0.02, 0.3}}}, 0.01, 2 * 0.09 + 4 * 0.006},
            {"circle", {Sphere{{0.1, 0.2, 0}, 0.3}, {}, 2}, 0.01, 2 * pi * 0.3},
            {"rectangle", {Box{{}, {0.3, 0.1, 0}}, {}, 2}, 0.01, 0.8},
            {"turned rectangle", {Box{{}, {0.1, 0.2, 0}}, moved_2d, 2}, 0.01, 1.2}};
}

double samples_for(const Case& c) {
    return c.shape.dimension == 3 ? c.area / (c.spacing * c.spacing) : c.area / c.spacing;
}

/// Distance from every point to the nearest other.
std::vector<double> nearest_distances(const std::vector<Vec3d>& points, double reach) {
    const Parallel parallel(1);
    const std::vector<Row4<double>> rows(points.begin(), points.end());
    Neighbors<Space3d> neighbors;
    neighbors.update(rows, reach, parallel, no_period);
    std::vector<double> nearest(points.size(), reach);
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (const std::uint32_t j : neighbors.row(i)) nearest[i] = std::min(nearest[i], length(points[i] - points[j]));
    }
    return nearest;
}

double distance_to(const std::vector<Vec3d>& samples, Vec3d point) {
    double nearest = 1e300;
    for (const Vec3d& s : samples) nearest = std::min(nearest, length(s - point));
    return nearest;
}

std::vector<Vec3d> sampled(const Case& c, double depth = 0) {
    return sample_surface(c.shape, {.spacing = c.spacing, .depth = depth, .count = {}}, Parallel(2));
}

TEST(SurfaceSamples, lie_on_the_surface) {
    for (const Case& c : cases()) {
        for (const Vec3d& p : sampled(c)) {
            EXPECT_NEAR(surface_point(c.shape, p).distance, 0, 1e-12) << c.name;
            EXPECT_TRUE(c.shape.dimension == 3 || p.z == 0) << c.name;
        }
    }
}

TEST(SurfaceSamples, are_as_many_as_the_area_asks_for) {
    for (const Case& c : cases()) {
        EXPECT_NEAR(surface_area(c.shape) / c.area, 1, 1e-9) << c.name;
        EXPECT_NEAR(static_cast<double>(sampled(c).size()) / samples_for(c), 1, 0.02) << c.name;
    }
}

TEST(SurfaceSamples, come_in_the_count_asked_for) {
    for (const Case& c : cases()) {
        EXPECT_EQ(sample_surface(c.shape, {.spacing = 1, .depth = 0, .count = 321}, Parallel(1)).size(), 321u)
            << c.name;
    }
    EXPECT_EQ(sample_surface({Sphere{{}, 0.1}}, {.spacing = 100, .depth = 0, .count = {}}, Parallel(1)).size(), 1u);
}

TEST(SurfaceSamples, are_evenly_spaced) {
    for (const Case& c : cases()) {
        const std::vector<double> nearest = nearest_distances(sampled(c), 3 * c.spacing);
        double sum = 0, squares = 0;
        for (const double d : nearest) sum += d, squares += d * d;
        const double mean = sum / static_cast<double>(nearest.size());
        const double deviation = std::sqrt(squares / static_cast<double>(nearest.size()) - mean * mean);
        EXPECT_LT(deviation / mean, 0.08) << c.name;
        EXPECT_NEAR(mean / c.spacing, 0.97, 0.05) << c.name;
        EXPECT_GT(*std::min_element(nearest.begin(), nearest.end()), 0.7 * c.spacing) << c.name;
    }
}

TEST(SurfaceSamples, leave_no_hole) {
    Random random(7);
    for (const Case& c : cases()) {
        const std::vector<Vec3d> samples = sampled(c);
        const Bounds box = *bounds(c.shape);
        double hole = 0;
        for (int n = 0; n < 2000; ++n) {  // random places, projected to the surface; many fall on edges and corners
            Vec3d p{};
            for (int axis = 0; axis < c.shape.dimension; ++axis) {
                p[axis] = box.low[axis] + (1.4 * random.next() - 0.2) * (box.high[axis] - box.low[axis]);
            }
            const SurfacePoint hit = surface_point(c.shape, p);
            hole = std::max(hole, distance_to(samples, p - hit.distance * hit.normal));
        }
        EXPECT_LT(hole, 0.9 * c.spacing) << c.name;
    }
}

TEST(SurfaceSamples, lie_in_layers_below_and_above) {
    for (const Case& c : cases()) {
        for (const double depth : {c.spacing, 2 * c.spacing, -c.spacing}) {
            const std::vector<Vec3d> samples = sampled(c, depth);
            const bool fits = !(c.name == "plate" && depth > 0);  // two layers meet in the middle, more do not fit
            EXPECT_EQ(samples.empty(), c.name == "plate" && depth > 1.5 * c.spacing) << c.name;
            for (const Vec3d& p : samples) EXPECT_NEAR(surface_point(c.shape, p).distance, -depth, 1e-9) << c.name;
            if (!fits) continue;
            const std::vector<double> nearest = nearest_distances(samples, 3 * c.spacing);
            EXPECT_GT(*std::min_element(nearest.begin(), nearest.end()), 0.65 * c.spacing) << c.name << depth;
        }
    }
}

TEST(SurfaceSamples, have_the_same_bits_for_any_number_of_threads) {
    const Case c = cases()[3];
    const auto once = sample_surface(c.shape, {.spacing = 0.003, .depth = 0, .count = {}}, Parallel(1));
    for (const int threads : {2, 4}) {
        EXPECT_EQ(sample_surface(c.shape, {.spacing = 0.003, .depth = 0, .count = {}}, Parallel(threads)), once);
    }
}

/// Splits every triangle in four, some times.
TriangleMesh refined(TriangleMesh mesh, int times) {
    for (; times > 0; --times) {
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
        mesh = std::move(fine);
    }
    return mesh;
}

/// Sharp edges of huge triangles and of tiny ones, a plate, a ball of triangles. Areas half a spacing inside.
std::vector<Case> meshes() {
    const auto mesh = [](const Shape& shape, int times, Transform transform = {}) {
        return Shape{Mesh{"", std::make_shared<const SolidMesh>(refined(tessellate(shape), times))}, transform, 3};
    };
    const Shape box{Box{{}, {0.1, 0.15, 0.08}}}, plate{Box{{}, {0.2, 0.03, 0.2}}}, ball{Sphere{{}, 0.1}};
    const Transform moved{{3, -1, 2}, from_axis_angle({1, 2, 3}, 40), 2};
    return {{"box", mesh(box, 0), 0.01, 2 * (0.09 * 0.14 + 0.09 * 0.07 + 0.14 * 0.07)},
            {"moved box", mesh(box, 0, moved), 0.02, 8 * (0.09 * 0.14 + 0.09 * 0.07 + 0.14 * 0.07)},
            {"box of tiny triangles", mesh(box, 6), 0.01, 2 * (0.09 * 0.14 + 0.09 * 0.07 + 0.14 * 0.07)},
            {"plate", mesh(plate, 0), 0.01, 2 * 0.19 * 0.19 + 4 * 0.19 * 0.02},
            {"ball", mesh(ball, 0), 0.01, 4 * pi * 0.095 * 0.095}};
}

TEST(SurfaceSamples, of_meshes_lie_evenly_in_their_layer) {
    for (const Case& c : meshes()) {
        const std::vector<Vec3d> samples = sampled(c, 0.5 * c.spacing);
        EXPECT_NEAR(static_cast<double>(samples.size()) / samples_for(c), 1, 0.02) << c.name;
        for (const Vec3d& p : samples) ASSERT_NEAR(surface_point(c.shape, p).distance, -0.5 * c.spacing, 1e-9);
        const std::vector<double> nearest = nearest_distances(samples, 3 * c.spacing);
        double sum = 0, squares = 0;
        for (const double d : nearest) sum += d, squares += d * d;
        const double mean = sum / static_cast<double>(nearest.size());
        const double deviation = std::sqrt(squares / static_cast<double>(nearest.size()) - mean * mean);
        EXPECT_LT(deviation / mean, 0.15) << c.name;
        EXPECT_GT(*std::min_element(nearest.begin(), nearest.end()), 0.5 * c.spacing) << c.name;
    }
}

TEST(SurfaceSamples, of_meshes_leave_no_hole) {
    Random random(11);
    for (const Case& c : meshes()) {
        const std::vector<Vec3d> samples = sampled(c);
        EXPECT_NEAR(static_cast<double>(samples.size()) * c.spacing * c.spacing / surface_area(c.shape), 1, 0.02);
        const Bounds box = *bounds(c.shape);
        double hole = 0;
        for (int n = 0; n < 1000; ++n) {
            Vec3d p{};
            for (int axis = 0; axis < 3; ++axis)
                p[axis] = box.low[axis] + (1.4 * random.next() - 0.2) * (box.high[axis] - box.low[axis]);
            const SurfacePoint hit = surface_point(c.shape, p);
            hole = std::max(hole, distance_to(samples, p - hit.distance * hit.normal));
        }
        EXPECT_LT(hole, c.spacing) << c.name;
    }
}

TEST(SurfaceSamples, of_meshes_have_the_same_bits_for_any_number_of_threads) {
    const Case c = meshes()[1];
    EXPECT_EQ(sample_surface(c.shape, {.spacing = 0.02, .depth = 0.01, .count = {}}, Parallel(1)),
              sample_surface(c.shape, {.spacing = 0.02, .depth = 0.01, .count = {}}, Parallel(4)));
}

/// The field of a mesh would be laid along all of its surface.
TEST(SurfaceSamples, of_meshes_do_not_ask_the_field) {
    Case c = meshes()[0];
    auto& mesh = std::get<Mesh>(c.shape.form);
    const auto field = std::make_shared<const DistanceField>(mesh.solid, DistanceBand{.spacing = 0.01, .reach = 0.02});
    mesh.field = field;
    EXPECT_FALSE(sampled(c, 0.005).empty());
    EXPECT_EQ(field->divided_count(), 0u);
}

TEST(PlaneLattice, is_the_same_in_every_patch) {
    const Shape plane{Plane{{1, 2, 2}, 0.7}, {{0, 0, 0.1}, {}, 1}, 3};
    const PlaneLattice lattice(plane, 0.01);
    const std::vector<Vec3d> wide = lattice.patch({{-0.1, 0.05, 0}, {0.1, 0.2, 0.6}});
    const std::vector<Vec3d> narrow = lattice.patch({{0, 0.1, 0}, {0.1, 0.2, 0.6}});
    ASSERT_GT(narrow.size(), 50u);
    for (const Vec3d& p : wide) EXPECT_NEAR(surface_point(plane, p).distance, 0, 1e-14);
    for (const Vec3d& p : narrow) EXPECT_NE(std::find(wide.begin(), wide.end(), p), wide.end());
    for (const double d : nearest_distances(wide, 0.03)) EXPECT_NEAR(d, 0.01, 1e-12);
}

TEST(PlaneLattice, fills_bounds) {
    const PlaneLattice floor({Plane{{0, 3, 0}, 0}}, 0.5);
    EXPECT_EQ(floor.patch({{-1, 0, -1}, {1, 0, 1.2}}).size(), 25u) << "edges belong to it";
    EXPECT_TRUE(floor.patch({{-1, 0.1, -1}, {1, 0.2, 1}}).empty());
    const PlaneLattice wall({Plane{{-1, 0, 0}, -2}, {}, 2}, 0.5, 0.5);
    const std::vector<Vec3d> samples = wall.patch({{1, -1, 0}, {3, 1, 0}});
    ASSERT_EQ(samples.size(), 5u);
    for (const Vec3d& p : samples) EXPECT_NEAR(p.x, 2.5, 1e-15) << "half a meter below the surface at 2";
    EXPECT_NEAR(wall.distance({2, 0, 0}), 0.5, 1e-15);
}

}  // namespace
}  // namespace treacle
