// Surfaces of blocks of 97,336 and a million particles: arguments are the particles along an edge and the threads. CPU
// seconds are of all threads: two idle cores would need half of them at best.

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>

#include "math/random.h"
#include "surface_mesh/surface_mesh.h"

namespace treacle {
namespace {

/// A block of spacing 1, with every particle displaced by up to a fifth.
SurfaceParticles block(int nx, int ny, int nz) {
    SurfaceParticles particles;
    Random random(1);
    const auto at = [&](int c) { return static_cast<float>(c + 0.4 * (random.next() - 0.5)); };
    for (int n = 0; n < nx * ny * nz; ++n)
        particles.positions.push_back({at(n % nx), at(n / nx % ny), at(n / nx / ny)});
    for (const char* name : {"vx", "vy", "vz"}) {
        particles.columns.push_back(
            {name, "m/s", std::vector<float>(particles.positions.size(), 1), SurfaceColumn::Inherit::mean, false});
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
BENCHMARK(smooth)->Args({46, 2})->Args({46, 1})->Args({100, 2})->Args({100, 1})->UseManualTime()->Unit(
    benchmark::kSecond);

}  // namespace
}  // namespace treacle

BENCHMARK_MAIN();
