#pragma once

#include <string_view>
#include <vector>

/// A small typeface of our own, drawn with a round pen: it stays sharp at any size and needs no font files. It has
/// printable ASCII; every other character shows as a question mark. "^" before a digit raises that digit, as in
/// kg/m^3.

namespace treacle {

/// A straight piece of the pen's path, in pixels from the left end of the baseline; y grows downward.
struct PenStroke {
    float x0, y0, x1, y1;
};

/// `size` is the height of capital letters in pixels.
std::vector<PenStroke> text_strokes(std::string_view text, float size);

float text_width(std::string_view text, float size);

/// Half the thickness of the pen.
float pen_radius(float size);

}  // namespace treacle
