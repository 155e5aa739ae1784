#include <cstdio>
#include <fstream>

#include "speed/machine_speed.h"
#include "options.h"
#include "core/json.h"
#include "core/parallel.h"
#include "simd/dispatch.h"
#include "core/version.h"

namespace treacle {

namespace {

struct BenchOptions {
    int threads = 0;
    bool json = false;
    bool csv = false;
    bool quick = false;
};

struct BenchResults {
    std::vector<BenchRun> runs;  ///< each scene on all threads, the last one on one thread too
    std::vector<BenchPass> passes;
    double scaling = 0;  ///< of the largest scene, from one thread to all
};

std::string machine_name() {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line)) {
        if (!line.starts_with("model name")) continue;
        const std::size_t colon = line.find(": ");
        if (colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown";
}

Result<BenchResults> measure(const BenchOptions& options) {
    static constexpr BenchScene scenes[] = {
        {"water 2D 1k", 2, 1024, false},    {"water 2D 100k", 2, 100000, false}, {"water 3D 10k", 3, 10000, false},
        {"springs 3D 10k", 3, 10000, true}, {"water 3D 100k", 3, 100000, false},
    };
    const BenchEffort effort = options.quick ? BenchEffort{3, 1, 0.1} : BenchEffort{};
    const int threads = options.threads > 0 ? options.threads : hardware_threads();
    BenchResults results;
    const auto run = [&](const BenchScene& scene, int count) -> Result<void> {
        if (!options.json && !options.csv) std::fprintf(stderr, "%s on %d threads …\n", scene.name, count);
        auto measured = measure_scene(scene, count, effort);
        if (!measured) return tl::unexpected(measured.error());
        results.runs.push_back(std::move(*measured));
        return {};
    };
    for (const BenchScene& scene : scenes) {
        if (auto done = run(scene, threads); !done) return tl::unexpected(done.error());
    }
    if (threads > 1) {
        const double on_all = results.runs.back().step_seconds;
        if (auto done = run(std::end(scenes)[-1], 1); !done) return tl::unexpected(done.error());
        results.scaling = results.runs.back().step_seconds / on_all;
    }
    results.passes = measure_passes(effort);
    return results;
}

void print_table(const BenchResults& results) {
    std::printf("%s, %d cores, SIMD path %s, treacle %s\n\n", machine_name().c_str(), hardware_threads(),
                simd::name(simd::choice()), program_version);
    std::printf("%-16s %-12s %9s %7s %9s %11s %8s %16s %10s\n", "scene", "method", "particles", "threads", "steps/s",
                "ns/particle", "CPU ns", "particle-steps/s", "B/particle");
    for (const BenchRun& run : results.runs) {
        std::printf("%-16s %-12s %9zu %7d %9.1f %11.1f %8.1f %16.3g %10.0f\n", run.scene.c_str(), run.method.c_str(),
                    run.particles, run.threads, run.steps_per_second(), run.nanoseconds(), run.cpu_nanoseconds(),
                    run.particle_steps_per_second(), run.memory_per_particle);
        std::printf("    ns per particle:");
        for (const auto& [stage, time] : run.stages) {
            if (time > 0) std::printf("  %s %.1f", stage.c_str(), time);
        }
        std::printf("\n");
    }
    if (results.scaling > 0)
        std::printf("\nfrom 1 to %d threads: %.2f times as fast\n", results.runs[0].threads, results.scaling);
    std::printf("\non one core, CPU time:\n");
    for (const BenchPass& pass : results.passes) {
        std::printf("  %-16s %zu particles, %.0f neighbors: %.1f ns per particle\n", pass.name.c_str(), pass.particles,
                    pass.neighbors, pass.nanoseconds);
    }
}

Json to_json(const BenchResults& results) {
    Json root = Json::object();
    root.set("version", program_version);
    root.set("machine", machine_name());
    root.set("cores", hardware_threads());
    root.set("simd", simd::name(simd::choice()));
    root.set("scaling", results.scaling);
    Json& runs = root.set("scenes", Json::array());
    for (const BenchRun& run : results.runs) {
        Json entry = Json::object();
        entry.set("scene", run.scene);
        entry.set("method", run.method);
        entry.set("dimension", run.dimension);
        entry.set("particles", static_cast<unsigned long>(run.particles));
        entry.set("threads", run.threads);
        entry.set("steps_per_second", run.steps_per_second());
        entry.set("nanoseconds_per_particle", run.nanoseconds());
        entry.set("cpu_nanoseconds_per_particle", run.cpu_nanoseconds());
        entry.set("particle_steps_per_second", run.particle_steps_per_second());
        entry.set("bytes_per_particle", run.memory_per_particle);
        Json& stages = entry.set("stages", Json::object());
        for (const auto& [stage, time] : run.stages) stages.set(stage, time);
        runs.push(std::move(entry));
    }
    Json& passes = root.set("passes", Json::array());
    for (const BenchPass& pass : results.passes) {
        Json entry = Json::object();
        entry.set("pass", pass.name);
        entry.set("particles", static_cast<unsigned long>(pass.particles));
        entry.set("neighbors", pass.neighbors);
        entry.set("nanoseconds_per_particle", pass.nanoseconds);
        passes.push(std::move(entry));
    }
    return root;
}

/// One row per scene or pass and stage, for bench/results.
void print_csv(const BenchResults& results) {
    const std::string machine = machine_name();
    const char* simd_path = simd::name(simd::choice());
    std::printf(
        "machine,simd,what,particles,threads,stage,ns_per_particle,cpu_ns_per_particle,steps_per_second,bytes_per_"
        "particle\n");
    for (const BenchRun& run : results.runs) {
        std::printf("%s,%s,%s,%zu,%d,step,%.1f,%.1f,%.1f,%.0f\n", machine.c_str(), simd_path, run.scene.c_str(),
                    run.particles, run.threads, run.nanoseconds(), run.cpu_nanoseconds(), run.steps_per_second(),
                    run.memory_per_particle);
        for (const auto& [stage, time] : run.stages) {
            std::printf("%s,%s,%s,%zu,%d,%s,%.1f,,,\n", machine.c_str(), simd_path, run.scene.c_str(), run.particles,
                        run.threads, stage.c_str(), time);
        }
    }
    for (const BenchPass& pass : results.passes) {
        std::printf("%s,%s,%s with %.0f neighbors,%zu,1,pass,,%.1f,,\n", machine.c_str(), simd_path, pass.name.c_str(),
                    pass.neighbors, pass.particles, pass.nanoseconds);
    }
}

}  // namespace

Action add_bench(CLI::App& app) {
    auto options = std::make_shared<BenchOptions>();
    declare_threads(app, options->threads);
    auto* json = app.add_flag("--json", options->json, "print JSON");
    app.add_flag("--csv", options->csv, "print comma-separated values, as kept in bench/results")->excludes(json);
    app.add_flag("--quick", options->quick, "a few seconds, rough");
    return [options]() -> int {
        const auto results = measure(*options);
        if (!results) return report(results.error());
        if (options->json) std::printf("%s\n", to_text(to_json(*results)).c_str());
        else if (options->csv) print_csv(*results);
        else print_table(*results);
        return 0;
    };
}

}  // namespace treacle
