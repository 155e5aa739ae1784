#pragma once

#include <algorithm>
#include <cmath>

namespace treacle {

/// The share of its slip over a step that a fluid can lose to a wall by its own stress. Fluid that relaxes has, once it
/// has crept on for its relaxation time, no more than the stress of its steady viscosity η = η_s + G λ. With the wall
/// y away and a first layer of particles with the area V/s each (as in viscous/wall_drag.h), at the end of the step:
///
///   k / (1 + k),   k = dt η V / (m s y)
///
/// So a wall that is asked for more than friction allows is a wall with friction, and fluid at rest creeps until the
/// wall holds nothing of its weight. An infinite viscosity is that of a solid: 1.
template <class Real>
Real own_hold(Real steady_viscosity, Real seconds, Real mass, Real volume, Real spacing, Real distance) {
    if (std::isinf(steady_viscosity)) return 1;
    const Real k = seconds * steady_viscosity * volume / (mass * spacing * std::max(distance, Real(0.25) * spacing));
    return k / (1 + k);
}

}  // namespace treacle
