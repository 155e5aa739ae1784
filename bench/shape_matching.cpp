// takamatsu2011: passes of shape matching on one core, in nanoseconds of CPU time per particle. Also whole steps of the
// columns of the paper's Table 1, with its numbers of particles and neighbors, beside its frames per second (a frame is
// a step there): `steps` without surface, `frames` with one, made by density_threshold on the paper's grids.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <memory>
#include <random>
#include <stdexcept>

#include "blocks/elastic/cluster_update.h"
#include "blocks/elastic/shape_matching.h"
#include "neighbors/morton_order.h"
#include "scene/reader.h"
#include "sim/simulation.h"
#include "surface_mesh/density_threshold.h"

namespace treacle {
namespace {

/// A bent block of spacing 1 with its clusters.
struct Clusters {
    using S = Space3f;
    using Row = S::Row;

    Clusters(int side, double radius) : parallel(1) {
        std::mt19937 random(1);
        std::uniform_real_distribution<float> jitter(-0.1f, 0.1f);
        for (int n = 0; n < side * side * side; ++n) {
            const auto at = [&](int c) { return static_cast<float>(c) + jitter(random); };
            position.push_back(Vec3<float>{at(n % side), at(n / side % side), at(n / side / side)});
            id.push_back(static_cast<std::uint32_t>(n));
        }
        const auto order = morton_order<float>(position, id, radius);
        const auto unsorted = position;
        for (std::size_t i = 0; i < position.size(); ++i) position[i] = unsorted[order[i]];
        mass.assign(position.size(), 1);
        rotation.resize(position.size());
        goal.resize(position.size());
        ShapeMatching<S>::prepare(graph);
        graph.resize(position.size());
        update.support_radius = static_cast<float>(radius);
        matching.break_stretch = 2;
        neighbors.update(position, radius, parallel, no_period);
        fit();
        renew();
        for (Row& x : position) x = Vec3<float>{0.95f * x.x + 0.01f * x.y * x.y, x.y - 0.05f * x.x, x.z};
        fit();
    }

    FluidView<S> view() {
        FluidView<S> view;
        view.position = position;
        view.id = id;
        return view;
    }
    void fit() { matching.fit(view(), context(), graph, mass, rotation); }
    void gather() { matching.gather(context(), graph, rotation, goal); }
    BlockContext<S> context() { return {0, 1e-3, {}, no_period, neighbors, bodies, parallel, timer}; }
    void renew() {
        const std::vector<std::uint8_t> all(position.size(), 1);
        update.renew(view(), context(), {all}, matching, rotation, graph);
    }
    void report(benchmark::State& state) const {
        const double count = static_cast<double>(position.size());
        state.counters["ns_per_particle"] = benchmark::Counter(
            count * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
        state.counters["connections"] = 2 * static_cast<double>(graph.connection_count()) / count;
    }

    Parallel parallel;
    Bodies bodies;
    StageTimer timer;
    std::vector<Row> position, rotation, goal;
    std::vector<float> mass;
    std::vector<std::uint32_t> id;
    ConnectionGraph graph{ScalarType::f32};
    Neighbors<S> neighbors;
    ClusterUpdate<S> update;
    ShapeMatching<S> matching;
};

/// Arguments: side of the block, support radius in hundredths of the spacing.
template <void (Clusters::*Pass)()>
void pass(benchmark::State& state) {
    Clusters clusters(static_cast<int>(state.range(0)), 0.01 * static_cast<double>(state.range(1)));
    for (auto _ : state) (clusters.*Pass)();
    clusters.report(state);
}

void fit(benchmark::State& state) { pass<&Clusters::fit>(state); }
void gather(benchmark::State& state) { pass<&Clusters::gather>(state); }
void renew_references(benchmark::State& state) { pass<&Clusters::renew>(state); }

/// A column of Table 1.
struct Column {
    const char* name;
    double frames_per_second;  ///< of the paper, without surface
    double with_surface;       ///< the same with surface and rendering
    std::array<int, 3> grid;   ///< of the surface
    double from;               ///< s: just after the first contact, when there is most to do
    const char* scene;
    std::vector<std::pair<const char*, const char*>> set;
};

const std::vector<Column>& columns() {
    constexpr const char* spacing = "/particle_spacing";
    constexpr const char* support = "/takamatsu2011/support_radius";
    constexpr const char* count = "/fluids/0/count";
    static const std::vector<Column> all{
        {"bar_755", 1.8, 1.3, {96, 96, 128}, 0.12, "fig02_bar.json", {{support, "7.2"}}},
        {"bar_256", 4.7, 2.4, {96, 96, 128}, 0.12, "fig02_bar.json", {{support, "4.5"}}},
        {"bar_64", 14.2, 3.8, {96, 96, 128}, 0.12, "fig02_bar.json", {{support, "2.7"}}},
        {"cube_22", 4.1, 0.35, {128, 128, 128}, 0.25, "fig03_cube.json", {}},
        {"cube_15", 25.1, 1.2, {128, 128, 128}, 0.25, "fig03_cube.json", {{spacing, "0.0146666"}, {support, "2.0"}}},
        {"statue_3764", 8.7, 0.56, {160, 160, 192}, 0.22, "fig05a_statue.json", {}},
        {"statue_2015",
         26.6,
         5.4,
         {64, 64, 96},
         0.22,
         "fig05a_statue.json",
         {{spacing, "0.012971"}, {support, "2.34"}, {count, "2015"}}},
        {"imp_4157", 21.9, 0.68, {160, 160, 192}, 0.2, "fig05b_imp.json", {}},
        {"imp_2680",
         42.2,
         6.3,
         {64, 64, 96},
         0.2,
         "fig05b_imp.json",
         {{spacing, "0.010214"}, {support, "1.72"}, {count, "2680"}}},
        {"rabbit_4185", 17.4, 0.42, {160, 160, 192}, 0.36, "fig05c_rabbit.json", {}},
        {"rabbit_1328",
         64.6,
         36.8,
         {32, 32, 48},
         0.36,
         "fig05c_rabbit.json",
         {{spacing, "0.014943"}, {support, "2.01"}, {count, "1328"}}},
        {"balls_8264", 11.3, 0.20, {160, 160, 224}, 0.4, "fig05d_balls.json", {}}};
    return all;
}

Scene scene_of(const Column& column) {
    const std::string file = std::string(TREACLE_SCENES) + "/takamatsu2011/" + column.scene;
    std::vector<SceneOverride> overrides;
    for (const auto& [pointer, value] : column.set) overrides.push_back({pointer, value});
    auto scene = read_scene_file(file, overrides);
    if (!scene) throw std::runtime_error(to_string(scene.error()));
    return std::move(*scene);
}

std::unique_ptr<Simulation> start(const Scene& scene, int threads) {
    auto made = Simulation::create(scene, threads, Log{});
    if (!made) throw std::runtime_error(to_string(made.error()));
    return std::move(*made);
}

/// A few steps at a time, so short that now and then nothing else interrupts them: `best` is the rate of the fastest
/// ones, and that of an idle machine.
void steps(benchmark::State& state, const Column& column, int threads) {
    const auto simulation = start(scene_of(column), threads);
    const auto step_while = [&](const auto& more) {
        bool go_on = more();
        while (go_on) {
            const auto done = simulation->advance_frame([&](const StepInfo&) { return go_on = more(); });
            if (!done) throw std::runtime_error("diverged");
        }
    };
    step_while([&] { return simulation->state().time < column.from; });
    constexpr int at_a_time = 4;
    double least_wall = std::numeric_limits<double>::infinity(), least_cpu = least_wall;
    for (auto _ : state) {
        const auto begin = std::chrono::steady_clock::now();
        const std::clock_t cpu_begin = std::clock();
        int left = at_a_time;
        step_while([&] { return left-- > 0; });
        const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / at_a_time;
        state.SetIterationTime(at_a_time * wall);
        least_wall = std::min(least_wall, wall);
        least_cpu = std::min(least_cpu, static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC / at_a_time);
    }
    const double particles = static_cast<double>(simulation->state().particles.size());
    state.counters["best_steps_per_s"] = 1 / least_wall;
    state.counters["over_paper"] = 1 / least_wall / column.frames_per_second;
    state.counters["cpu_ns_per_particle"] = least_cpu / particles * 1e9;
    state.counters["particles"] = particles;
}

/// One step and then the surface of its result.
void frames(benchmark::State& state, const Column& column, int threads) {
    const Scene scene = scene_of(column);
    const auto simulation = start(scene, threads);
    const Parallel parallel(threads);
    bool go_on = true;
    const auto step = [&](const auto& more) {
        go_on = true;
        while (go_on) {
            if (!simulation->advance_frame([&](const StepInfo&) { return go_on = more(); }))
                throw std::runtime_error("diverged");
        }
    };
    step([&] { return simulation->state().time < column.from; });
    DensityThreshold method;
    method.spacing = scene.particle_spacing;
    method.grid = column.grid;
    double least_wall = std::numeric_limits<double>::infinity(), least_surface = least_wall, least_cpu = least_wall;
    double least_surface_cpu = least_wall;
    const auto cpu_since = [](std::clock_t begin) {
        return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    };
    for (auto _ : state) {
        const std::clock_t cpu_begin = std::clock();
        const auto begin = std::chrono::steady_clock::now();
        step([] { return false; });
        const auto stepped = std::chrono::steady_clock::now();
        const std::clock_t cpu_stepped = std::clock();
        SurfaceParticles particles;
        for (const Row4<float>& x : simulation->state().particles.get<Row4<float>>("position"))
            particles.positions.push_back(x.xyz());
        benchmark::DoNotOptimize(method.reconstruct(particles, parallel)->triangles.size());
        least_surface_cpu = std::min(least_surface_cpu, cpu_since(cpu_stepped));
        least_cpu = std::min(least_cpu, cpu_since(cpu_begin));
        const auto end = std::chrono::steady_clock::now();
        const double wall = std::chrono::duration<double>(end - begin).count();
        state.SetIterationTime(wall);
        least_wall = std::min(least_wall, wall);
        least_surface = std::min(least_surface, std::chrono::duration<double>(end - stepped).count());
    }
    state.counters["best_frames_per_s"] = 1 / least_wall;
    state.counters["best_surfaces_per_s"] = 1 / least_surface;
    state.counters["cpu_ms"] = 1000 * least_cpu;
    state.counters["surface_cpu_ms"] = 1000 * least_surface_cpu;
    state.counters["surface_over_paper"] = 1 / least_surface / column.with_surface;
}

BENCHMARK(fit)->Args({22, 290})->Args({22, 205});
BENCHMARK(gather)->Args({22, 290})->Args({22, 205});
BENCHMARK(renew_references)->Args({22, 290})->Args({22, 205});

const bool registered = [] {
    for (const Column& column : columns()) {
        for (const int threads : {1, 2}) {
            const std::string name = std::string("steps/") + column.name + "/" + std::to_string(threads);
            benchmark::RegisterBenchmark(name.c_str(), steps, column, threads)->UseManualTime();
            const std::string with_surface = std::string("frames/") + column.name + "/" + std::to_string(threads);
            benchmark::RegisterBenchmark(with_surface.c_str(), frames, column, threads)->UseManualTime();
        }
    }
    return true;
}();

}  // namespace
}  // namespace treacle

BENCHMARK_MAIN();
