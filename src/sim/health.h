#pragma once

#include "core/parallel.h"
#include "core/result.h"
#include "math/space.h"
#include "methods/method.h"
#include "scene/scene.h"
#include "state/state.h"

namespace treacle {

/// Numbers of the last step by which its health is judged.
struct StepRecord {
    TimeStepLimit dt;
    StepReport report;
    double support_radius;  ///< m
    double sound_speed;     ///< m/s; 0 if the method knows none
};

/// An error with ExitCode::diverged if a particle is nowhere, was shot across many others in one step or is faster
/// than any sound or fall can make it, or if the fluid is pressed to half its volume: no fluid does that. The message
/// names the worst particle, the likely parameter and what to try.
template <class S>
Result<void> check_health(const Scene& scene, const State& state, const StepRecord& last, const Parallel& parallel);

}  // namespace treacle
