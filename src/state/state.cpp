#include "state/state.h"

#include <algorithm>

namespace treacle {

void FrameStatistics::add_step(double dt, int iterations, double error_mean, double error_max) {
    dt_min = steps == 0 ? dt : std::min(dt_min, dt);
    dt_sum += dt;
    ++steps;
    iterations_sum += static_cast<std::uint64_t>(iterations);
    iterations_max = std::max(iterations_max, iterations);
    density_error_mean = error_mean;
    density_error_max = error_max;
}

State State::persistent() const {
    State copy(particles.real());
    copy.particles.copy_without_scratch(particles);
    copy.connections = connections;
    copy.anchors = anchors;
    copy.bodies = bodies;
    copy.emission = emission;
    copy.rupture = rupture;
    copy.time = time;
    copy.step = step;
    copy.frame = frame;
    copy.statistics = statistics;
    copy.caution = caution;
    copy.signs = signs;
    return copy;
}

std::uint64_t state_hash(const State& state) {
    Hash hash;
    const auto order = state.particles.id_order();
    for (const ColumnTable::Column& column : state.particles.all()) {
        if (!column.info.persistent) continue;
        hash.add(column.info.name.data(), column.info.name.size());
        const std::size_t bytes = column.info.row_bytes();
        for (const std::uint32_t i : order) hash.add(&column.bytes[i * bytes], bytes);
    }
    state.connections.hash(hash, order);
    state.anchors.hash(hash, order);
    for (const Body& body : state.bodies) {
        hash.add(body.pose);
        hash.add(body.velocity);
        hash.add(body.angular_velocity);
    }
    for (const EmitterState& emitter : state.emission.emitters) {
        hash.add(emitter.pushed);
        hash.add(emitter.layers);
    }
    if (state.rupture != Rupture{}) {  // most fluids are never pulled apart
        hash.add(state.rupture.lower);
        hash.add(state.rupture.upper);
        hash.add(state.rupture.start_distance);
        hash.add(state.rupture.sides_met);
        hash.add(state.rupture.parted);
    }
    hash.add(state.time);
    hash.add(state.step);
    return hash.value();
}

}  // namespace treacle
