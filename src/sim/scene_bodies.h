#pragma once

#include <cstdint>
#include <vector>

#include "scene/scene.h"
#include "state/bodies.h"

namespace treacle {

/// The solids of a scene as bodies at time 0, in its order, with ids that count from 0.
Bodies bodies_of(const Scene& scene);

/// Gives bodies of a scene the ids, poses and velocities of saved ones of the same name; others get ids that are free.
/// Returns, by index of the saved bodies, the index of the same body now, or Particles::gone.
std::vector<std::uint32_t> take_over(const Bodies& saved, Bodies& bodies);

}  // namespace treacle
