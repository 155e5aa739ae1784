#pragma once

#include "blocks/motion.h"
#include "math/space.h"
#include "methods/time_step_limit.h"
#include "state/particles.h"

namespace treacle {

/// Adds the bound that keeps the fastest particle from going farther than `distance` (m) in a step.
template <class S>
void add_speed_limit(double distance, const Particles& particles, const Parallel& parallel,
                     std::vector<TimeStepLimit>& limits) {
    const double speed = fastest<typename S::Real>(particles.get<typename S::Row>("velocity"), parallel);
    if (speed > 0) limits.push_back({distance / speed, StepBound::particle_speed});
}

}  // namespace treacle
