// The costs of a live session between two steps, in milliseconds of CPU time: a snapshot, going back to it, a new value
// of a live parameter. A cube of about 15,000 particles of slime on a floor, with its connections. Also the start of
// the scenes of the gallery, from the scene in memory to the first frame.

#include <benchmark/benchmark.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "scene/reader.h"
#include "sim/simulation.h"

namespace treacle {
namespace {

Scene slime(const std::string& method) {
    const std::string text = R"({ "treacle": 1, "method": ")" + method + R"(", "particle_spacing": 0.004,
        "time": { "duration": 1, "fps": 100 },
        "materials": { "slime": { "viscosity": 1, "shear_modulus": 800, "relaxation_time": 0.5 } },
        "fluids": [{ "material": "slime", "shape": { "box": { "center": [0, 0.05, 0], "size": [0.1, 0.1, 0.1] } } }],
        "solids": [{ "name": "floor", "shape": { "plane": { "normal": [0, 1, 0] } } }] })";
    const auto json = parse_json(text, "slime");
    if (!json) throw std::runtime_error(to_string(json.error()));
    auto scene = read_scene(*json, "slime", Log{});
    if (!scene) throw std::runtime_error(to_string(scene.error()));
    return std::move(*scene);
}

const char* const methods[] = {"clavet2005", "takamatsu2011", "takahashi2014", "barreiro2017", "mukai2021"};

/// After two steps, so that all columns and connections are there.
std::unique_ptr<Simulation> running(benchmark::State& state) {
    const std::string method = methods[state.range(0)];
    auto simulation = Simulation::create(slime(method), 1, Log{});
    if (!simulation) throw std::runtime_error(to_string(simulation.error()));
    for (int n = 0; n < 2; ++n) {
        if (auto step = (*simulation)->step(); !step) throw std::runtime_error(to_string(step.error()));
    }
    state.SetLabel(method + ", " + std::to_string((*simulation)->state().particles.size()) + " particles");
    return std::move(*simulation);
}

void snapshot(benchmark::State& state) {
    const auto simulation = running(state);
    for (auto _ : state) benchmark::DoNotOptimize(simulation->snapshot());
}

void restore(benchmark::State& state) {
    const auto simulation = running(state);
    const auto moment = simulation->snapshot();
    for (auto _ : state) simulation->restore(*moment);
}

void set_viscosity(benchmark::State& state) {
    const auto simulation = running(state);
    double viscosity = 1;
    for (auto _ : state) {
        viscosity += 1e-3;
        if (!simulation->set("/materials/slime/viscosity", viscosity)) state.SkipWithError("refused");
    }
}

void start_gallery(benchmark::State& state, const std::string& name) {
    const auto scene = read_scene_file(TREACLE_SCENES "/gallery/" + name + ".json");
    if (!scene) throw std::runtime_error(to_string(scene.error()));
    for (auto _ : state) {
        auto simulation = Simulation::create(*scene, 1, Log{});
        if (!simulation) state.SkipWithError("cannot start");
        benchmark::DoNotOptimize(simulation);
    }
}

BENCHMARK(snapshot)->DenseRange(0, 4)->Unit(benchmark::kMillisecond);
BENCHMARK(restore)->DenseRange(0, 4)->Unit(benchmark::kMillisecond);
BENCHMARK(set_viscosity)->DenseRange(0, 4)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(start_gallery, chocolate_rabbit, "chocolate_rabbit")->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(start_gallery, cream_swirl, "cream_swirl")->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(start_gallery, dough, "dough")->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(start_gallery, egg, "egg")->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(start_gallery, gelatin, "gelatin")->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(start_gallery, honey_pancakes, "honey_pancakes")->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(start_gallery, mozzarella, "mozzarella")->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(start_gallery, piped_cream, "piped_cream")->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(start_gallery, slime_hands, "slime_hands")->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(start_gallery, slime_on_a_step, "slime_on_a_step")->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace treacle

BENCHMARK_MAIN();
