#include "speed/machine_speed.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <random>

#include <malloc.h>

#include "blocks/pressure/double_density.h"
#include "core/json.h"
#include "core/text.h"
#include "neighbors/morton_order.h"
#include "neighbors/neighbors.h"
#include "scene/reader.h"
#include "sim/simulation.h"

namespace treacle {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double cpu_seconds(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Bytes that the program has allocated and not freed.
double allocated_bytes() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

/// A column of fluid at one end of a tank three times as long. It is not settled first, which would take longer than
/// the rest.
std::string scene_text(const BenchScene& scene) {
    constexpr double spacing = 0.01;
    const double side = std::round(std::pow(static_cast<double>(scene.particles), 1.0 / scene.dimension)) * spacing;
    const auto vector = [&](double x, double y, double z) {
        const std::string two = number_text(x) + ", " + number_text(y);
        return "[" + (scene.dimension == 3 ? two + ", " + number_text(z) : two) + "]";
    };
    const std::string material = scene.springs
                                     ? R"("density": 1000, "viscosity": 1, "shear_modulus": 400, "relaxation_time": 1)"
                                     : R"("density": 1000, "viscosity": 0.001)";
    return R"({ "treacle": 1, "method": "clavet2005", "dimension": )" + std::to_string(scene.dimension) +
           R"(, "particle_spacing": )" + number_text(spacing) +
           R"(, "time": { "duration": 1000, "fps": 30 }, "clavet2005": { "settled_start": false },
           "materials": { "fluid": { )" +
           material + R"( } },
           "fluids": [ { "material": "fluid", "shape": { "box": { "center": )" +
           vector(side / 2, side / 2, side / 2) + R"(, "size": )" + vector(side, side, side) + R"( } } } ],
           "solids": [ { "name": "tank", "invert": true, "shape": { "box": { "center": )" +
           vector(1.5 * side, side, side / 2) + R"(, "size": )" + vector(3 * side, 2 * side, side) + " } } } ] }";
}

/// Steps until `enough(steps done)`; returns the number of steps.
template <class Enough>
Result<std::size_t> step_until(Simulation& simulation, const Enough& enough) {
    std::size_t steps = 0;
    while (!enough(steps)) {
        const auto outcome = simulation.advance_frame([&](const StepInfo&) { return !enough(++steps); });
        if (!outcome) return tl::unexpected(outcome.error());
    }
    return steps;
}

/// Time of each stage since `before`, in ns per particle and step.
std::vector<std::pair<std::string, double>> stages_since(const StageTimer& timer,
                                                         const std::vector<std::pair<std::string, double>>& before,
                                                         double particle_steps) {
    std::vector<std::pair<std::string, double>> result;
    for (std::size_t n = 0; n < timer.seconds().size(); ++n) {
        const double start = n < before.size() ? before[n].second : 0;
        result.emplace_back(timer.seconds()[n].first, (timer.seconds()[n].second - start) / particle_steps * 1e9);
    }
    return result;
}

}  // namespace

Result<BenchRun> measure_scene(const BenchScene& scene, int threads, const BenchEffort& effort) {
    const double memory_before = allocated_bytes();
    auto json = parse_json(scene_text(scene), scene.name);
    if (!json) return tl::unexpected(json.error());
    auto read = read_scene(*json, scene.name, Log{});
    if (!read) return tl::unexpected(read.error());
    auto created = Simulation::create(*read, threads, Log{});
    if (!created) return tl::unexpected(created.error());
    Simulation& simulation = **created;

    const auto warm = static_cast<std::size_t>(effort.warm_up_steps);
    if (auto done = step_until(simulation, [&](std::size_t n) { return n >= warm; }); !done) {
        return tl::unexpected(done.error());
    }
    BenchRun best;
    best.scene = scene.name;
    best.method = read->method;
    best.dimension = scene.dimension;
    best.particles = simulation.state().particles.size();
    best.threads = simulation.threads();
    best.step_seconds = best.cpu_seconds = std::numeric_limits<double>::infinity();
    for (int round = 0; round < effort.rounds; ++round) {
        const auto before = simulation.timer().seconds();
        const auto start = Clock::now();
        const double cpu_start = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
        const auto steps =
            step_until(simulation, [&](std::size_t n) { return n > 0 && seconds_since(start) >= effort.seconds; });
        if (!steps) return tl::unexpected(steps.error());
        const double each = seconds_since(start) / static_cast<double>(*steps);
        const double cpu = (cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_start) / static_cast<double>(*steps);
        best.cpu_seconds = std::min(best.cpu_seconds, cpu);
        if (each >= best.step_seconds) continue;
        best.step_seconds = each;
        best.steps = *steps;
        best.stages = stages_since(simulation.timer(), before, static_cast<double>(*steps * best.particles));
    }
    best.memory_per_particle = (allocated_bytes() - memory_before) / static_cast<double>(best.particles);
    return best;
}

namespace {

/// Particles on a jittered lattice of spacing 1 in Morton order, as in a running simulation.
std::vector<Row4<float>> jittered_lattice(int side, double radius) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> jitter(-0.2f, 0.2f);
    std::vector<Row4<float>> position;
    std::vector<std::uint32_t> id;
    for (int n = 0; n < side * side * side; ++n) {
        const auto at = [&](int c) { return static_cast<float>(c) + jitter(random); };
        const float x = at(n % side), y = at(n / side % side), z = at(n / side / side);
        position.push_back(Vec3<float>{x, y, z});
        id.push_back(static_cast<std::uint32_t>(n));
    }
    std::vector<Row4<float>> sorted;
    for (const std::uint32_t i : morton_order<float>(position, id, radius)) sorted.push_back(position[i]);
    return sorted;
}

template <class Pass>
double best_nanoseconds(const BenchEffort& effort, std::size_t particles, const Pass& pass) {
    double best = std::numeric_limits<double>::infinity();
    pass();
    for (int n = 0; n < 4 * effort.rounds; ++n) {
        const double start = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
        pass();
        best = std::min(best, cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - start);
    }
    return best / static_cast<double>(particles) * 1e9;
}

}  // namespace

std::vector<BenchPass> measure_passes(const BenchEffort& effort) {
    using S = Space3f;
    std::vector<BenchPass> results;
    const Parallel parallel(1);
    for (const double radius : {1.98, 2.55}) {
        auto position = jittered_lattice(46, radius);
        const std::size_t count = position.size();
        Neighbors<S> neighbors;
        const double search =
            best_nanoseconds(effort, count, [&] { neighbors.update(position, radius, parallel, no_period); });
        const double mean = static_cast<double>(neighbors.pair_entries()) / static_cast<double>(count);
        results.push_back({"neighbor search", count, mean, search});

        DoubleDensity<S> block;
        block.support_radius = static_cast<float>(radius);
        block.materials = {{.stiffness = 1, .near_stiffness = 1, .rest_density = 4}};
        std::vector<std::uint32_t> id(count);
        std::vector<std::uint8_t> material(count);
        std::vector<float> density(count), pressure(count), near_pressure(count);
        FluidView<S> fluid;
        fluid.position = position, fluid.id = id, fluid.material = material;
        Bodies bodies;
        StageTimer timer;
        const BlockContext<S> context{0, 1e-3, {}, {}, neighbors, bodies, parallel, timer};
        results.push_back({"density pass", count, mean, best_nanoseconds(effort, count, [&] {
                               block.measure(fluid, context, {density, pressure, near_pressure});
                           })});
    }
    return results;
}

}  // namespace treacle
