#pragma once

#include <optional>

#include "core/log.h"
#include "core/parallel.h"
#include "core/result.h"
#include "math/space.h"
#include "methods/method.h"
#include "neighbors/neighbors.h"
#include "scene/scene.h"
#include "sim/energy_budget.h"
#include "state/state.h"

namespace treacle {

/// Numbers of the last step by which its health is judged.
struct StepRecord {
    TimeStepLimit dt;
    double support_radius;           ///< m
    double sound_speed;              ///< m/s; 0 if the method knows none
    bool cut_short = false;          ///< its end is that of the frame, or of what was asked for
    bool particles_came_in = false;  ///< before it
};

/// Watches over a simulation: notices the step, at the latest the frame, after which it is no longer to be believed.
/// docs/decisions/health.md derives what is asked. Every error is ExitCode::diverged and names the worst particle, the
/// likely parameter and what to try.
template <class S>
class HealthWatch {
public:
    /// Takes over the present values of live parameters; `signs` are those of the state.
    void set(const Scene& scene, const MethodInput& input, double sound_speed, VitalSigns& signs);

    /// Before a step, when solids stand where it will see them.
    void begin_step(const Scene& scene, State& state, const Parallel& parallel);

    /// After it. A particle must be somewhere, and not be shot across many others in one step or be faster than any
    /// sound or fall can make it; few may be faster than gravity, solids, jets and waves allow; the energy must have a
    /// source; steps must not shrink to nothing; the fluid must not be pressed to half its volume.
    Result<void> end_step(const Scene& scene, State& state, const StepRecord& last, const Parallel& parallel,
                          const Log& log);

    /// At the end of a frame, with rows of neighbors: the fluid keeps its volume.
    Result<void> end_frame(const Scene& scene, const State& state, const StepRecord& last,
                           const Neighbors<S>& neighbors, const Parallel& parallel) const;

    /// Density above that at rest, as a share, after the last step: the mean over particles and the most.
    double compression_mean() const;
    double compression_max() const { return now_.compression_max; }

private:
    std::optional<EnergyBudget> budget_;
    double bound_ = 0;  ///< m/s, of particles in this step
    Survey now_;
    bool denser_ = false;  ///< than before the step
    bool told_of_strays_ = false;
    bool keeps_volume_ = true;
};

}  // namespace treacle
