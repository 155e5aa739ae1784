#pragma once

#include <cstdint>
#include <span>
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
/// Two columns tell where a particle comes from: `emitted_layer`, counted from the start of its emitter, and
/// `emitted_point`, of the mouth. Particles of no emitter have no_layer there. The emitter itself follows from `fluid`.
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

    /// Called once for a saved state.
    void restore(State& state) const;

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
    static constexpr std::uint32_t no_layer = 0xFFFFFFFFu;

    /// Where particles come from, as columns.
    struct Origins {
        std::span<const std::uint32_t> fluid, layer, point;
        std::size_t fluids;  ///< of the scene; emitters are counted after them

        explicit Origins(const ParticleExchange& exchange, const Particles& particles)
            : fluid(particles.get<std::uint32_t>("fluid")), layer(particles.get<std::uint32_t>("emitted_layer")),
              point(particles.get<std::uint32_t>("emitted_point")), fluids(exchange.fluids_) {}
        bool emitted(std::size_t i) const { return layer[i] != no_layer; }
        std::size_t emitter(std::size_t i) const { return fluid[i] - fluids; }
    };
    void add_columns(Particles& particles) const;
    bool active(const Scene& scene, const State& state, std::size_t emitter) const;
    Pose mouth_at(const Scene& scene, const State& state, std::size_t emitter, double time) const;
    void emit_layer(const Scene& scene, State& state, std::size_t emitter, std::size_t layer) const;
    void clear_way(const Scene& scene, State& state, std::size_t emitter, double from, double to, const Log& log);
    void drop_plug(State& state, std::size_t emitter) const;

    std::vector<EmittedLayers> layers_;      ///< per emitter
    std::vector<std::size_t> first_sample_;  ///< per emitter, in the numbering of all mouths' points
    std::size_t samples_ = 0;                ///< points of all mouths
    std::size_t fluids_ = 0;                 ///< of the scene
    std::vector<Pose> mouth_;                ///< per emitter, at the start of the step
    std::vector<std::uint8_t> told_;         ///< per emitter: that it swallows fluid was said
    double plug_length_ = 0;
};

}  // namespace treacle
