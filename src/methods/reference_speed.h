#pragma once

#include "methods/method_input.h"

namespace treacle {

/// Speed that the sound of a slightly compressible fluid must exceed tenfold: the speed that the fluid's own weight can
/// give it, and half of the speeds that it reaches by falling or that the scene gives (an impact compresses for a
/// moment only). Elastic waves must stay five times slower than sound.
double reference_speed(const MethodInput& input);

}  // namespace treacle
