// mukai2021: one iteration of the coupled solver (velocity gradients, stresses, dashpots) on one core, in nanoseconds
// of CPU time per particle, and the cost of a step before it iterates. Particles stand on a jittered lattice in Morton
// order, as in a running simulation. Arguments: particles, viscous radius in hundredths of a spacing.

#include <benchmark/benchmark.h>

#include <ctime>

#include "lattice_fluid.h"
#include "blocks/pressure/coupled_flow.h"
#include "blocks/solids/boundary_particles.h"

namespace treacle {
namespace {

struct Gum : Fluid<Space3d> {
    explicit Gum(const benchmark::State& state)
        : Fluid<Space3d>(static_cast<std::size_t>(state.range(0)), 3.1, 1), one(position.size(), 1),
          half(position.size(), 0.5), unstrained(position.size(), SymMat<double>::identity()),
          resistance(position.size(), 10), none(position.size(), 0), pressure(position.size(), 0),
          acceleration(position.size()), geometry(2.1, 0.01 * static_cast<double>(state.range(1)), 3.1, 1),
          boundary(bodies, {.spacing = 1, .support_radius = 3.1}, parallel) {
        boundary.update(position, bodies, parallel);
        fluid.position = position, fluid.mass = one, fluid.volume = one;
        geometry.update(fluid, context);
        flow.rule.tolerance = 0;
    }

    /// Seconds for a solve with a number of iterations, from random velocities.
    double solve(int iterations, bool elastic = false) {
        flow.rule.max_iterations = iterations;
        auto v = velocity;
        fluid.velocity = v;
        StressTerms<Space3d> terms;
        terms.viscosity = one;
        if (elastic) terms.smooth = half, terms.modulus = one, terms.conformation = unstrained, terms.strain_time = one;
        const std::clock_t begin = std::clock();
        flow.apply(fluid, context, geometry, terms, {acceleration, resistance, none}, pressure);
        return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    }

    std::vector<double> one, half;
    std::vector<SymMat<double>> unstrained;
    std::vector<double> resistance, none, pressure;
    std::vector<Row4<double>> acceleration;
    Bodies bodies;
    StageTimer timer;
    MpsGeometry<Space3d> geometry;
    BoundaryParticles<Space3d> boundary;
    FluidView<Space3d> fluid;
    BlockContext<Space3d> context{0, 100, {}, no_period, neighbors, bodies, parallel, timer, &boundary};
    CoupledFlow<Space3d> flow;
};

void iteration(benchmark::State& state) {
    Gum gum(state);
    for (auto _ : state) state.SetIterationTime((gum.solve(25) - gum.solve(5)) / 20);
    gum.report(state);
}

/// With a conformation, and with half of the dashpots smooth.
void elastic_iteration(benchmark::State& state) {
    Gum gum(state);
    for (auto _ : state) state.SetIterationTime((gum.solve(25, true) - gum.solve(5, true)) / 20);
    gum.report(state);
}

void before_iterating(benchmark::State& state) {
    Gum gum(state);
    for (auto _ : state) state.SetIterationTime(gum.solve(1));
    gum.report(state);
}

BENCHMARK(iteration)->Args({29791, 310})->Args({29791, 210})->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(elastic_iteration)->Args({29791, 210})->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(before_iterating)->Args({29791, 210})->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace treacle

BENCHMARK_MAIN();
