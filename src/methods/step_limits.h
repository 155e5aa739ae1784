#pragma once

#include <vector>

#include "blocks/motion.h"
#include "math/space.h"
#include "methods/time_step_limit.h"
#include "state/particles.h"

namespace treacle {

/// Bounds on the time step: those of the fluid at rest, and the distance that a particle may move in a step.
template <class S>
struct StepLimits {
    std::vector<TimeStepLimit> at_rest;
    double longest_move = 0;  ///< m

    std::vector<TimeStepLimit> with_speed_of(const Particles& particles, const Parallel& parallel) const {
        std::vector<TimeStepLimit> limits = at_rest;
        const double speed = fastest<typename S::Real>(particles.get<typename S::Row>("velocity"), parallel);
        if (speed > 0) limits.push_back({longest_move / speed, StepBound::particle_speed});
        return limits;
    }
};

}  // namespace treacle
