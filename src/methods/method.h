#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/solids/solids.h"
#include "core/parallel.h"
#include "core/stage_timer.h"
#include "math/space.h"
#include "math/vec.h"
#include "methods/method_input.h"
#include "methods/time_step_limit.h"
#include "neighbors/neighbors.h"
#include "state/births.h"
#include "state/bodies.h"
#include "state/connection_graph.h"
#include "state/particles.h"
#include "state/rupture.h"

namespace treacle {

/// The result of one step, for the progress line and the metrics.
struct StepReport {
    int iterations = 0;
    double density_error_mean = 0;  ///< mean compression as a fraction of the rest density
    double density_error_max = 0;
};

/// A column of metrics.csv that only one method has.
struct FrameColumn {
    std::string name;
    std::string unit;
};

/// The state that a method may read to compute its columns of metrics.csv. Neighbor rows reach the support radius.
template <class S>
struct FrameContext {
    double time;
    Vec3d gravity;
    const Particles& particles;
    const Bodies& bodies;
    const Rupture& rupture;
    const Neighbors<S>& neighbors;
    const Parallel& parallel;
};

/// Everything a step works with; rebuilt for every step. Neighbors are those where the step starts; a method that moves
/// particles may search anew. Positions are wrapped into the period after the step.
template <class S>
struct StepContext : BlockContext<S> {
    Solids<S>& solids;
    Particles& particles;
    ConnectionGraph& connections;  ///< between particles
    ConnectionGraph& anchors;      ///< of particles to bodies
    Rupture& rupture;              ///< for methods that detect it
    /// Per particle, 1: it is in the pipe of an emitter, which moves it to its place after the step whatever the
    /// step did to it. Empty: there are no emitters.
    std::span<const std::uint8_t> driven{};

    bool is_driven(std::size_t i) const { return !driven.empty() && driven[i] != 0; }
};

/// One paper's way to advance the fluid. step() is a page that reads like the paper.
template <class S>
class Method {
public:
    virtual ~Method() = default;

    /// Makes sure that particles and connections have the columns that the method needs.
    virtual void add_columns(Particles& particles, ConnectionGraph& connections) = 0;

    /// Bounds on the next step from the present state. There is at least one.
    virtual std::vector<TimeStepLimit> time_step_limits(const Particles& particles, const Parallel& parallel) const = 0;

    /// Rows of neighbors must reach this far for a step of this length.
    virtual double search_radius(const Particles& particles, const Parallel& parallel, double dt) const = 0;

    virtual StepReport step(StepContext<S>& context) = 0;

    /// Called once on freshly sampled particles, with neighbor rows as for a step of no length: makes the first
    /// connections and fills density and other exported columns.
    virtual StepReport start(StepContext<S>& context) = 0;

    /// Called when emitters have made particles, with neighbor rows as for a step of no length: connects them to each
    /// other and to the fluid they follow.
    virtual void add_births(StepContext<S>&, const Births&) {}

    /// How sampled fluids are brought to rest before the start.
    struct Settling {
        int steps = 0;
        double nudge = 0;  ///< spacings that every particle is moved at random before, at most: it loosens a lattice
    };
    virtual Settling settling() const { return {}; }

    /// One step of that: moves particles towards rest without gravity, memory or time. True: nothing is left to do.
    virtual bool settle(StepContext<S>&) { return true; }

    /// Called when a keyframe changed a parameter.
    virtual void parameters_changed(const MethodInput& input) = 0;

    /// How it wants solids to be sampled and to touch the fluid, by its present parameters.
    virtual typename Solids<S>::Settings solid_settings() const = 0;

    /// Radius of interaction; particles closer than this belong to one piece of fluid.
    virtual double support_radius() const = 0;

    /// Speed of sound in the fluid that is computed, m/s; 0 if the method has none.
    virtual double sound_speed() const { return 0; }

    /// Columns that the method adds to metrics.csv, always the same, and their values for a frame, in the same order.
    virtual std::vector<FrameColumn> frame_columns() const { return {}; }
    virtual std::vector<double> frame_values(const FrameContext<S>&) const { return {}; }
};

/// The method with this id of the registry, or nothing if it does not compute with these numbers.
template <class S>
std::unique_ptr<Method<S>> create_method(std::string_view id, const MethodInput& input);

}  // namespace treacle
