// The passes of a step alone, on one core unless --benchmark_filter says otherwise: nanoseconds of CPU time per
// particle. Particles stand on a jittered lattice in Morton order, as in a running simulation.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>

#include "lattice_fluid.h"
#include "blocks/elastic/plastic_springs.h"
#include "blocks/pressure/double_density.h"
#include "blocks/pressure/iisph.h"
#include "blocks/solids/boundary_particles.h"
#include "blocks/surface/cohesion.h"
#include "blocks/viscous/explicit_viscosity.h"
#include "blocks/viscous/implicit_viscosity.h"
#include "blocks/viscous/radial_impulses.h"
#include "blocks/viscous/xsph.h"

namespace treacle {
namespace {

/// 29 neighbors, as in the figures, and those of clavet2005 (68 in 3D, 26 in 2D).
double narrow() { return 1.93; }
template <class S>
double wide() {
    return S::dim == 3 ? 2.55 : 2.9;
}

template <class S>
void search(benchmark::State& state) {
    Fluid<S> f(static_cast<std::size_t>(state.range(0)), state.range(1) ? wide<S>() : narrow(), 1);
    for (auto _ : state) f.neighbors.update(f.position, f.h, f.parallel, no_period);
    f.report(state);
}

template <class S>
void density(benchmark::State& state) {
    Fluid<S> f(static_cast<std::size_t>(state.range(0)), state.range(1) ? wide<S>() : narrow(), 1);
    DoubleDensity<S> block;
    block.support_radius = f.h;
    block.materials = {{2, 1, 4, -3}};
    for (auto _ : state) block.measure(f.view(), f.context(0.01), {f.density, f.pressure, f.near_pressure});
    f.report(state);
}

template <class S>
void pressure(benchmark::State& state) {
    Fluid<S> f(static_cast<std::size_t>(state.range(0)), state.range(1) ? wide<S>() : narrow(), 1);
    DoubleDensity<S> block;
    block.support_radius = f.h;
    block.materials = {{2, 1, 4, -3}};
    const typename DoubleDensity<S>::Fields fields{f.density, f.pressure, f.near_pressure};
    block.measure(f.view(), f.context(0.01), fields);
    for (auto _ : state) block.gather(f.view(), f.context(0.01), fields, f.result, f.walls_by);
    f.report(state);
}

template <class S>
void viscosity(benchmark::State& state) {
    Fluid<S> f(static_cast<std::size_t>(state.range(0)), state.range(1) ? wide<S>() : narrow(), 1);
    const RadialImpulses<S> block{.support_radius = f.h, .materials = {{2, 0}}};
    for (auto _ : state) block.gather(f.view(), f.context(0.01), typename S::Real(0.01), f.result);
    f.report(state);
}

/// One iteration of implicit viscosity, in a block without walls or on a floor, from the difference of solves with 30
/// and with 10 iterations. The second argument is the support radius in hundredths of the spacing.
template <class S>
void implicit_viscosity_iteration(benchmark::State& state) {
    using Real = typename S::Real;
    Fluid<S> f(static_cast<std::size_t>(state.range(0)), 0.01 * static_cast<double>(state.range(1)), 1);
    const double h = f.neighbors.radius();
    const std::vector<Real> viscosity(f.position.size(), 1);
    Bodies bodies(state.range(2) ? 1 : 0);
    if (!bodies.empty()) bodies[0].shape = {Plane{{0, 1, 0}, -0.5}, {}, S::dim};
    BoundaryParticles<S> boundary(bodies, {1, h}, f.parallel);
    boundary.update(f.position, bodies, f.parallel);
    FluidView<S> fluid = f.view();
    const BlockContext<S> context = f.context(1000 * h * h, bodies, &boundary);
    ImplicitViscosity<S> few, many;
    few.support_radius = many.support_radius = h;
    few.rule = {0, 10}, many.rule = {0, 30};
    const auto seconds = [&](ImplicitViscosity<S>& block) {
        f.result = f.velocity;
        fluid.velocity = f.result;
        const std::clock_t start = std::clock();
        block.apply(fluid, context, viscosity);
        return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    };
    for (auto _ : state) state.SetIterationTime(std::max(1e-9, (seconds(many) - seconds(few)) / 20));
    f.report(state);
}

/// One iteration of IISPH, two passes over the pairs, from the difference of solves with many and with few.
template <class S>
void iisph_iteration(benchmark::State& state) {
    using Real = typename S::Real;
    Fluid<S> fluid(static_cast<std::size_t>(state.range(0)), static_cast<double>(state.range(1)) / 100, 1);
    const std::size_t count = fluid.position.size();
    fluid.mass.assign(count, Real(1000));
    Bodies bodies;
    BoundaryParticles<S> boundary(bodies, {.spacing = 1, .support_radius = static_cast<double>(fluid.h)},
                                  fluid.parallel);
    boundary.update(fluid.position, bodies, fluid.parallel);
    Iisph<S> block;
    std::vector<Real> ratio(count), pressure(count);
    FluidView<S> view = fluid.view();
    const BlockContext<S> context = fluid.context(1e-2, bodies, &boundary);
    block.measure(view, context, ratio);
    const auto seconds_of = [&](int iterations) {
        block.settings = {.solver = state.range(2) == 0 ? Iisph<S>::Solver::accelerated : Iisph<S>::Solver::jacobi,
                          .tolerance = 0,
                          .min_iterations = iterations,
                          .max_iterations = iterations};
        auto velocity = fluid.velocity;
        view.velocity = velocity;
        std::fill(pressure.begin(), pressure.end(), Real(0));
        const std::clock_t begin = std::clock();
        block.solve(view, context, ratio, pressure);
        return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    };
    seconds_of(2);
    for (auto _ : state) state.SetIterationTime((seconds_of(22) - seconds_of(2)) / 20);
    fluid.report(state);
}

/// Density, gradients and other quantities computed once per step.
template <class S>
void iisph_measure(benchmark::State& state) {
    using Real = typename S::Real;
    Fluid<S> fluid(static_cast<std::size_t>(state.range(0)), static_cast<double>(state.range(1)) / 100, 1);
    fluid.mass.assign(fluid.position.size(), Real(1000));
    Bodies bodies;
    BoundaryParticles<S> boundary(bodies, {.spacing = 1, .support_radius = static_cast<double>(fluid.h)},
                                  fluid.parallel);
    boundary.update(fluid.position, bodies, fluid.parallel);
    Iisph<S> block;
    std::vector<Real> ratio(fluid.position.size());
    const FluidView<S> view = fluid.view();
    const BlockContext<S> context = fluid.context(1e-2, bodies, &boundary);
    for (auto _ : state) block.measure(view, context, ratio);
    fluid.report(state);
}

template <class S>
void explicit_viscosity(benchmark::State& state) {
    Fluid<S> f(static_cast<std::size_t>(state.range(0)), narrow(), 1);
    const std::vector<typename S::Real> viscosity(f.position.size(), 1);
    const ExplicitViscosity<S> block{f.neighbors.radius()};
    const FluidView<S> fluid = f.view();
    Bodies none;
    const BlockContext<S> context = f.context(0.01, none);
    for (auto _ : state) block.add(fluid, context, viscosity, {}, f.result);
    f.report(state);
}

template <class S>
void xsph(benchmark::State& state) {
    Fluid<S> f(static_cast<std::size_t>(state.range(0)), narrow(), 1);
    const std::vector<typename S::Real> viscosity(f.position.size(), 1);
    const Xsph<S> block{f.neighbors.radius()};
    const FluidView<S> fluid = f.view();
    Bodies none;
    const BlockContext<S> context = f.context(0.01, none);
    for (auto _ : state) block.gather(fluid, context, viscosity, f.result);
    f.report(state);
}

template <class S>
void cohesion(benchmark::State& state) {
    Fluid<S> f(static_cast<std::size_t>(state.range(0)), state.range(1) ? wide<S>() : narrow(), 1);
    const Cohesion<S> block{.support_radius = f.h, .strength = {1}};
    for (auto _ : state) block.gather(f.view(), f.context(0.01), f.result);
    f.report(state);
}

/// Creep, renewal with nothing to renew, and displacement.
template <class S>
void springs(benchmark::State& state) {
    using Real = typename S::Real;
    Fluid<S> f(static_cast<std::size_t>(state.range(0)), state.range(1) ? wide<S>() : narrow(), 1);
    const PlasticSprings<S> block{.support_radius = f.h,
                                  .smallest_length = Real(0.1),
                                  .break_length = 10,
                                  .materials = {{1, 1, Real(0.1), Real(0.1)}}};
    ConnectionGraph graph(sizeof(Real) == 4 ? ScalarType::f32 : ScalarType::f64);
    graph.resize(f.position.size());
    block.renew(f.view(), f.context(0.01), Births::all(), graph);
    const auto pass = state.range(2);
    for (auto _ : state) {
        if (pass == 0) block.adjust(f.view(), f.context(0.01), graph);
        if (pass == 1) block.renew(f.view(), f.context(0.01), Births::none(), graph);
        if (pass == 2) block.gather(f.view(), f.context(0.01), graph, f.result);
    }
    f.report(state);
}

/// Cost of boundary particles per step: samples of a container that rests (0) or moves (1), with fluid in it (1) or
/// without (0). The cost is per sample or, with fluid, per particle of it.
template <class S>
void boundary(benchmark::State& state) {
    Fluid<S> f(static_cast<std::size_t>(state.range(0)), 2, 1);
    const auto [low, high] = bounds_of(std::span<const typename S::Row>(f.position));
    const Vec3d room{1, 1, S::dim == 3 ? 1.0 : 0.0};
    Bodies bodies(1);
    bodies[0].shape = {Box{0.5 * cast<double>(low + high), cast<double>(high - low) + room}, {}, S::dim};
    bodies[0].invert = true;
    BoundaryParticles<S> samples(bodies, {1, 2}, f.parallel);
    std::vector<typename S::Row> fluid;
    if (state.range(2)) fluid = f.position;
    samples.update(fluid, bodies, f.parallel);
    for (auto _ : state) {
        if (state.range(1)) bodies[0].pose.position.x += 1e-6;
        samples.update(fluid, bodies, f.parallel);
    }
    const double count = static_cast<double>(fluid.empty() ? samples.size() : fluid.size());
    state.counters[fluid.empty() ? "ns_per_sample" : "ns_per_particle"] =
        benchmark::Counter(count * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
    state.counters["samples"] = static_cast<double>(samples.size());
}

BENCHMARK(search<Space3f>)->Args({100000, 0})->Args({100000, 1});
BENCHMARK(search<Space2f>)->Args({1024, 1})->Args({100000, 1});
BENCHMARK(density<Space3f>)->Args({100000, 0})->Args({100000, 1});
BENCHMARK(density<Space2f>)->Args({1024, 1});
BENCHMARK(density<Space3d>)->Args({100000, 0});
BENCHMARK(pressure<Space3f>)->Args({100000, 0})->Args({100000, 1});
BENCHMARK(viscosity<Space3f>)->Args({100000, 0})->Args({100000, 1});
BENCHMARK(implicit_viscosity_iteration<Space3f>)->ArgsProduct({{100000}, {193, 213}, {0, 1}})->UseManualTime();
BENCHMARK(implicit_viscosity_iteration<Space3d>)->Args({100000, 193, 0})->UseManualTime();
BENCHMARK(iisph_iteration<Space3f>)
    ->Args({100000, 193, 0})
    ->Args({100000, 193, 1})
    ->Args({100000, 213, 0})
    ->UseManualTime();
BENCHMARK(iisph_measure<Space3f>)->Args({100000, 193})->Args({100000, 213});
BENCHMARK(explicit_viscosity<Space3f>)->Args({100000});
BENCHMARK(xsph<Space3f>)->Args({100000});
BENCHMARK(cohesion<Space3f>)->Args({100000, 0});
BENCHMARK(boundary<Space3f>)->ArgsProduct({{100000}, {0, 1}, {0, 1}});
BENCHMARK(springs<Space3f>)->ArgsProduct({{10000, 100000}, {0}, {0, 1, 2}});

}  // namespace
}  // namespace treacle

BENCHMARK_MAIN();
