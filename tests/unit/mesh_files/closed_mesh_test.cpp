#include "mesh_files/closed_mesh.h"

#include <gtest/gtest.h>

#include "geometry/mass_properties.h"

namespace treacle {
namespace {

TriangleMesh cube() { return tessellate(Shape{Box{{}, {1, 1, 1}}}); }

std::string problem_of(const TriangleMesh& mesh) {
    const auto made = closed_mesh(mesh);
    return made ? "" : made.error().problems.front().message;
}

TEST(ClosedMesh, SeparateTrianglesAreWelded) {
    TriangleMesh soup;
    const TriangleMesh from = cube();
    for (const auto& t : from.triangles) {
        const auto first = static_cast<std::uint32_t>(soup.vertices.size());
        for (const std::uint32_t corner : t) soup.vertices.push_back(from.vertices[corner]);
        soup.triangles.push_back({first, first + 1, first + 2});
        soup.triangles.push_back({first, first, first + 1});  // without area
    }
    const auto made = closed_mesh(soup);
    ASSERT_TRUE(made) << to_string(made.error());
    EXPECT_EQ(made->vertices.size(), 8u);
    EXPECT_EQ(made->triangles.size(), 12u);
    EXPECT_NEAR(mass_properties(*made).volume, 1, 1e-12);
}

TEST(ClosedMesh, FacesAreTurnedOutward) {
    TriangleMesh mesh = cube();
    for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
        if (n % 3 != 1) std::swap(mesh.triangles[n][0], mesh.triangles[n][1]);
    }
    const auto made = closed_mesh(mesh);
    ASSERT_TRUE(made) << to_string(made.error());
    EXPECT_NEAR(mass_properties(*made).volume, 1, 1e-12);
    TriangleMesh inside_out = cube();
    for (auto& t : inside_out.triangles) std::swap(t[0], t[1]);
    EXPECT_NEAR(mass_properties(*closed_mesh(inside_out)).volume, 1, 1e-12);
}

TEST(ClosedMesh, AHollowBodyKeepsItsHole) {
    TriangleMesh mesh = cube();
    for (auto [a, b, c] : cube().triangles) mesh.triangles.push_back({a + 8, c + 8, b + 8});
    for (const Vec3d& v : cube().vertices) mesh.vertices.push_back(0.5 * v);
    EXPECT_NEAR(mass_properties(*closed_mesh(mesh)).volume, 1 - 0.125, 1e-12);
}

TEST(ClosedMesh, TellsWhatIsWrong) {
    EXPECT_EQ(problem_of({}), "the mesh holds no triangle");
    TriangleMesh holed = cube();
    holed.triangles.pop_back();
    EXPECT_TRUE(problem_of(holed).starts_with("the mesh is not closed: 3 edges are open; ")) << problem_of(holed);
    const TriangleMesh flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
    EXPECT_EQ(problem_of(flat), "the mesh encloses no volume");
}

}  // namespace
}  // namespace treacle
