#include "io/body_mesh.h"

#include <array>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "math/reproducible.h"
#include "support/temporary_folder.h"

namespace treacle {
namespace {

struct Mesh {
    std::vector<Vec3d> vertices;
    std::vector<std::array<std::size_t, 3>> triangles;
};

const Bounds around{{-1, 0, -2}, {1, 3, 2}};

Mesh written_mesh(const Body& body) {
    TemporaryFolder folder;
    const auto written = write_body_ply(folder.file("a.ply"), body, around);
    EXPECT_TRUE(written);
    std::istringstream file(content_of(folder.file("a.ply")));
    std::string line;
    std::size_t vertices = 0, faces = 0;
    while (std::getline(file, line) && line != "end_header") {
        if (line.starts_with("element vertex ")) vertices = std::stoul(line.substr(15));
        if (line.starts_with("element face ")) faces = std::stoul(line.substr(13));
    }
    Mesh mesh;
    for (std::size_t n = 0; n < vertices; ++n) {
        Vec3d v;
        file >> v.x >> v.y >> v.z;
        mesh.vertices.push_back(v);
    }
    for (std::size_t n = 0; n < faces; ++n) {
        std::size_t corners = 0;
        std::array<std::size_t, 3> t{};
        file >> corners >> t[0] >> t[1] >> t[2];
        EXPECT_EQ(corners, 3u);
        for (const std::size_t corner : t) EXPECT_LT(corner, vertices);
        mesh.triangles.push_back(t);
    }
    EXPECT_TRUE(file.good());
    EXPECT_FALSE(file >> line) << "more than the header announces";
    return mesh;
}

Vec3d area_vector(const Mesh& mesh, const std::array<std::size_t, 3>& t) {
    const Vec3d& a = mesh.vertices[t[0]];
    return 0.5 * cross(mesh.vertices[t[1]] - a, mesh.vertices[t[2]] - a);
}

/// Positive if all faces look outward.
double enclosed_volume(const Mesh& mesh) {
    double sum = 0;
    for (const auto& t : mesh.triangles) sum += dot(area_vector(mesh, t), mesh.vertices[t[0]]) / 3;
    return sum;
}

double signed_area(const Mesh& mesh) {
    double sum = 0;
    for (const auto& t : mesh.triangles) sum += area_vector(mesh, t).z;
    return sum;
}

/// Every edge is used once in each direction.
void expect_closed(const Mesh& mesh) {
    std::map<std::pair<std::size_t, std::size_t>, int> edges;
    for (const auto& t : mesh.triangles) {
        for (std::size_t n = 0; n < 3; ++n) ++edges[{t[n], t[(n + 1) % 3]}];
    }
    for (const auto& [edge, uses] : edges) {
        EXPECT_EQ(uses, 1);
        EXPECT_EQ(edges.count({edge.second, edge.first}), 1u);
    }
}

void expect_on_surface(const Mesh& mesh, const Shape& shape) {
    for (const Vec3d& v : mesh.vertices) EXPECT_NEAR(surface_point(shape, v).distance, 0, 1e-12);
}

Body body_of(Shape shape) {
    Body body;
    body.name = "body";
    body.shape = shape;
    body.pose = {{5, 6, 7}, from_axis_angle({0, 0, 1}, 90)};  // the mesh is in the body's own frame: no effect
    return body;
}

const Transform somewhere{{0.5, -1, 2}, from_axis_angle({1, 2, 3}, 40), 1.5};

TEST(BodyMesh, box) {
    const Shape shape{Box{{0.1, 0.2, 0.3}, {1, 2, 3}}, somewhere};
    const Mesh mesh = written_mesh(body_of(shape));
    EXPECT_EQ(mesh.triangles.size(), 12u);
    expect_closed(mesh);
    expect_on_surface(mesh, shape);
    EXPECT_NEAR(enclosed_volume(mesh), *volume(shape), 1e-9);
}

TEST(BodyMesh, sphere) {
    const Shape shape{Sphere{{0.1, 0.2, 0.3}, 2}, somewhere};
    const Mesh mesh = written_mesh(body_of(shape));
    expect_closed(mesh);
    expect_on_surface(mesh, shape);
    EXPECT_LT(enclosed_volume(mesh), *volume(shape));
    EXPECT_GT(enclosed_volume(mesh), 0.97 * *volume(shape));
}

TEST(BodyMesh, round_shapes) {
    const Vec3d center{0.1, 0.2, 0.3}, axis{1, -2, 0.5};
    for (const auto& form : {decltype(Shape::form){Cylinder{center, axis, 1, 3}},
                             {Cylinder{center, axis, 1, 3, 0.6}},
                             {Capsule{center, axis, 1, 3}}}) {
        const Shape shape{form, somewhere};
        const Mesh mesh = written_mesh(body_of(shape));
        expect_closed(mesh);
        expect_on_surface(mesh, shape);
        EXPECT_LT(enclosed_volume(mesh), *volume(shape));
        EXPECT_GT(enclosed_volume(mesh), 0.97 * *volume(shape));
    }
}

TEST(BodyMesh, two_dimensions) {
    const Transform turned{{1, 2, 0}, from_axis_angle({0, 0, 1}, 30), 2};
    const Shape disc{Sphere{{1, 0, 0}, 2}, turned, 2}, rectangle{Box{{1, 0, 0}, {2, 3, 0}}, turned, 2};
    const Shape bar{Cylinder{{1, 0, 0}, {1, 2, 0}, 1, 3}, turned, 2},
        plates{Cylinder{{1, 0, 0}, {1, 2, 0}, 1, 3, 0.5}, turned, 2},
        stadium{Capsule{{1, 0, 0}, {1, 2, 0}, 1, 3}, turned, 2};
    for (const Shape& shape : {disc, rectangle, bar, plates, stadium}) {
        const Mesh mesh = written_mesh(body_of(shape));
        for (const Vec3d& v : mesh.vertices) EXPECT_EQ(v.z, 0);
        EXPECT_NEAR(signed_area(mesh) / *volume(shape), 1, 0.01);
    }
    EXPECT_EQ(written_mesh(body_of(rectangle)).triangles.size(), 2u);
}

TEST(BodyMesh, a_container_looks_inward) {
    Body body = body_of(Shape{Box{{0, 0, 0}, {1, 1, 1}}});
    body.invert = true;
    EXPECT_NEAR(enclosed_volume(written_mesh(body)), -1, 1e-12);
}

TEST(BodyMesh, floor_lies_below_the_fluid) {
    Body body = body_of(Shape{Plane{{0, 2, 0}, -1}});  // height -0.5
    body.pose = {};
    const Mesh mesh = written_mesh(body);
    ASSERT_EQ(mesh.triangles.size(), 2u);
    Vec3d total{};
    for (const auto& t : mesh.triangles) total += area_vector(mesh, t);
    EXPECT_NEAR(total.y, 2 * 4, 1e-12);  // as large as the bounds, looking up
    for (const Vec3d& v : mesh.vertices) {
        EXPECT_NEAR(v.y, -0.5, 1e-12);
        EXPECT_NEAR(std::abs(v.x), 1, 1e-12);
        EXPECT_NEAR(std::abs(v.z), 2, 1e-12);
    }
}

TEST(BodyMesh, any_plane_covers_the_fluid_and_faces_away_from_the_solid) {
    for (const Vec3d normal : {Vec3d{1, 0, 0}, Vec3d{0, -1, 0}, Vec3d{0, 0, 3}, Vec3d{1, -2, 0.5}, Vec3d{-4, 0.1, 0}}) {
        const Body body = body_of(Shape{Plane{normal, 0.7}, somewhere});
        const Mesh mesh = written_mesh(body);
        expect_on_surface(mesh, body.shape);
        Vec3d total{};
        for (const auto& t : mesh.triangles) total += area_vector(mesh, t);
        const Vec3d out = surface_point(body.shape, {0, 0, 0}).normal;
        EXPECT_NEAR(dot(total, out), length(total), 1e-9);
        EXPECT_GT(length(total), 4) << "the smallest face of the bounds is 2 by 3";
    }
}

TEST(BodyMesh, a_line_in_two_dimensions_is_a_strip_inside_the_solid) {
    Shape shape{Plane{{-1, 2, 0}, 0.3}};
    shape.dimension = 2;
    const Body body = body_of(shape);
    const Mesh mesh = written_mesh(body);
    int on_surface = 0;
    for (const Vec3d& v : mesh.vertices) {
        const double distance = surface_point(shape, v).distance;
        EXPECT_LT(distance, 1e-12);
        on_surface += std::abs(distance) < 1e-12;
    }
    EXPECT_EQ(on_surface, 2);
    EXPECT_GT(signed_area(mesh), 0);
}

}  // namespace
}  // namespace treacle
