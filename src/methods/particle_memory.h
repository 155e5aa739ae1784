#pragma once

#include "methods/registry.h"

namespace treacle {

/// Memory of the columns that particles have with this method, bytes per particle.
double column_bytes(const MethodRow& method, const MethodInput& input);

/// The same with neighbor rows, connections and the arrays of blocks.
double bytes_per_particle(const MethodRow& method, const MethodInput& input);

}  // namespace treacle
