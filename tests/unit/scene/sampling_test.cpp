#include "scene/sampling.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "math/reproducible.h"
#include "math/space.h"
#include "neighbors/neighbors.h"

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
    // Sizes that are whole numbers of spacings, up to rounding.
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
    // As drawn, the first point is at (0.0925, -0.0025, -0.0025); then it is doubled, turned about z, shifted.
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

TEST(Sampling, a_great_count_is_not_counted_point_by_point) {  // it would take minutes
    Scene scene = scene_with({Cylinder{{}, {0, 1, 0}, 0.05, 0.1}}, 3);
    scene.fluids[0].count = 500000000;
    EXPECT_EQ(predicted_count(scene.fluids[0], scene), 5e8);
    EXPECT_TRUE(has_particles(scene.fluids[0], scene));
    scene.fluids[0].count = 1200000;
    const FluidSamples samples = sample_fluid(scene.fluids[0], scene);
    const double count = static_cast<double>(samples.positions.size());
    EXPECT_NEAR(count, 1.2e6, 0.01 * 1.2e6);
    EXPECT_NEAR(count * samples.particle_mass, scene.materials[0].density * *volume(scene.fluids[0].shape), 1e-9);
}

Scene relaxed_scene(Shape shape, int dimension) {
    Scene scene = scene_with(shape, dimension);
    scene.fluids[0].packing = Packing::relaxed;
    return scene;
}

/// Evenness and isotropy of points, away from the surface of their shape.
struct Evenness {
    double nearest_deviation = 0;  ///< of the distance to the nearest neighbor, over its mean
    double density = 0;            ///< by a cubic spline of two spacings, over count / volume
    double density_deviation = 0;
    Vec3d squares{};           ///< means over the directions n to close neighbors: n_k²
    double fourth_powers = 0;  ///< Σ n_k⁴
};

Evenness evenness(const FluidSamples& samples, const Shape& shape) {
    const double s = samples.spacing;
    const int dimension = shape.dimension;
    Neighbors<Space3d> neighbors;
    neighbors.update(std::vector<Row4<double>>(samples.positions.begin(), samples.positions.end()), 2 * s, Parallel(1),
                     no_period);
    const double peak = dimension == 2 ? 10 / (7 * reproducible::pi) : 1 / reproducible::pi;  // of the kernel, times sᵈ
    Evenness e;
    double count = 0, close = 0, sum = 0, squares = 0, density_squares = 0;
    for (std::size_t i = 0; i < samples.positions.size(); ++i) {
        if (surface_point(shape, samples.positions[i]).distance > -2 * s) continue;
        double nearest = 2 * s, density = peak;
        for (const std::uint32_t j : neighbors.row(i)) {
            const Vec3d offset = samples.positions[j] - samples.positions[i];
            const double r = length(offset), q = r / (2 * s);
            nearest = std::min(nearest, r);
            density += peak * (q < 0.5 ? 1 - 6 * q * q * (1 - q) : 2 * std::pow(1 - q, 3));
            if (r > 1.35 * s) continue;
            ++close;
            for (int axis = 0; axis < 3; ++axis) {
                const double square = offset[axis] * offset[axis] / (r * r);
                e.squares[axis] += square;
                e.fourth_powers += square * square;
            }
        }
        ++count;
        sum += nearest;
        squares += nearest * nearest;
        e.density += density;
        density_squares += density * density;
    }
    e.nearest_deviation = std::sqrt(count * squares / (sum * sum) - 1);
    e.density /= count;
    e.density_deviation = std::sqrt(density_squares / count - e.density * e.density);
    e.squares *= 1 / close;
    e.fourth_powers /= close;
    return e;
}

TEST(RelaxedPacking, holds_as_many_as_the_lattice_or_the_count) {
    for (const int dimension : {2, 3}) {
        for (const Shape& shape :
             {Shape{Sphere{{0.1, 0, 0}, 0.06}}, Shape{Box{{}, {0.05, 0.13, dimension == 3 ? 0.071 : 0.0}}}}) {
            Scene lattice = scene_with(shape, dimension), relaxed = relaxed_scene(shape, dimension);
            const FluidSamples samples = sampled(relaxed);
            EXPECT_EQ(samples.positions.size(), sampled(lattice).positions.size());
            EXPECT_EQ(static_cast<double>(samples.positions.size()), predicted_count(relaxed.fluids[0], relaxed));
            EXPECT_EQ(samples.particle_mass, sampled(lattice).particle_mass);
            for (const int count : {1, 7, 997}) {
                relaxed.fluids[0].count = count;
                EXPECT_EQ(sampled(relaxed).positions.size(), static_cast<std::size_t>(count));
                EXPECT_EQ(predicted_count(relaxed.fluids[0], relaxed), count);
            }
        }
    }
}

TEST(RelaxedPacking, is_even_and_has_no_direction) {
    for (const int dimension : {2, 3}) {
        const double isotropic = dimension == 2 ? 0.75 : 0.6;
        for (const Shape& shape : {Shape{Sphere{{}, dimension == 2 ? 0.25 : 0.1}, {}, dimension},
                                   Shape{Box{{}, {0.3, 0.2, dimension == 2 ? 0 : 0.1}}, {}, dimension}}) {
            const Evenness relaxed = evenness(sampled(relaxed_scene(shape, dimension)), shape);
            EXPECT_LT(relaxed.nearest_deviation, 0.05);
            EXPECT_NEAR(relaxed.density, 1, 0.01);
            EXPECT_LT(relaxed.density_deviation, 0.02);
            for (int axis = 0; axis < dimension; ++axis) EXPECT_NEAR(relaxed.squares[axis], 1.0 / dimension, 0.01);
            EXPECT_NEAR(relaxed.fourth_powers, isotropic, 0.02);
            const Evenness lattice = evenness(sampled(scene_with(shape, dimension)), shape);
            EXPECT_NEAR(lattice.fourth_powers, 1, 1e-9) << "which only the fourth powers tell";
        }
    }
}

TEST(RelaxedPacking, keeps_off_the_surface_of_its_shape) {
    Shape turned{Box{{0.1, 0, 0}, {0.05, 0.03, 0.04}}};
    turned.transform = {{0, 0, 5}, from_axis_angle({1, 2, 3}, 40), 2};
    const Shape thin{Box{{}, {0.1, 0.1, 0.002}}};
    for (const auto& [shape, margin] : {std::pair{turned, 0.4 * spacing}, std::pair{thin, 0.0005}}) {
        const FluidSamples samples = sampled(relaxed_scene(shape, 3));
        for (const Vec3d& p : samples.positions) EXPECT_LT(surface_point(shape, p).distance, -0.95 * margin);
        EXPECT_GT(closest_pair(samples.positions), 0.7 * samples.spacing);
    }
    for (const Vec3d& p : sampled(relaxed_scene({Sphere{{}, 0.05}}, 2)).positions) EXPECT_EQ(p.z, 0);
}

TEST(RelaxedPacking, loses_what_overlaps_a_solid) {
    Scene scene = relaxed_scene({Box{{0.05, 0.05, 0}, {0.1, 0.1, 0}}}, 2);
    Solid floor;
    floor.shape = {Plane{{0, 1, 0}, 0}, {}, 2};
    scene.solids = {floor};
    EXPECT_EQ(sampled(scene).removed, 0u);
    std::get<Plane>(scene.solids[0].shape.form).offset = 0.02;
    const FluidSamples samples = sampled(scene);
    EXPECT_NEAR(static_cast<double>(samples.removed), 20, 5);
    EXPECT_EQ(samples.positions.size() + samples.removed, 100u);
    for (const Vec3d& p : samples.positions) EXPECT_GE(p.y, 0.0225 - 1e-12);
}

TEST(RelaxedPacking, has_the_same_bits_for_any_number_of_threads) {
    const Scene scene = relaxed_scene({Sphere{{}, TREACLE_SANITIZED ? 0.07 : 0.1}}, 3);
    const auto once = sample_fluid(scene.fluids[0], scene, Parallel(1)).positions;
    for (const int threads : {2, 4}) EXPECT_EQ(sample_fluid(scene.fluids[0], scene, Parallel(threads)).positions, once);
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
        for (const auto& form : {decltype(Shape::form){Cylinder{center, {0, 1, 0}, 0.05, 0.1}},
                                 {Cylinder{center, {1, 1, 0}, 0.06, 0.1, 0.03}},
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
