#include "sim/particle_exchange.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"

namespace treacle {

namespace {

void remove_rows(State& state, std::span<const std::uint8_t> doomed) {
    const auto new_index = state.particles.remove(doomed);
    state.connections.remap(new_index, state.particles.size());
    state.anchors.remap(new_index, state.particles.size());
}

/// How far a layer is past the mouth; negative while it belongs to the plug.
double depth_of(std::size_t layer, const EmittedLayers& layers, double pushed) {
    return pushed - static_cast<double>(layer) * layers.spacing;
}

}  // namespace

template <class S>
ParticleExchange<S>::ParticleExchange(const Scene& scene, double support_radius) {
    for (std::size_t e = 0; e < scene.emitters.size(); ++e) {
        layers_.push_back(emitted_layers(scene.emitters[e], scene));
        first_sample_.push_back(samples_);
        samples_ += layers_.back().points.size();
    }
    fluids_ = scene.fluids.size();
    told_.resize(layers_.size());
    mouth_.resize(layers_.size());
    plug_length_ = scene.particle_spacing * std::ceil(support_radius / scene.particle_spacing);
}

template <class S>
std::vector<std::string> ParticleExchange<S>::blocked_pipes(const Scene& scene) const {
    std::vector<std::string> remarks;
    for (std::size_t e = 0; e < scene.emitters.size(); ++e) {
        const Emitter& emitter = scene.emitters[e];
        const Pose mouth =
            mouth_pose(emitter, pose_at(emitter.body ? scene.solids[*emitter.body].motion : emitter.motion, 0));
        for (const Solid& solid : scene.solids) {
            const Pose pose = pose_at(solid.motion, 0);
            double deepest = 0;
            for (std::size_t n = 0; n < layers_[e].points.size(); ++n) {
                const Vec3d back = mouth.to_world(layers_[e].point(0, n, -plug_length_, S::dim));
                const double distance = surface_point(solid.shape, pose.to_local(back)).distance;
                deepest = std::max(deepest, solid.invert ? distance : -distance);
            }
            if (deepest <= 0) continue;
            remarks.push_back("/emitters/" + std::to_string(e) + ": behind its mouth stand " +
                              number_text(plug_length_) + " m of fluid that it pushes, and they reach " +
                              number_text(deepest) + " m into the solid " + in_quotes(solid.name) +
                              ", which presses too; move the mouth away from it by as much");
        }
    }
    return remarks;
}

template <class S>
void ParticleExchange<S>::begin(State& state) const {
    state.emission.first_id = static_cast<std::uint32_t>(state.particles.size());
    state.emission.emitters.assign(layers_.size(), {});
    if (has_emitters()) add_columns(state.particles);
}

template <class S>
void ParticleExchange<S>::add_columns(Particles& particles) const {
    particles.add<std::uint32_t>("emitted_layer", "1", false, true, false, no_layer);
    particles.add<std::uint32_t>("emitted_point", "1");
}

/// Until version 0.2 ids told where particles come from: first_id + layer × (points of all mouths) + point, for as many
/// layers as the emitter has made.
template <class S>
void ParticleExchange<S>::restore(State& state) const {
    if (!has_emitters() || state.particles.has("emitted_layer")) return;
    add_columns(state.particles);
    const auto id = state.particles.get<std::uint32_t>("id");
    const auto fluid = state.particles.get<std::uint32_t>("fluid");
    const auto layer = state.particles.get<std::uint32_t>("emitted_layer");
    const auto point = state.particles.get<std::uint32_t>("emitted_point");
    for (std::size_t i = 0; i < id.size(); ++i) {
        if (id[i] < state.emission.first_id || fluid[i] < fluids_) continue;
        const std::size_t e = fluid[i] - fluids_, number = id[i] - state.emission.first_id;
        if (number / samples_ >= state.emission.emitters[e].layers) continue;  // a half, which a method has made
        layer[i] = static_cast<std::uint32_t>(number / samples_);
        point[i] = static_cast<std::uint32_t>(number % samples_ - first_sample_[e]);
    }
}

template <class S>
std::vector<std::uint8_t> ParticleExchange<S>::in_plug(const State& state, const Parallel& parallel) const {
    if (!has_emitters()) return {};
    std::vector<std::uint8_t> result(state.particles.size());
    if (state.emission.emitters.empty()) return result;  // not yet begun
    const Origins origins(*this, state.particles);
    parallel.for_each(Rows::of(result.size()), [&](std::size_t i) {
        if (!origins.emitted(i)) return;
        const std::size_t e = origins.emitter(i);
        result[i] = depth_of(origins.layer[i], layers_[e], state.emission.emitters[e].pushed) < 0;
    });
    return result;
}

template <class S>
bool ParticleExchange<S>::active(const Scene& scene, const State& state, std::size_t e) const {
    return emits_at(scene.emitters[e], state.time) && state.emission.emitters[e].pushed < layers_[e].longest;
}

template <class S>
Pose ParticleExchange<S>::mouth_at(const Scene& scene, const State& state, std::size_t e, double time) const {
    const Emitter& emitter = scene.emitters[e];
    return mouth_pose(emitter, emitter.body ? state.bodies[*emitter.body].pose : pose_at(emitter.motion, time));
}

template <class S>
std::size_t ParticleExchange<S>::emit(const Scene& scene, State& state, const Log& log) {
    for (std::size_t e = 0; e < layers_.size(); ++e) {
        mouth_[e] = mouth_at(scene, state, e, state.time);
        const double pushed = state.emission.emitters[e].pushed;
        const std::uint32_t made = state.emission.emitters[e].layers;
        if (!active(scene, state, e)) {
            drop_plug(state, e);
            continue;
        }
        const auto due = static_cast<std::uint32_t>(std::floor((pushed + plug_length_) / layers_[e].spacing)) + 1;
        if (due <= made) continue;
        const double half = 0.5 * layers_[e].spacing;
        clear_way(scene, state, e, depth_of(due - 1, layers_[e], pushed) - half,
                  depth_of(made, layers_[e], pushed) + half, log);
    }
    const std::size_t first = state.particles.size();
    for (std::size_t e = 0; e < layers_.size(); ++e) {
        if (!active(scene, state, e)) continue;
        EmitterState& emitter = state.emission.emitters[e];
        while (depth_of(emitter.layers, layers_[e], emitter.pushed) >= -plug_length_) {
            emit_layer(scene, state, e, emitter.layers++);
        }
    }
    state.connections.resize(state.particles.size());
    state.anchors.resize(state.particles.size());
    return first;
}

template <class S>
void ParticleExchange<S>::emit_layer(const Scene& scene, State& state, std::size_t e, std::size_t layer) const {
    const Emitter& emitter = scene.emitters[e];
    const EmittedLayers& layers = layers_[e];
    const Pose& mouth = mouth_[e];
    const Vec3d along = S::dim == 2 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    const Vec3d velocity = emitter.speed * rotate(mouth.rotation, along);
    const double depth = depth_of(layer, layers, state.emission.emitters[e].pushed);
    const std::size_t start = state.particles.size();
    state.particles.resize(start + layers.points.size());
    for (std::size_t n = 0; n < layers.points.size(); ++n) {
        const std::size_t i = start + n;
        const std::size_t number = layer * samples_ + first_sample_[e] + n;
        state.particles.get<Row>("position")[i] = cast<Real>(mouth.to_world(layers.point(layer, n, depth, S::dim)));
        state.particles.get<Row>("velocity")[i] = cast<Real>(velocity);
        state.particles.get<Real>("mass")[i] = static_cast<Real>(layers.particle_mass);
        state.particles.get<Real>("density")[i] = static_cast<Real>(scene.materials[emitter.material].density);
        state.particles.get<std::uint32_t>("id")[i] = state.emission.first_id + static_cast<std::uint32_t>(number);
        state.particles.get<std::uint8_t>("material")[i] = static_cast<std::uint8_t>(emitter.material);
        state.particles.get<std::uint32_t>("fluid")[i] = static_cast<std::uint32_t>(fluids_ + e);
        state.particles.get<std::uint32_t>("emitted_layer")[i] = static_cast<std::uint32_t>(layer);
        state.particles.get<std::uint32_t>("emitted_point")[i] = static_cast<std::uint32_t>(n);
    }
}

/// Two particles in one place would fly apart: fluid that stands where new layers appear has to go.
template <class S>
void ParticleExchange<S>::clear_way(const Scene& scene, State& state, std::size_t e, double from, double to,
                                    const Log& log) {
    const Emitter& emitter = scene.emitters[e];
    const Pose& mouth = mouth_[e];
    const double scale = emitter.transform.scale;
    const auto position = state.particles.get<Row>("position");
    std::vector<std::uint8_t> doomed(position.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < position.size(); ++i) {
        const Vec3d p = mouth.to_local(cast<double>(position[i].xyz()));
        const double depth = S::dim == 2 ? p.y : p.z;
        if (depth <= from || depth >= to || !contains(emitter.mouth, p.x / scale, p.y / scale)) continue;
        doomed[i] = 1;
        ++count;
    }
    if (count == 0) return;
    remove_rows(state, doomed);
    if (told_[e]) return;
    told_[e] = 1;
    log.warning("/emitters/" + std::to_string(e) + ": " + std::to_string(count) +
                " particles stood behind the mouth at t = " + number_text(state.time) +
                " s and were removed, and so will others be that get there; a solid around the pipe keeps them away");
}

/// Removes the layers of an emitter that has ended and that have not passed its mouth.
template <class S>
void ParticleExchange<S>::drop_plug(State& state, std::size_t e) const {
    EmitterState& emitter = state.emission.emitters[e];
    std::uint32_t out = emitter.layers;
    while (out > 0 && depth_of(out - 1, layers_[e], emitter.pushed) < 0) --out;
    if (out == emitter.layers) return;
    const Origins origins(*this, state.particles);
    std::vector<std::uint8_t> doomed(state.particles.size());
    for (std::size_t i = 0; i < doomed.size(); ++i) {
        doomed[i] = origins.emitted(i) && origins.emitter(i) == e && origins.layer[i] >= out;
    }
    remove_rows(state, doomed);
    emitter.layers = out;
}

template <class S>
void ParticleExchange<S>::drain(const Scene& scene, State& state, const Parallel& parallel) const {
    if (scene.sinks.empty()) return;
    const auto position = state.particles.get<Row>("position");
    std::vector<std::uint8_t> doomed(position.size());
    parallel.for_each(Rows::of(position.size()), [&](std::size_t i) {
        const Vec3d p = cast<double>(position[i].xyz());
        doomed[i] = std::any_of(scene.sinks.begin(), scene.sinks.end(),
                                [&](const Sink& sink) { return surface_point(sink.shape, p).distance < 0; });
    });
    if (std::find(doomed.begin(), doomed.end(), 1) != doomed.end()) remove_rows(state, doomed);
}

template <class S>
std::vector<std::uint8_t> ParticleExchange<S>::push(const Scene& scene, State& state, double dt,
                                                    const Parallel& parallel) const {
    const std::vector<std::uint8_t> pushed_on = in_plug(state, parallel);
    if (!has_emitters()) return pushed_on;
    struct Plug {
        double pushed_before, pushed;
        Pose before, after;
    };
    std::vector<Plug> plugs;
    for (std::size_t e = 0; e < layers_.size(); ++e) {
        const Emitter& emitter = scene.emitters[e];
        const double begin = std::max(state.time, emitter.start);
        const double end = std::min(state.time + dt, emitter.end.value_or(state.time + dt));
        double& pushed = state.emission.emitters[e].pushed;
        const double before = pushed;
        pushed = std::min(pushed + emitter.speed * std::max(0.0, end - begin), std::max(before, layers_[e].longest));
        plugs.push_back({before, pushed, mouth_[e], mouth_at(scene, state, e, state.time + dt)});
    }
    const Origins origins(*this, state.particles);
    const auto position = state.particles.get<Row>("position");
    const auto velocity = state.particles.get<Row>("velocity");
    parallel.for_each(Rows::of(position.size()), [&](std::size_t i) {
        if (!pushed_on[i]) return;
        const Plug& plug = plugs[origins.emitter(i)];
        const EmittedLayers& layers = layers_[origins.emitter(i)];
        const std::size_t layer = origins.layer[i], point = origins.point[i];
        const auto place = [&](const Pose& mouth, double pushed) {
            return mouth.to_world(layers.point(layer, point, depth_of(layer, layers, pushed), S::dim));
        };
        const Vec3d from = place(plug.before, plug.pushed_before), to = place(plug.after, plug.pushed);
        position[i] = cast<Real>(to);
        velocity[i] = cast<Real>((to - from) / dt);
    });
    return pushed_on;
}

template class ParticleExchange<Space2f>;
template class ParticleExchange<Space3f>;
template class ParticleExchange<Space2d>;
template class ParticleExchange<Space3d>;

}  // namespace treacle
