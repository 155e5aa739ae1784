#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/json.h"
#include "core/log.h"
#include "core/result.h"
#include "core/stage_timer.h"
#include "methods/method.h"
#include "scene/scene.h"
#include "state/state.h"

namespace treacle {

/// Share of the radius of interaction that the surface of a solid may go in one step.
inline constexpr double solid_step_share = 0.25;

/// Numbers of the progress line, after every step.
struct StepInfo {
    int frame;    ///< being computed
    double time;  ///< reached
    double dt;
    const char* limited_by;  ///< what decided dt
    int iterations;
    std::size_t particles;
    bool frame_done;  ///< the step ended its frame
};

/// A moment of a simulation, kept apart from it: the simulation can go back to it, and it can be read while the
/// simulation runs on. Scratch columns are left out.
struct Snapshot {
    State state;
    Scene scene;             ///< with the values that live parameters had
    std::uint64_t revision;  ///< of these values

    Frame frame() const {
        return {state.frame, state.time, scene.dimension, state.particles, state.bodies, state.particles.id_order()};
    }
};

/// A scene that runs. Dimension, precision and method are chosen once, inside.
class Simulation {
public:
    /// Fluid sampled, columns registered, ready at t = 0 (frame 1).
    static Result<std::unique_ptr<Simulation>> create(const Scene& scene, int threads, const Log& log);

    /// Goes on from a saved state of the same scene.
    static Result<std::unique_ptr<Simulation>> resume(const Scene& scene, State state, int threads, const Log& log);

    virtual ~Simulation() = default;

    /// One step, as long as stability and the end of the frame allow. After every step the state is whole. Divergence
    /// is an error; the state is then not to be used, but an earlier snapshot may be restored.
    virtual Result<StepInfo> step() = 0;

    enum class Outcome { frame_done, stopped };

    /// Steps to the end of the next frame. After each step `keep_going` may stop it; calling again continues the same
    /// frame.
    Result<Outcome> advance_frame(const std::function<bool(const StepInfo&)>& keep_going);

    /// Steps until exactly this time (s), through as many frames as lie between. The steps that end there are others
    /// than those of a run that passes, and so are its last bits.
    virtual Result<void> advance_to(double time) = 0;

    /// Gives a live parameter another value, from the next step on. See set_live_parameter(). scene() has it then.
    virtual Result<void> set(const std::string& pointer, const Json& value) = 0;

    /// The present moment, and back to one. Going on from there gives the same bits again.
    virtual std::shared_ptr<const Snapshot> snapshot() const = 0;
    virtual void restore(const Snapshot& snapshot) = 0;

    /// From now on, until the frame that it names, steps are shorter than they need to be.
    virtual void be_cautious(const Caution& caution) = 0;

    virtual const State& state() const = 0;
    virtual const Scene& scene() const = 0;  ///< with the present values of live parameters

    /// A view of the state, until the next step. Snapshot::frame() lasts longer.
    virtual Frame frame() const = 0;

    /// Row of metrics.csv for the frame that was completed last.
    virtual std::vector<double> metrics(double wall_seconds) = 0;

    /// Names of its columns, and those columns among them, always the last, that are the method's own.
    virtual std::vector<std::string> metrics_names() const = 0;
    virtual std::vector<FrameColumn> method_metrics() const = 0;

    /// How many particles stand for solids at present; 0 if the method has none.
    virtual std::size_t boundary_particles() const = 0;

    virtual const StageTimer& timer() const = 0;
    virtual int threads() const = 0;
};

}  // namespace treacle
