#include "surface_mesh/surface_mesh.h"

#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"
#include "surface_mesh/density_threshold.h"
#include "surface_mesh/mesh_file.h"
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
    // A ball cut from a lattice has steps, which smoothing must remove.
    const double radius = 15 * spacing;
    for (const SurfaceParticles& ball : {test::lattice_ball(radius, spacing), test::lattice_ball(radius, spacing, 0.1),
                                         test::settled_ball(radius, spacing)}) {
        const SurfaceMesh mesh = surface_of(ball);
        EXPECT_TRUE(test::is_closed(mesh.triangles));
        const double by_volume = std::cbrt(enclosed_volume(mesh) * 3 / (4 * M_PI));
        EXPECT_NEAR(by_volume / (spacing * std::cbrt(static_cast<double>(ball.positions.size()) * 3 / (4 * M_PI))), 1,
                    0.01);
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

TEST(SurfaceMesh, a_row_of_single_particles_stays_in_one_piece_as_a_thread) {
    EXPECT_EQ(piece_count(surface_of(test::lattice_box(60, 1, 1, spacing))), 1u);
}

TEST(SurfaceMesh, a_sheet_of_one_layer_has_no_holes) {
    const SurfaceMesh mesh = surface_of(test::lattice_box(30, 1, 30, spacing, 0.1));
    EXPECT_EQ(piece_count(mesh), 1u);
    // A closed surface without handles: points - edges + triangles = 2, and three edges belong to two triangles.
    EXPECT_EQ(static_cast<long>(mesh.points.size()) - static_cast<long>(mesh.triangles.size()) / 2, 2);
}

TEST(SurfaceMesh, drops_are_kept_or_dropped) {
    SurfaceParticles particles = test::lattice_box(6, 6, 6, spacing);
    particles.positions.push_back({0.2f, 0.2f, 0.2f});
    EXPECT_EQ(piece_count(surface_of(particles)), 2u);
    SurfaceSettings settings;
    settings.keep_drops = false;
    EXPECT_EQ(piece_count(surface_of(particles, settings)), 1u);
}

TEST(SurfaceMesh, a_missing_particle_leaves_no_bubble) {
    SurfaceParticles particles = test::lattice_box(9, 9, 9, spacing);
    std::erase_if(particles.positions, [](Vec3f p) { return length(p - Vec3f{0.045f, 0.045f, 0.045f}) < 0.011f; });
    EXPECT_EQ(particles.positions.size(), 729u - 7u);
    EXPECT_EQ(piece_count(surface_of(particles)), 1u);
}

TEST(SurfaceMesh, has_the_same_bits_for_any_number_of_threads) {
    SurfaceParticles particles = test::lattice_ball(12 * spacing, spacing, 0.2);
    particles.columns.push_back({"x", "m", {}, SurfaceColumn::Inherit::mean, false});
    for (const Vec3f& p : particles.positions) particles.columns[0].values.push_back(p.x);
    const SurfaceMesh one = surface_of(particles, {}, 1);
    for (const int threads : {2, 4}) {
        const SurfaceMesh many = surface_of(particles, {}, threads);
        EXPECT_EQ(one.points, many.points);
        EXPECT_EQ(one.triangles, many.triangles);
        EXPECT_EQ(one.normals, many.normals);
        EXPECT_EQ(one.columns[0].values, many.columns[0].values);
    }
}

TEST(SurfaceMesh, points_inherit_columns) {
    SurfaceParticles particles = test::lattice_box(20, 8, 8, spacing);
    particles.columns = {{"along", "m", {}, SurfaceColumn::Inherit::mean, false},
                         {"half", {}, {}, SurfaceColumn::Inherit::nearest, true}};
    for (const Vec3f& p : particles.positions) {
        particles.columns[0].values.push_back(p.x);
        particles.columns[1].values.push_back(p.x < 0.1f ? 3 : 200);
    }
    const SurfaceMesh mesh = surface_of(particles);
    const SurfaceColumn *along = mesh.find("along"), *half = mesh.find("half");
    ASSERT_TRUE(along && half && !mesh.find("nothing"));
    for (std::size_t n = 0; n < mesh.points.size(); ++n) {
        const float x = mesh.points[n].x;
        EXPECT_NEAR(along->values[n], x, spacing);
        if (std::abs(x - 0.1f) > spacing) { EXPECT_EQ(half->values[n], x < 0.1f ? 3 : 200); }
        EXPECT_TRUE(half->values[n] == 3 || half->values[n] == 200);
    }
}

TEST(SurfaceMesh, normals_look_outward) {
    const SurfaceMesh mesh = surface_of(test::settled_ball(10 * spacing, spacing));
    for (std::size_t n = 0; n < mesh.points.size(); ++n) {
        EXPECT_NEAR(length(mesh.normals[n]), 1, 1e-5);
        EXPECT_GT(dot(mesh.normals[n], mesh.points[n]) / length(mesh.points[n]), 0.97);
    }
}

TEST(SurfaceMesh, refuses_places_that_are_none) {
    SurfaceParticles particles = test::lattice_box(3, 3, 3, spacing);
    SurfaceSettings settings;
    settings.spacing = spacing;
    for (const float place : {std::nanf(""), std::numeric_limits<float>::infinity(), 1e30f}) {
        particles.positions[4].y = place;
        const auto mesh = reconstruct_surface(particles, settings, Parallel(1));
        ASSERT_FALSE(mesh.has_value());
        EXPECT_NE(to_string(mesh.error()).find("particle 5 is at"), std::string::npos);
    }
    particles.positions[4].y = 10000;  // far, but finite: a million spacings away
    EXPECT_EQ(piece_count(surface_of(particles)), 2u);
}

TEST(DensityThreshold, finds_the_particles_of_the_surface) {
    const int n = 15;
    const SurfaceParticles cube = test::lattice_box(n, n, n, spacing, 0.05);
    DensityThreshold method;
    method.spacing = spacing;
    const auto found = method.surface_particles(cube.positions, Parallel(2));
    int outer = 0, outer_found = 0, inner_found = 0;
    for (int i = 0; i < n * n * n; ++i) {
        const auto rim = [&](int c) { return c == 0 || c == n - 1; };
        const bool on_surface = rim(i % n) || rim(i / n % n) || rim(i / n / n);
        outer += on_surface;
        (on_surface ? outer_found : inner_found) += found[static_cast<std::size_t>(i)];
    }
    EXPECT_GE(outer_found, 0.99 * outer);
    EXPECT_LE(inner_found, 0.01 * (n * n * n - outer));
}

TEST(DensityThreshold, gives_closed_surfaces_around_everything) {
    SurfaceParticles particles = test::lattice_box(12, 10, 8, spacing, 0.1);
    particles.columns.push_back({"x", "m", {}, SurfaceColumn::Inherit::mean, false});
    for (const Vec3f& p : particles.positions) particles.columns[0].values.push_back(p.x);
    DensityThreshold method;
    method.spacing = spacing;
    for (const std::array<int, 3>& grid : {std::array{32, 32, 48}, std::array{96, 64, 64}}) {
        method.grid = grid;
        const auto mesh = method.reconstruct(particles, Parallel(2));
        ASSERT_TRUE(mesh.has_value());
        EXPECT_TRUE(test::is_closed(mesh->triangles));
        EXPECT_EQ(piece_count(*mesh), 1u);
        // All points within r of the box that the centers span have the volume V; balls have dents between them.
        const double a = 11, b = 9, c = 7, r = method.distance;
        const double volume =
            a * b * c + 2 * r * (a * b + b * c + c * a) + M_PI * r * r * (a + b + c) + 4.0 / 3 * M_PI * r * r * r;
        EXPECT_NEAR(enclosed_volume(*mesh) / std::pow(spacing, 3) / volume, 0.96, 0.02);
        EXPECT_EQ(mesh->columns[0].values.size(), mesh->points.size());
        EXPECT_EQ(mesh->points, method.reconstruct(particles, Parallel(1))->points);
    }
}

TEST(MeshFiles, ply_and_obj_hold_the_mesh) {
    const TemporaryFolder folder;
    SurfaceParticles particles = test::lattice_box(4, 4, 4, spacing);
    particles.columns = {{"red", {}, std::vector<float>(64, 200), SurfaceColumn::Inherit::mean, true},
                         {"speed", "m/s", std::vector<float>(64, 2.5f), SurfaceColumn::Inherit::mean, false}};
    SurfaceMesh mesh = surface_of(particles);
    ASSERT_TRUE(write_mesh_ply(folder.file("a.ply"), mesh, 7, 0.25));
    const std::string ply = content_of(folder.file("a.ply"));
    const std::size_t body = ply.find("end_header\n") + 11;
    const std::string header = ply.substr(0, body);
    for (const char* line :
         {"comment frame 7\n", "comment time 0.25\n", "comment unit speed m/s\n", "property uchar red\n",
          "property float speed\n", "property list uchar int vertex_indices\n"}) {
        EXPECT_NE(header.find(line), std::string::npos) << line;
    }
    ASSERT_EQ(ply.size() - body, mesh.points.size() * (6 * 4 + 1 + 4) + mesh.triangles.size() * 13);
    EXPECT_EQ(std::memcmp(ply.data() + body, &mesh.points[0], 12), 0);
    EXPECT_EQ(static_cast<std::uint8_t>(ply[body + 24]), 200);
    EXPECT_EQ(std::memcmp(ply.data() + ply.size() - 12, &mesh.triangles.back(), 12), 0);

    ASSERT_TRUE(write_mesh_obj(folder.file("a.obj"), mesh, 7, 0.25));
    const std::string obj = content_of(folder.file("a.obj"));
    const auto lines_with = [&](const std::string& start) {
        std::size_t count = 0;
        for (std::size_t at = obj.find("\n" + start); at != std::string::npos; at = obj.find("\n" + start, at + 1))
            ++count;
        return count;
    };
    EXPECT_EQ(lines_with("v "), mesh.points.size());
    EXPECT_EQ(lines_with("vn "), mesh.points.size());
    EXPECT_EQ(lines_with("f "), mesh.triangles.size());
}

/// Particles of half the spacing need less room: the surface is closer to them than to whole ones.
TEST(SurfaceMesh, SmallerParticlesHaveASurfaceCloserToThem) {
    SurfaceParticles particles = test::lattice_box(24, 24, 24, 0.5 * spacing, 0.02);
    const double volume = std::pow(12 * spacing, 3);
    const double as_whole = enclosed_volume(surface_of(particles));
    particles.sizes.assign(particles.positions.size(), 0.5f);
    const double as_small = enclosed_volume(surface_of(particles));
    EXPECT_NEAR(as_small / volume, 1, 0.02);
    EXPECT_GT(as_whole / volume, 1.08);
}

/// A thread thinner than the grid is drawn, in one piece; a finer grid draws it thinner.
TEST(SurfaceMesh, ThreadsOfTinyParticlesStayInOnePiece) {
    SurfaceParticles particles;
    for (int n = 0; n < 200; ++n) {
        for (const float side : {-0.05f, 0.05f}) {
            particles.positions.push_back(
                {side * static_cast<float>(spacing), 0.1f * static_cast<float>(n * spacing), 0});
            particles.sizes.push_back(0.1f);
        }
    }
    double before = 1e9;
    for (const double resolution : {2.0, 4.0}) {
        SurfaceSettings settings;
        settings.resolution = resolution;
        const SurfaceMesh mesh = surface_of(particles, settings);
        float low = 1e9f, high = -1e9f;
        for (const Vec3f& point : mesh.points) low = std::min(low, point.y), high = std::max(high, point.y);
        EXPECT_NEAR(high - low, 20 * spacing, 1.2 * spacing);
        const double volume = enclosed_volume(mesh);
        EXPECT_GT(volume, 0);
        EXPECT_LT(volume, 0.5 * before);
        before = volume;
    }
}

}  // namespace
}  // namespace treacle
