#pragma once

#include "geometry/shape.h"
#include "state/particles.h"

namespace treacle {

/// Bounds of all positions; zero if there are no particles.
Bounds bounds_of(const Particles& particles);

/// The smallest bounds around two others.
Bounds enclosing(const Bounds& a, const Bounds& b);

}  // namespace treacle
