#pragma once

#include "core/parallel.h"
#include "core/stage_timer.h"
#include "math/vec.h"
#include "neighbors/neighbors.h"
#include "state/bodies.h"

namespace treacle {

template <class S>
class BoundaryParticles;

/// When and where a block works: the step it is part of, what surrounds the fluid, and the threads that do the work.
template <class S>
struct BlockContext {
    double time;  ///< s, at the start of the step
    double dt;    ///< s
    Vec3d gravity;
    Vec3d period;             ///< see neighbors/nearest_image.h
    Neighbors<S>& neighbors;  ///< of particles
    Bodies& bodies;           ///< blocks add forces and torques to them
    const Parallel& parallel;
    StageTimer& timer;                               ///< where the time of a stage of the step is noted
    const BoundaryParticles<S>* boundary = nullptr;  ///< samples of solids, for methods that have them

    /// The same with copies of the bodies, for blocks that must not move the real ones.
    BlockContext with(Bodies& others) const {
        return {time, dt, gravity, period, neighbors, others, parallel, timer, boundary};
    }
};

}  // namespace treacle
