#pragma once

namespace treacle::tracing {

/// Noise between 0 and 1 on a repeating tile of 64 × 64 pixels: neighbors differ as much as possible. Errors that
/// follow it even out over a few pixels, and the eye sees less grain than with independent numbers.
float blue_noise(unsigned x, unsigned y);

}  // namespace treacle::tracing
