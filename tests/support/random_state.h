#pragma once

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "core/parallel.h"
#include "state/state.h"
#include "support/numbered.h"

namespace treacle {

/// A state with random values in every column (some of them like those of methods), random connections and anchors,
/// two bodies.
/// The storage order is not the order of the ids.
template <class Real>
State random_state(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(-1, 1);
    const ScalarType real = detail::ColumnTraits<Real>::type;
    State state(real);
    state.particles.add<Real>("pressure", "Pa", true);
    state.particles.add<SymMat<Real>>("conformation", "1", true);
    state.particles.add<Real>("scratch", "", false, false);
    state.particles.resize(count);
    for (const ColumnTable::Column& column : state.particles.all()) {
        if (column.info.type != real) continue;
        const auto bytes = state.particles.bytes(column.info.name);
        for (std::size_t n = 0; n * sizeof(Real) < bytes.size(); ++n) {
            const Real value = static_cast<Real>(unit(random));
            std::memcpy(&bytes[n * sizeof(Real)], &value, sizeof value);
        }
    }
    for (auto* vectors : {"position", "velocity"}) {
        for (Row4<Real>& row : state.particles.get<Row4<Real>>(vectors)) row.w = 0;
    }
    const auto id = state.particles.get<std::uint32_t>("id");
    const auto material = state.particles.get<std::uint8_t>("material");
    for (std::size_t i = 0; i < count; ++i) {
        id[i] = static_cast<std::uint32_t>(10 * i + 3);
        material[i] = static_cast<std::uint8_t>(i % 3);
    }
    std::shuffle(id.begin(), id.end(), random);

    state.connections.template add_value<Real>("strain", "1");
    state.connections.resize(count);
    std::vector<std::vector<std::uint32_t>> links(count);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = i + 1; j < std::min(count, i + 8); ++j) {
            if (unit(random) < 0) continue;
            links[i].push_back(static_cast<std::uint32_t>(j));
            links[j].push_back(static_cast<std::uint32_t>(i));
        }
    }
    state.connections.rewrite(Parallel(1), id, [&](std::size_t i, ConnectionGraph::RowDraft& row) {
        for (const std::uint32_t j : links[i]) row.add(j, 0.1 + 0.001 * static_cast<double>(id[i] + id[j]));
    });
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t slot = state.connections.begin(i); slot < state.connections.begin(i) + links[i].size();
             ++slot) {
            state.connections.template values<Real>("strain")[slot] =
                static_cast<Real>(0.5) / static_cast<Real>(1 + id[i] + id[state.connections.others()[slot]]);
        }
    }

    state.anchors.resize(count);
    state.anchors.rewrite(Parallel(1), numbered(2), [&](std::size_t i, ConnectionGraph::RowDraft& row) {
        for (std::uint32_t n = 0; n < i % 3; ++n) row.add(n % 2, 0.1 + 0.01 * n, {0.001 * id[i], 0.1 * n, -1});
    });

    for (const char* name : {"floor", "a moving board"}) {
        Body body;
        body.id = static_cast<std::uint32_t>(state.bodies.size());
        body.name = name;
        body.shape.form = Sphere{{1, 2, 3}, 0.5};
        body.pose = {{unit(random), unit(random), unit(random)}, from_axis_angle({1, 2, 3}, 100 * unit(random))};
        for (Vec3d* v : {&body.velocity, &body.angular_velocity, &body.force, &body.torque}) {
            *v = {unit(random), unit(random), unit(random)};
        }
        state.bodies.push_back(body);
    }
    state.time = 0.1234567890123;
    state.step = 987654321;
    state.frame = 42;
    state.rupture = {1, 0, 0.0093, 0.0123, Rupture::never};
    state.signs = {-0.1, true, {-1, -2, -3}, {1, 2, 3.5}, {0, 9.81, 0.1}, 1234, 0.00123, 17};
    return state;
}

/// Re-sorts particles and connections at random; nothing else changes.
inline void shuffle_storage(State& state, unsigned seed) {
    std::vector<std::uint32_t> source(state.particles.size());
    for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::uint32_t>(i);
    std::shuffle(source.begin(), source.end(), std::mt19937(seed));
    state.particles.permute(source);
    state.connections.permute(source);
    state.anchors.permute(source);
}

}  // namespace treacle
