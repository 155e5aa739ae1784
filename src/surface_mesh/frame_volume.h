#pragma once

#include "core/parallel.h"
#include "core/result.h"
#include "state/state.h"

namespace treacle {

/// m³ inside the surface that `treacle mesh` would make of a frame that has not been written yet.
Result<double> surface_volume(const Frame& frame, double spacing, const Parallel& parallel);

}  // namespace treacle
