#include "scene/sampling.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "math/reproducible.h"

namespace treacle {
namespace {

constexpr double spacing = 0.01;

Scene scene_with(Shape shape, int dimension) {
    Scene scene;
    scene.dimension = dimension;
    scene.particle_spacing = spacing;
    scene.materials.resize(1);
    scene.materials[0].density = 1200;
    Fluid fluid;
    fluid.shape = shape;
    fluid.shape.dimension = dimension;
    scene.fluids.push_back(fluid);
    return scene;
}

FluidSamples sampled(const Scene& scene) { return sample_fluid(scene.fluids[0], scene); }

void expect_near(Vec3d a, Vec3d b, double tolerance = 1e-12) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
}

double closest_pair(const std::vector<Vec3d>& points) {
    double closest = 1e300;
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) closest = std::min(closest, length(points[i] - points[j]));
    }
    return closest;
}

TEST(Sampling, a_box_is_filled_evenly) {
    const Scene scene = scene_with({Box{{1, 2, 3}, {0.05, 0.03, 0.02}}}, 3);
    const FluidSamples samples = sampled(scene);
    ASSERT_EQ(samples.positions.size(), 5u * 3 * 2);
    EXPECT_EQ(predicted_count(scene.fluids[0], scene), 30);
    expect_near(samples.positions.front(), {1 - 0.02, 2 - 0.01, 3 - 0.005});
    expect_near(samples.positions[1], {1 - 0.01, 2 - 0.01, 3 - 0.005});
    expect_near(samples.positions.back(), {1 + 0.02, 2 + 0.01, 3 + 0.005});
    EXPECT_DOUBLE_EQ(samples.particle_mass, 1200 * 1e-6);
    EXPECT_NEAR(samples.spacing, spacing, 1e-15);
    EXPECT_EQ(samples.removed, 0u);
}

TEST(Sampling, box_points_are_rounded_and_never_none) {
    // 4.6 spacings hold 5 points, 2.4 hold 2, and 0.1 still 1.
    const Scene scene = scene_with({Box{{}, {0.046, 0.024, 0.001}}}, 3);
    const FluidSamples samples = sampled(scene);
    EXPECT_EQ(samples.positions.size(), 10u);
    EXPECT_NEAR(samples.particle_mass * 10, 1200 * 0.046 * 0.024 * 0.001, 1e-15);
    for (const Vec3d p : samples.positions) EXPECT_EQ(p.z, 0);
    // Sizes that are whole numbers of spacings but for rounding.
    for (int n = 1; n < 60; ++n) {
        EXPECT_EQ(predicted_count(scene_with({Box{{}, {n * 0.01, 0.01, 0}}}, 2).fluids[0], scene_with({}, 2)), n);
    }
}

TEST(Sampling, two_dimensions_stay_flat) {
    const Scene scene = scene_with({Sphere{{1, 2, 0}, 0.05}}, 2);
    const FluidSamples samples = sampled(scene);
    EXPECT_EQ(samples.positions.size(), 69u) << "whole points with x² + y² < 25";
    for (const Vec3d p : samples.positions) EXPECT_EQ(p.z, 0);
    EXPECT_NEAR(samples.particle_mass * 69, 1200 * reproducible::pi * 0.0025, 1e-12);
}

TEST(Sampling, a_sphere_keeps_what_is_inside) {
    const Scene scene = scene_with({Sphere{{0.3, 0, 0}, 0.0401}}, 3);
    const FluidSamples samples = sampled(scene);
    EXPECT_EQ(samples.positions.size(), 257u) << "whole points with x² + y² + z² <= 16";
    EXPECT_EQ(predicted_count(scene.fluids[0], scene), 257);
    EXPECT_NE(std::find(samples.positions.begin(), samples.positions.end(), Vec3d{0.3, 0, 0}), samples.positions.end());
    for (const Vec3d p : samples.positions) EXPECT_LT(length(p - Vec3d{0.3, 0, 0}), 0.0401);
    EXPECT_NEAR(closest_pair(samples.positions), spacing, 1e-12);
    EXPECT_NEAR(samples.particle_mass * 257, 1200 * 4.0 / 3 * reproducible::pi * std::pow(0.0401, 3), 1e-12);
}

TEST(Sampling, a_tiny_sphere_is_one_particle) {
    EXPECT_EQ(sampled(scene_with({Sphere{{}, 1e-4}}, 3)).positions.size(), 1u);
}

TEST(Sampling, points_on_the_surface_are_outside_at_every_size) {
    // radius = 3 spacings, at scales where the quotient rounds either way
    std::set<std::size_t> counts;
    for (int n = 1; n < 200; ++n) {
        Scene scene = scene_with({Sphere{{}, 3 * (n * 0.00137)}}, 3);
        scene.particle_spacing = n * 0.00137;
        counts.insert(sampled(scene).positions.size());
    }
    EXPECT_EQ(counts, std::set<std::size_t>{93});
}

TEST(Sampling, the_transform_moves_points_but_keeps_spacing) {
    Shape shape{Box{{0.1, 0, 0}, {0.02, 0.01, 0.01}}};
    shape.transform = {{0, 0, 5}, from_axis_angle({0, 0, 1}, 90), 2};
    const Scene scene = scene_with(shape, 3);
    const FluidSamples samples = sampled(scene);
    ASSERT_EQ(samples.positions.size(), 4u * 2 * 2);
    // As drawn the first point is at (0.0925, -0.0025, -0.0025): doubled, turned about z, shifted.
    expect_near(samples.positions[0], {0.005, 0.185, 4.995});
    expect_near(samples.positions[1] - samples.positions[0], {0, 0.01, 0});
    EXPECT_NEAR(samples.particle_mass * 16, 1200 * 8 * 2e-6, 1e-12);
}

TEST(Sampling, velocities_turn_about_the_center) {
    Scene scene = scene_with({Box{{1, 2, 3}, {0.05, 0.03, 0.02}}}, 3);
    scene.fluids[0].velocity = {0.5, 0, -1};
    scene.fluids[0].angular_velocity = {0, 0, 180 / reproducible::pi};
    const FluidSamples samples = sampled(scene);
    for (std::size_t n = 0; n < samples.positions.size(); ++n) {
        const Vec3d arm = samples.positions[n] - Vec3d{1, 2, 3};
        expect_near(samples.velocities[n], Vec3d{0.5 - arm.y, arm.x, -1});
    }
}

TEST(Sampling, a_lattice_flush_against_walls_stays) {
    Scene scene = scene_with({Box{{0.05, 0.05, 0}, {0.1, 0.1, 0}}}, 2);
    Solid floor, tank;
    floor.shape = {Plane{{0, 1, 0}, 0}, {}, 2};
    tank.shape = {Box{{0.1, 0.1, 0}, {0.2, 0.2, 0}}, {}, 2};
    tank.invert = true;
    scene.solids = {floor, tank};
    const FluidSamples samples = sampled(scene);
    EXPECT_EQ(samples.positions.size(), 100u);
    EXPECT_EQ(samples.removed, 0u);
    // Even when a thin layer is squeezed between half and one spacing.
    scene.fluids[0].shape.form = Box{{0.05, 0.0026, 0}, {0.1, 0.0052, 0}};
    EXPECT_EQ(sampled(scene).removed, 0u);
}

TEST(Sampling, overlap_with_solids_is_removed_and_counted) {
    Scene scene = scene_with({Box{{0.05, 0.05, 0}, {0.1, 0.1, 0}}}, 2);
    const double mass = sampled(scene).particle_mass;
    Solid floor;
    floor.shape = {Plane{{0, 1, 0}, 0.02}, {}, 2};
    scene.solids = {floor};
    const FluidSamples samples = sampled(scene);
    EXPECT_EQ(samples.removed, 20u);
    EXPECT_EQ(samples.positions.size(), 80u);
    EXPECT_EQ(samples.velocities.size(), 80u);
    EXPECT_EQ(samples.particle_mass, mass);
    EXPECT_EQ(predicted_count(scene.fluids[0], scene), 100);
    EXPECT_TRUE(has_particles(scene.fluids[0], scene));
    std::get<Plane>(scene.solids[0].shape.form).offset = 1;
    EXPECT_FALSE(has_particles(scene.fluids[0], scene));
    // A quarter of a spacing is too close, a little more is not.
    std::get<Plane>(scene.solids[0].shape.form).offset = 0.0026;
    EXPECT_EQ(sampled(scene).removed, 10u);
    std::get<Plane>(scene.solids[0].shape.form).offset = 0.0024;
    EXPECT_EQ(sampled(scene).removed, 0u);
}

TEST(Sampling, solids_stand_in_their_first_pose) {
    Scene scene = scene_with({Box{{0.05, 0.05, 0}, {0.1, 0.1, 0}}}, 2);
    Solid wall;
    wall.shape = {Box{{0, 0, 0}, {0.2, 0.02, 0}}, {}, 2};
    wall.motion.keyframes = {{0, Pose{{0.05, 0.1, 0}, {}}}, {1, Pose{{0.05, 9, 0}, {}}}};
    scene.solids = {wall};
    EXPECT_EQ(sampled(scene).removed, 10u);
    wall.motion.keyframes[0].pose = {{0.1, 0.05, 0}, from_axis_angle({0, 0, 1}, 90)};
    scene.solids = {wall};
    const FluidSamples samples = sampled(scene);
    EXPECT_EQ(samples.removed, 10u);
    for (const Vec3d p : samples.positions) EXPECT_LT(p.x, 0.09);
}

std::size_t count_for(Shape shape, int dimension, int count) {
    Scene scene = scene_with(shape, dimension);
    scene.fluids[0].count = count;
    const FluidSamples samples = sampled(scene);
    EXPECT_EQ(static_cast<double>(samples.positions.size()), predicted_count(scene.fluids[0], scene));
    const double whole = samples.particle_mass * static_cast<double>(samples.positions.size());
    EXPECT_NEAR(whole / (1200 * *volume(scene.fluids[0].shape)), 1, 1e-12);
    return samples.positions.size();
}

TEST(Sampling, a_box_with_a_count_is_exact_where_it_factors) {
    EXPECT_EQ(count_for({Box{{}, {1, 1, 1}}}, 3, 1000), 1000u);
    EXPECT_EQ(count_for({Box{{}, {2, 1, 1}}}, 3, 2000), 2000u);
    EXPECT_EQ(count_for({Box{{}, {0.3, 0.2, 0}}}, 2, 600), 600u);
    EXPECT_EQ(count_for({Box{{}, {1, 1, 0}}}, 2, 380), 380u) << "19 × 20";
    EXPECT_EQ(count_for({Box{{}, {1, 1, 1}}}, 3, 1), 1u);
    EXPECT_EQ(count_for({Box{{}, {10, 0.1, 0}}}, 2, 50), 50u) << "one layer";
    EXPECT_EQ(count_for({Box{{}, {1000, 0.001, 0.001}}}, 3, 777), 777u) << "one row";
    EXPECT_EQ(count_for({Box{{}, {1, 1, 0.001}}}, 3, 100), 100u) << "one sheet";
}

TEST(Sampling, a_box_with_a_count_is_close_elsewhere) {
    // 997 is a prime number; 996 = 12 · 83 needs long cells, 990 = 9 · 10 · 11 and 1000 do not.
    const std::size_t near_prime = count_for({Box{{}, {1, 1, 1}}}, 3, 997);
    EXPECT_NEAR(static_cast<double>(near_prime), 997, 7);
    for (const int count : {7, 50, 123, 4567, 20011}) {
        EXPECT_NEAR(static_cast<double>(count_for({Box{{}, {1, 1.3, 0.8}}}, 3, count)), count, 1 + 0.03 * count);
    }
}

TEST(Sampling, cells_of_a_box_with_a_count_stay_near_cubes) {
    for (const int count : {64, 500, 997, 3000}) {
        Scene scene = scene_with({Box{{}, {1, 1.3, 0.8}}}, 3);
        scene.fluids[0].count = count;
        const FluidSamples samples = sampled(scene);
        const double cube = std::cbrt(1.04 / static_cast<double>(samples.positions.size()));
        EXPECT_GT(samples.spacing, 0.7 * cube) << count;
        EXPECT_NEAR(closest_pair(samples.positions), samples.spacing, 1e-12);
    }
}

TEST(Sampling, a_sphere_with_a_count_takes_the_nearest_shells) {
    // Sums of shells in 3D: 1, 7, 19, 27, 33, 57, 81, 93, 123, …; in 2D: 1, 5, 9, 13, 21, 25, 29, 37, …
    EXPECT_EQ(count_for({Sphere{{}, 0.3}}, 3, 1), 1u);
    EXPECT_EQ(count_for({Sphere{{}, 0.3}}, 3, 20), 19u);
    EXPECT_EQ(count_for({Sphere{{}, 0.3}}, 3, 57), 57u);
    EXPECT_EQ(count_for({Sphere{{}, 0.3}}, 3, 80), 81u);
    EXPECT_EQ(count_for({Sphere{{}, 0.3}}, 2, 22), 21u);
    EXPECT_EQ(count_for({Sphere{{}, 0.3}}, 2, 24), 25u);
    for (const int count : {1000, 20000}) {
        EXPECT_NEAR(static_cast<double>(count_for({Sphere{{}, 0.3}}, 3, count)), count, 0.05 * count);
    }
}

TEST(Sampling, a_sphere_with_a_count_stays_inside_and_fills) {
    for (const int count : {1, 7, 19, 100, 1000}) {
        Scene scene = scene_with({Sphere{{}, 0.3}}, 3);
        scene.fluids[0].count = count;
        const FluidSamples samples = sampled(scene);
        double farthest = 0;
        for (const Vec3d p : samples.positions) farthest = std::max(farthest, length(p));
        EXPECT_LT(farthest, 0.3);
        EXPECT_GT(farthest + samples.spacing, 0.3 - 1e-12);
    }
}

TEST(Sampling, absurd_numbers_are_only_predicted) {
    Scene scene = scene_with({Box{{}, {1e6, 1e6, 1e6}}}, 3);
    scene.particle_spacing = 1e-9;
    EXPECT_NEAR(predicted_count(scene.fluids[0], scene), 1e45, 1e36);
    scene.fluids[0].shape.form = Sphere{{}, 1e6};
    EXPECT_GT(predicted_count(scene.fluids[0], scene), max_particles);
    scene = scene_with({Sphere{{}, 1}}, 2);
    scene.particle_spacing = 1e-9;
    EXPECT_GT(predicted_count(scene.fluids[0], scene), max_particles);
}

TEST(Sampling, large_counts_are_predicted_quickly) {
    const auto predicted = [](Shape shape, int dimension) {
        Scene scene = scene_with(shape, dimension);
        scene.fluids[0].count = 1000000000;
        return predicted_count(scene.fluids[0], scene);
    };
    EXPECT_NEAR(predicted({Sphere{{}, 1}}, 2), 1e9, 1e6);
    EXPECT_NEAR(predicted({Sphere{{}, 1}}, 3), 1e9, 1e6);
    EXPECT_NEAR(predicted({Box{{}, {3, 2, 0}}}, 2), 1e9, 1e6);
    EXPECT_NEAR(predicted({Box{{}, {3, 2, 1}}}, 3), 1e9, 1e6);
    EXPECT_NEAR(predicted({Box{{}, {1, 1, 1e-9}}}, 3), 1e9, 1e6);
}

TEST(Sampling, round_shapes_hold_about_one_point_per_cell) {
    const Vec3d center{0.1, 0.2, 0};
    for (const int dimension : {2, 3}) {
        for (const auto& form : {decltype(Shape::form){Cylinder{center, {0, 1, 0}, 0.05, 0.1}}, {Cylinder{center, {1, 1, 0}, 0.06, 0.1, 0.03}},
                                 {Capsule{center, {1, 0.3, 0}, 0.05, 0.1}}}) {
            const Scene scene = scene_with({form}, dimension);
            const FluidSamples samples = sampled(scene);
            const Shape& shape = scene.fluids[0].shape;
            const double cells = *volume(shape) / (dimension == 2 ? 1e-4 : 1e-6);
            const auto points = static_cast<double>(samples.positions.size());
            EXPECT_NEAR(points, cells, 0.1 * cells);
            EXPECT_EQ(points, predicted_count(scene.fluids[0], scene));
            EXPECT_NEAR(samples.particle_mass * points, 1200 * *volume(shape), 1e-9);
            for (const Vec3d& p : samples.positions) EXPECT_LT(surface_point(shape, p).distance, 0);
            EXPECT_NEAR(static_cast<double>(count_for({form}, dimension, 500)), 500, 25);
        }
    }
}

}  // namespace
}  // namespace treacle
