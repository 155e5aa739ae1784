#include "surface_mesh/surface_mesh.h"

#include <cmath>

#include <gtest/gtest.h>

#include "surface_mesh/pieces.h"
#include "unit/surface_mesh/clouds.h"

namespace treacle {
namespace {

constexpr double spacing = 0.01;

SurfaceMesh surface_of(const SurfaceParticles& particles, SurfaceSettings settings = {}, int threads = 2) {
    settings.spacing = spacing;
    auto mesh = reconstruct_surface(particles, settings, Parallel(threads));
    EXPECT_TRUE(mesh.has_value());
    return std::move(*mesh);
}

std::size_t piece_count(const SurfaceMesh& mesh) { return find_pieces({mesh.points, mesh.triangles}).volume.size(); }

TEST(SurfaceMesh, a_cube_has_its_volume_and_area) {
    for (const double jitter : {0.0, 0.2}) {
        const int n = 20;
        const double edge = n * spacing;
        const SurfaceMesh mesh = surface_of(test::lattice_box(n, n, n, spacing, jitter));
        EXPECT_TRUE(test::is_closed(mesh.triangles));
        EXPECT_NEAR(enclosed_volume(mesh) / std::pow(edge, 3), 1, 0.02);
        EXPECT_NEAR(surface_area(mesh) / (6 * edge * edge), 1, 0.05);
    }
}

TEST(SurfaceMesh, the_face_of_a_lattice_is_flat_and_in_its_place) {
    const int n = 20;
    const SurfaceMesh mesh = surface_of(test::lattice_box(n, n, n, spacing));
    int points = 0;
    for (const Vec3f& p : mesh.points) {
        const auto inner = [&](float x) { return x > 4 * spacing && x < (n - 4) * spacing; };
        if (!inner(p.x) || !inner(p.z) || p.y < n * spacing / 2) continue;
        EXPECT_NEAR(p.y, n * spacing, 0.01 * spacing);
        ++points;
    }
    EXPECT_GT(points, 500);
}

TEST(SurfaceMesh, a_ball_has_no_bumps) {
    // A ball cut from a lattice has steps, which the smoothing must take out.
    const double radius = 15 * spacing;
    for (const SurfaceParticles& ball : {test::lattice_ball(radius, spacing), test::lattice_ball(radius, spacing, 0.1),
                                         test::settled_ball(radius, spacing)}) {
        const SurfaceMesh mesh = surface_of(ball);
        EXPECT_TRUE(test::is_closed(mesh.triangles));
        const double by_volume = std::cbrt(enclosed_volume(mesh) * 3 / (4 * M_PI));
        EXPECT_NEAR(by_volume / radius, 1, 0.01);
        for (const Vec3f& p : mesh.points) ASSERT_NEAR(length(p) / by_volume, 1, 0.02);
        EXPECT_NEAR(surface_area(mesh) / (4 * M_PI * radius * radius), 1, 0.04);
    }
}

TEST(SurfaceMesh, of_nothing_is_nothing) { EXPECT_TRUE(surface_of({}).triangles.empty()); }

TEST(SurfaceMesh, threads_of_two_particles_stay_in_one_piece) {
    for (const double jitter : {0.0, 0.2}) {
        const SurfaceMesh mesh = surface_of(test::lattice_box(60, 2, 2, spacing, jitter));
        EXPECT_EQ(piece_count(mesh), 1u);
        EXPECT_NEAR(enclosed_volume(mesh) / (240 * std::pow(spacing, 3)), 1, 0.2);
    }
}

TEST(SurfaceMesh, random_clouds_are_closed_and_look_outward) {
    Random random(7);
    for (int trial = 0; trial < 50; ++trial) {
        SurfaceParticles particles;
        const double size = spacing * (1 + 12 * random.next());
        const int count = 1 + static_cast<int>(400 * random.next());
        for (int i = 0; i < count; ++i) {
            particles.positions.push_back(cast<float>(size * Vec3d{random.next(), random.next(), random.next()}));
        }
        const SurfaceMesh mesh = surface_of(particles);
        EXPECT_TRUE(test::is_closed(mesh.triangles)) << "trial " << trial;
        EXPECT_GT(enclosed_volume(mesh), 0) << "trial " << trial;
    }
}

}  // namespace
}  // namespace treacle
