#pragma once

#include "methods/method_input.h"

namespace treacle {

/// Speed that the sound of a slightly compressible fluid must exceed tenfold: what the fluid's own weight amounts to,
/// and half of what it can reach by falling or is given (an impact compresses for a moment only); elastic waves must
/// stay five times slower than sound.
double reference_speed(const MethodInput& input);

}  // namespace treacle
