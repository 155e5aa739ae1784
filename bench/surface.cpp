// Surfaces: `smooth/N` is the mesh of a block of N particles, `table/…` the surface extraction of the columns of Table 1 of
// Takamatsu and Kanai 2011 with density_threshold on their grids, beside the paper's frames per second with surface. CPU
// seconds are of all threads: on a busy machine half of them is what two free cores would need at best.

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>

#include "math/random.h"
#include "surface_mesh/density_threshold.h"
#include "surface_mesh/surface_mesh.h"

namespace treacle {
namespace {

/// A block of spacing 1, every particle off its place by up to a fifth.
SurfaceParticles block(int nx, int ny, int nz) {
    SurfaceParticles particles;
    Random random(1);
    const auto at = [&](int c) { return static_cast<float>(c + 0.4 * (random.next() - 0.5)); };
    for (int n = 0; n < nx * ny * nz; ++n) particles.positions.push_back({at(n % nx), at(n / nx % ny), at(n / nx / ny)});
    for (const char* name : {"vx", "vy", "vz"}) {
        particles.columns.push_back({name, "m/s", std::vector<float>(particles.positions.size(), 1), SurfaceColumn::Inherit::mean, false});
    }
    return particles;
}

/// Fastest wall and CPU time of the rounds.
template <class Work>
void measure(benchmark::State& state, const Work& work) {
    double least_wall = std::numeric_limits<double>::infinity(), least_cpu = least_wall;
    for (auto _ : state) {
        const auto begin = std::chrono::steady_clock::now();
        const std::clock_t cpu_begin = std::clock();
        benchmark::DoNotOptimize(work());
        const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        state.SetIterationTime(wall);
        least_wall = std::min(least_wall, wall);
        least_cpu = std::min(least_cpu, static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC);
    }
    state.counters["best_s"] = least_wall;
    state.counters["best_cpu_s"] = least_cpu;
}

void smooth(benchmark::State& state) {
    const int side = static_cast<int>(state.range(0));
    const SurfaceParticles particles = block(side, side, side);
    const Parallel parallel(static_cast<int>(state.range(1)));
    SurfaceSettings settings;
    settings.spacing = 1;
    std::size_t triangles = 0;
    measure(state, [&] { return triangles = reconstruct_surface(particles, settings, parallel)->triangles.size(); });
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    state.counters["triangles"] = static_cast<double>(triangles);
    state.counters["peak_GB"] = static_cast<double>(usage.ru_maxrss) * 1024e-9;
}
BENCHMARK(smooth)->Args({46, 2})->Args({46, 1})->Args({100, 2})->Args({100, 1})->UseManualTime()->Unit(benchmark::kSecond);

/// A column of Table 1; only the number of particles and the grid count here, so a block or ball of as many stands for it.
struct Column {
    const char* name;
    std::array<int, 3> block;
    std::array<int, 3> grid;
    double frames_per_second;   ///< of the paper, with surface and rendering
};

void table(benchmark::State& state, const Column& column, int threads) {
    SurfaceParticles particles = block(column.block[0], column.block[1], column.block[2]);
    particles.columns.clear();
    DensityThreshold method;
    method.spacing = 1;
    method.grid = column.grid;
    const Parallel parallel(threads);
    measure(state, [&] { return method.reconstruct(particles, parallel)->triangles.size(); });
    state.counters["frames_per_s"] = 1 / state.counters["best_s"];
    state.counters["over_paper"] = 1 / state.counters["best_s"] / column.frames_per_second;
    state.counters["particles"] = static_cast<double>(particles.positions.size());
}

const bool registered = [] {
    static const std::array<Column, 12> columns{{
        {"bar_755", {36, 10, 10}, {96, 96, 128}, 1.3},      {"bar_256", {36, 10, 10}, {96, 96, 128}, 2.4},
        {"bar_64", {36, 10, 10}, {96, 96, 128}, 3.8},       {"cube_22", {22, 22, 22}, {128, 128, 128}, 0.35},
        {"cube_15", {15, 15, 15}, {128, 128, 128}, 1.2},    {"statue_3764", {12, 12, 26}, {160, 160, 192}, 0.56},
        {"statue_2015", {10, 10, 20}, {64, 64, 96}, 5.4},   {"imp_4157", {14, 14, 21}, {160, 160, 192}, 0.68},
        {"imp_2680", {12, 12, 19}, {64, 64, 96}, 6.3},      {"rabbit_4185", {14, 14, 21}, {160, 160, 192}, 0.42},
        {"rabbit_1328", {10, 10, 13}, {32, 32, 48}, 36.8},  {"balls_8264", {18, 18, 26}, {160, 160, 224}, 0.20}}};
    for (const Column& column : columns) {
        for (const int threads : {1, 2}) {
            const std::string name = std::string("table/") + column.name + "/" + std::to_string(threads);
            benchmark::RegisterBenchmark(name.c_str(), table, column, threads)->UseManualTime();
        }
    }
    return true;
}();

}  // namespace
}  // namespace treacle

BENCHMARK_MAIN();
