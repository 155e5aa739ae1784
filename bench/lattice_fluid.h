#pragma once

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "blocks/solids/walls.h"
#include "neighbors/morton_order.h"
#include "neighbors/neighbors.h"
#include "simd/dispatch.h"

namespace treacle {

/// A block of fluid with spacing 1 around the origin.
template <class S>
struct Fluid {
    using Real = typename S::Real;
    using Row = typename S::Row;

    Fluid(std::size_t wanted, double radius, int threads) : parallel(threads), h(static_cast<Real>(radius)) {
        const int side = static_cast<int>(std::lround(std::pow(static_cast<double>(wanted), 1.0 / S::dim)));
        std::mt19937 random(1);
        std::uniform_real_distribution<Real> jitter(Real(-0.2), Real(0.2)), speed(-1, 1);
        for (int z = 0; z < (S::dim == 3 ? side : 1); ++z) {
            for (int y = 0; y < side; ++y) {
                for (int x = 0; x < side; ++x) {
                    const Real up = S::dim == 3 ? static_cast<Real>(z) + jitter(random) : Real(0);
                    position.push_back(typename S::Vec{static_cast<Real>(x) + jitter(random),
                                                       static_cast<Real>(y) + jitter(random), up});
                }
            }
        }
        const std::size_t count = position.size();
        for (std::uint32_t i = 0; i < count; ++i) id.push_back(i);
        const auto order = morton_order<Real>(position, id, radius);
        const auto unsorted = position;
        for (std::size_t i = 0; i < count; ++i) {
            position[i] = unsorted[order[i]];
            velocity.push_back(typename S::Vec{speed(random), speed(random), S::dim == 3 ? speed(random) : Real(0)});
        }
        result.resize(count), walls_by.resize(count), load.resize(count);
        mass.assign(count, 1), density.resize(count), pressure.resize(count), near_pressure.resize(count);
        material.assign(count, 0);
        neighbors.update(position, radius, parallel, no_period);
        walls.update(position, {}, radius, parallel);
    }

    void report(benchmark::State& state) const {
        const double count = static_cast<double>(position.size());
        state.counters["ns_per_particle"] = benchmark::Counter(
            count * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
        state.counters["neighbors"] = static_cast<double>(neighbors.pair_entries()) / count;
        state.SetLabel(simd::name(simd::choice()));
    }

    /// As blocks see it, with a volume of 1.
    FluidView<S> view() {
        FluidView<S> view;
        volume.resize(position.size(), Real(1));
        view.position = position, view.velocity = velocity;
        view.mass = mass, view.density = density, view.volume = volume;
        view.id = id, view.material = material;
        return view;
    }
    BlockContext<S> context(double dt) { return context(dt, no_bodies); }
    BlockContext<S> context(double dt, Bodies& bodies, const BoundaryParticles<S>* boundary = nullptr) {
        return {0, dt, {}, no_period, neighbors, bodies, parallel, timer, boundary};
    }

    Parallel parallel;
    StageTimer timer;
    Real h;
    std::vector<Row> position, velocity, result, walls_by, load;
    std::vector<Real> mass, volume, density, pressure, near_pressure;
    std::vector<std::uint32_t> id;
    std::vector<std::uint8_t> material;
    Neighbors<S> neighbors;
    WallRows<S> walls;
    Bodies no_bodies;
};

}  // namespace treacle
