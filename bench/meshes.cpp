// Solids made of triangles: loading and sampling a mesh, and the distance of a point near its surface, which every
// particle needs in every step. The mesh is a bumpy ball of radius 1; particles have a spacing of 0.05 or 0.01.

#include <benchmark/benchmark.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <random>

#include "blocks/solids/surface_samples.h"
#include "mesh_files/closed_mesh.h"
#include "mesh_files/mesh_file.h"
#include "geometry/distance_field.h"
#include "geometry/solid_mesh.h"

namespace treacle {
namespace {

/// Rings of quads between two poles, each quad two triangles.
TriangleMesh bumpy_ball(std::size_t triangles) {
    const auto rings = static_cast<std::uint32_t>(std::lround(0.5 * std::sqrt(static_cast<double>(triangles))));
    const std::uint32_t around = 2 * rings;
    TriangleMesh mesh;
    const auto add = [&](double polar, double turn) {
        const double r = 1 + 0.02 * std::sin(9 * polar) * std::sin(11 * turn);
        mesh.vertices.push_back(
            r * Vec3d{std::sin(polar) * std::cos(turn), std::cos(polar), std::sin(polar) * std::sin(turn)});
    };
    add(0, 0);
    for (std::uint32_t ring = 1; ring < rings; ++ring) {
        for (std::uint32_t n = 0; n < around; ++n) add(M_PI * ring / rings, 2 * M_PI * n / around);
    }
    add(M_PI, 0);
    const auto at = [&](std::uint32_t ring, std::uint32_t n) { return 1 + (ring - 1) * around + n % around; };
    const auto last = static_cast<std::uint32_t>(mesh.vertices.size() - 1);
    for (std::uint32_t n = 0; n < around; ++n) {
        mesh.triangles.push_back({0, at(1, n + 1), at(1, n)});
        mesh.triangles.push_back({last, at(rings - 1, n), at(rings - 1, n + 1)});
        for (std::uint32_t ring = 1; ring + 1 < rings; ++ring)
            mesh.add_quad(at(ring, n), at(ring, n + 1), at(ring + 1, n + 1), at(ring + 1, n));
    }
    return mesh;
}

std::shared_ptr<const SolidMesh> solid(std::size_t triangles) {
    static std::map<std::size_t, std::shared_ptr<const SolidMesh>> made;
    auto& mesh = made[triangles];
    if (!mesh) mesh = std::make_shared<const SolidMesh>(*closed_mesh(bumpy_ball(triangles)));
    return mesh;
}

/// Points from one spacing below the surface to two above it, in rows as particles are sorted.
std::vector<Vec3d> points_near_surface(double spacing) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> jitter(-1, 1);
    std::vector<Vec3d> points;
    for (int row = 0; row < 300; ++row) {
        const double polar = std::acos(jitter(random)), start = M_PI * jitter(random);
        for (int n = 0; n < 50; ++n) {
            const double turn = start + spacing * n, r = 1 + spacing * (0.5 + 1.5 * jitter(random));
            points.push_back(
                r * Vec3d{std::sin(polar) * std::cos(turn), std::cos(polar), std::sin(polar) * std::sin(turn)});
        }
    }
    return points;
}

template <class Distance>
void measure_queries(benchmark::State& state, double spacing, const Distance& distance) {
    const auto points = points_near_surface(spacing);
    for (auto _ : state) {
        for (const Vec3d& p : points) benchmark::DoNotOptimize(distance(p));
    }
    state.counters["ns_per_query"] =
        benchmark::Counter(static_cast<double>(points.size()) * 1e-9,
                           benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void build_solid(benchmark::State& state) {
    const TriangleMesh mesh = *closed_mesh(bumpy_ball(static_cast<std::size_t>(state.range(0))));
    for (auto _ : state) benchmark::DoNotOptimize(SolidMesh(mesh).bounds());
}

void exact_distance(benchmark::State& state) {
    const auto mesh = solid(static_cast<std::size_t>(state.range(0)));
    measure_queries(state, 1.0 / static_cast<double>(state.range(1)),
                    [&](Vec3d p) { return mesh->nearest(p).distance; });
}

/// The band of clavet2005 in 3D.
DistanceBand band(double spacing) { return {.spacing = spacing, .reach = 2.55 * spacing}; }

void build_field(benchmark::State& state) {
    const auto mesh = solid(static_cast<std::size_t>(state.range(0)));
    const double spacing = 1.0 / static_cast<double>(state.range(1));
    const auto points = points_near_surface(spacing);
    for (auto _ : state) {  // it is laid where it is asked
        const DistanceField field(mesh, band(spacing));
        for (const Vec3d& p : points) benchmark::DoNotOptimize(field.nearest(p));
    }
}

void field_distance(benchmark::State& state) {
    const double spacing = 1.0 / static_cast<double>(state.range(1));
    const auto mesh = solid(static_cast<std::size_t>(state.range(0)));
    // Google Benchmark calls this several times until it has enough iterations.
    static std::map<std::pair<std::int64_t, std::int64_t>, std::unique_ptr<DistanceField>> laid;
    auto& known = laid[{state.range(0), state.range(1)}];
    if (!known) known = std::make_unique<DistanceField>(mesh, band(spacing));
    const DistanceField& field = *known;
    measure_queries(state, spacing, [&](Vec3d p) { return field.nearest(p).distance; });
    double worst = 0;
    for (const Vec3d& p : points_near_surface(spacing)) {
        const double exact = mesh->nearest(p).distance;
        if (exact < 2.55 * spacing) worst = std::max(worst, std::abs(field.nearest(p).distance - exact));
    }
    state.counters["error_in_spacings"] = worst / spacing;
}

/// From the file to the boundary particles, with everything that the solid needs in a run.
void load_and_sample(benchmark::State& state) {
    const auto path = std::filesystem::temp_directory_path() / "treacle_bench_ball.obj";
    {
        const TriangleMesh mesh = bumpy_ball(static_cast<std::size_t>(state.range(0)));
        std::ofstream file(path);
        for (const Vec3d& v : mesh.vertices) file << "v " << v.x << ' ' << v.y << ' ' << v.z << '\n';
        for (const auto& [a, b, c] : mesh.triangles) file << "f " << a + 1 << ' ' << b + 1 << ' ' << c + 1 << '\n';
    }
    const Parallel parallel;
    const double spacing = 1.0 / static_cast<double>(state.range(1));
    for (auto _ : state) {
        const auto mesh = std::make_shared<const SolidMesh>(*closed_mesh(*read_mesh_file(path.string())));
        const Shape shape{Mesh{path.string(), mesh, std::make_shared<const DistanceField>(mesh, band(spacing))}};
        state.counters["samples"] =
            static_cast<double>(sample_surface(shape, {.spacing = spacing, .depth = 0, .count = {}}, parallel).size());
    }
    std::filesystem::remove(path);
}

constexpr int small_mesh = 1520, large_mesh = 1000000;
BENCHMARK(build_solid)->ArgName("triangles")->Arg(small_mesh)->Arg(large_mesh)->Unit(benchmark::kMillisecond);
BENCHMARK(exact_distance)->ArgNames({"triangles", "per_m"})->ArgsProduct({{small_mesh, large_mesh}, {20, 100}});
BENCHMARK(build_field)
    ->ArgNames({"triangles", "per_m"})
    ->ArgsProduct({{small_mesh, large_mesh}, {20, 100}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(field_distance)->ArgNames({"triangles", "per_m"})->ArgsProduct({{small_mesh, large_mesh}, {20, 100}});
BENCHMARK(load_and_sample)
    ->ArgNames({"triangles", "per_m"})
    ->ArgsProduct({{large_mesh}, {20, 100}})
    ->Unit(benchmark::kSecond)
    ->UseRealTime()
    ->Iterations(1);

}  // namespace
}  // namespace treacle

BENCHMARK_MAIN();
