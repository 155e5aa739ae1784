#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/log.h"
#include "core/parallel.h"
#include "math/space.h"
#include "scene/emission.h"
#include "state/state.h"

namespace treacle {

/// Brings particles in by emitters and takes them out by sinks.
///
/// An emitter works like a syringe. Behind its mouth, one support radius long, stands a plug of layers that move
/// rigidly at the given speed, whatever pushes them; a layer that has passed the mouth is free. Free fluid at the
/// mouth so has neighbors on both sides, and neither its density nor its flow depends on the step. How far the fluid
/// was pushed is a length that grows by speed × dt: no fraction of a layer is ever lost.
///
/// Ids tell where a particle comes from: first_id + layer × (points of all mouths) + point, for as many layers as the
/// emitter has made. Any other id, such as that of a half which a method has made of a particle, is none of them.
template <class S>
class ParticleExchange {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    ParticleExchange(const Scene& scene, double support_radius);

    bool has_emitters() const { return !layers_.empty(); }

    /// Emitters whose plug stands in a solid at the start of the run, in words: wall and plug would both press there.
    std::vector<std::string> blocked_pipes(const Scene& scene) const;

    /// Called once, when all fluids have been sampled.
    void begin(State& state) const;

    /// Appends the layers that are due at the state's time; returns the index of the first new row.
    std::size_t emit(const Scene& scene, State& state, const Log& log);

    /// Takes out what is inside a sink.
    void drain(const Scene& scene, State& state, const Parallel& parallel) const;

    /// Per particle, 1: it stands in the plug of an emitter. Nothing if there are no emitters.
    std::vector<std::uint8_t> in_plug(const State& state, const Parallel& parallel) const;

    /// Called after a step and after its bodies have moved, with the time of its start: plugs move on by their own
    /// rule, not by the step's. Returns which particles those were, as in_plug() does.
    std::vector<std::uint8_t> push(const Scene& scene, State& state, double dt, const Parallel& parallel) const;

private:
    /// Where a particle comes from.
    struct Origin {
        std::size_t emitter, layer, point;
    };
    std::optional<Origin> origin_of(std::uint32_t id, const Emission& emission) const;
    bool active(const Scene& scene, const State& state, std::size_t emitter) const;
    Pose mouth_at(const Scene& scene, const State& state, std::size_t emitter, double time) const;
    void emit_layer(const Scene& scene, State& state, std::size_t emitter, std::size_t layer) const;
    void clear_way(const Scene& scene, State& state, std::size_t emitter, double from, double to, const Log& log);
    void drop_plug(State& state, std::size_t emitter) const;

    std::vector<EmittedLayers> layers_;      ///< per emitter
    std::vector<std::size_t> first_sample_;  ///< per emitter, in the numbering of all mouths' points
    std::vector<std::uint32_t> emitter_of_;  ///< per point of all mouths
    std::vector<Pose> mouth_;                ///< per emitter, at the start of the step
    std::vector<std::uint8_t> told_;         ///< per emitter: that it swallows fluid was said
    double plug_length_ = 0;
};

}  // namespace treacle
