#pragma once

#include <cstdint>

#include "state/bodies.h"
#include "state/connection_graph.h"
#include "state/particles.h"
#include "state/rupture.h"
#include "state/vital_signs.h"

namespace treacle {

/// Statistics of the steps of the present frame. Part of the state, so that a run stopped in the middle of a frame
/// still writes the metrics of the whole frame.
struct FrameStatistics {
    std::uint64_t steps = 0;
    double dt_min = 0;
    double dt_sum = 0;
    std::uint64_t iterations_sum = 0;
    int iterations_max = 0;
    double density_error_mean = 0;  ///< of the last step
    double density_error_max = 0;

    void add_step(double dt, int iterations, double error_mean, double error_max);
};

/// Progress of an emitter.
struct EmitterState {
    double pushed = 0;         ///< length of fluid that has passed the mouth, m
    std::uint32_t layers = 0;  ///< layers that have been made
};

struct Emission {
    std::uint32_t first_id = 0;  ///< of emitted particles
    std::vector<EmitterState> emitters;
};

/// Frames that diverged are repeated with shorter steps.
struct Caution {
    double share = 1;     ///< factor on the limits of the time step
    int until_frame = 0;  ///< the last frame to which it applies
};

/// All that a simulation must remember between two steps. A checkpoint is exactly this.
struct State {
    explicit State(ScalarType real)
        : particles(real), connections(real), anchors(real, ConnectionGraph::Ends::bodies) {}

    Particles particles;
    ConnectionGraph connections;  ///< between particles
    ConnectionGraph anchors;      ///< of particles to bodies
    Bodies bodies;
    Emission emission;
    Rupture rupture;
    double time = 0;         ///< s
    std::uint64_t step = 0;  ///< steps done
    int frame = 1;           ///< last frame that was completed; frame 1 is t = 0
    FrameStatistics statistics;
    Caution caution;
    VitalSigns signs;

    /// A copy without scratch columns.
    State persistent() const;
};

/// Covers all persistent columns and connections in id order, bodies, emitters, rupture, time and step: equal hashes =
/// equal bits.
std::uint64_t state_hash(const State& state);

/// Read-only view of one frame, for files, pictures and tests.
struct Frame {
    int number;
    double time;
    int dimension;
    const Particles& particles;
    const Bodies& bodies;
    std::vector<std::uint32_t> id_order;  ///< particle files list particles in this order
};

}  // namespace treacle
