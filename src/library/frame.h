#pragma once

#include <treacle/frame.h>

#include "state/state.h"

namespace treacle::v0 {

/// A state as callers see it. Columns without content are left out, as scratch is in snapshots.
Frame frame_of(const State& state, int dimension);

}  // namespace treacle::v0
