// The iterations of barreiro2017 alone, on one core: nanoseconds of CPU time per particle. Particles stand on a
// jittered lattice in Morton order, as in a running simulation. Arguments: particles, support radius in hundredths of
// a spacing.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>

#include "lattice_fluid.h"
#include "blocks/elastic/conformation.h"
#include "blocks/pressure/density_constraint.h"

namespace treacle {
namespace {

/// A soft block that is strained by the jitter's random velocities, with neighbors as in a step.
template <class S>
struct Strained : Fluid<S> {
    using Real = typename S::Real;

    explicit Strained(const benchmark::State& state)
        : Fluid<S>(static_cast<std::size_t>(state.range(0)), 0.01 * static_cast<double>(state.range(1)), 1),
          volume(this->position.size(), 1), compliance(volume.size(), Real(1e-3)),
          conformation(volume.size(), SymMat<Real>::identity()) {
        block.settings.support_radius = static_cast<double>(this->h);
        std::fill(this->mass.begin(), this->mass.end(), Real(1000));
        wider.update(this->position, static_cast<double>(this->h) + 0.1, this->parallel, no_period);
    }
    FluidView<S> view() {
        FluidView<S> view;
        view.position = this->position, view.velocity = this->velocity;
        view.mass = this->mass, view.density = this->density, view.volume = volume, view.material = this->material;
        return view;
    }
    /// With neighbors as at the start of a step, or as barreiro2017 has them while positions move.
    BlockContext<S> context(Neighbors<S>& rows_of) {
        return {0, 1e-3, {}, no_period, rows_of, bodies, this->parallel, timer, &boundary};
    }
    BlockContext<S> context() { return context(this->neighbors); }
    typename Conformation<S>::Constraints constraints() { return {rows, compliance, conformation}; }
    void begin() { block.begin(view(), context(), constraints()); }

    Bodies bodies;
    BoundaryParticles<S> boundary{
        bodies, {.spacing = 1, .support_radius = static_cast<double>(this->h)}, this->parallel};
    StageTimer timer;
    std::vector<Real> volume, compliance;
    std::vector<SymMat<Real>> conformation;
    Conformation<S> block;
    ConformationRows<S> rows{this->neighbors};
    Neighbors<S> wider;  ///< as in barreiro2017 while positions move
};

/// Jacobi, as in the paper.
template <class S>
void velocity_iteration(benchmark::State& state) {
    Strained<S> f(state);
    f.begin();
    for (auto _ : state) f.block.project_velocities(f.view(), f.context(), f.constraints());
    f.report(state);
}

/// An iteration of conjugate gradients, five between contacts.
template <class S>
void velocity_search(benchmark::State& state) {
    Strained<S> f(state);
    f.begin();
    for (auto _ : state) {
        const std::clock_t begin = std::clock();
        f.block.solve_velocities(f.view(), f.context(), f.constraints(), 5, {[](auto, bool) {}, [](auto) {}, [] {}});
        state.SetIterationTime(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / 5);
    }
    f.report(state);
}

template <class S>
void position_iteration(benchmark::State& state) {
    Strained<S> f(state);
    f.begin();
    MovingPositions<S> moving(f.position);
    const ConformationRows<S> rows(f.wider);
    for (auto _ : state)
        f.block.project_positions(f.view(), f.context(f.wider), {rows, f.compliance, f.conformation}, moving);
    f.report(state);
}

template <class S>
void density_iteration(benchmark::State& state) {
    using Real = typename S::Real;
    Strained<S> f(state);
    f.boundary.update(f.position, f.bodies, f.parallel);
    const std::vector<Real> pressure(f.position.size(), 0), none(f.position.size(), -1);
    DensityConstraint<S> block;
    MovingPositions<S> moving(f.position);
    block.begin_positions(f.view(), f.context(f.wider), {pressure, f.density, none}, moving, f.result);
    for (auto _ : state) block.project_positions(f.view(), f.context(f.wider), moving, f.result, f.density);
    f.report(state);
}

BENCHMARK(velocity_iteration<Space3f>)->Args({32768, 200})->Args({32768, 250})->Args({262144, 200});
BENCHMARK(velocity_search<Space3f>)->Args({32768, 200})->UseManualTime();
BENCHMARK(position_iteration<Space3f>)->Args({32768, 200})->Args({32768, 250})->Args({262144, 200});
BENCHMARK(density_iteration<Space3f>)->Args({32768, 200})->Args({32768, 250})->Args({262144, 200});

}  // namespace
}  // namespace treacle

BENCHMARK_MAIN();
