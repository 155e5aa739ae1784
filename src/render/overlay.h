#pragma once

#include <span>
#include <string>
#include <string_view>

#include "render/color_map.h"
#include "render/picture.h"

/// Text on finished pictures: title, scale, meaning of colors.

namespace treacle {

/// Suitable height of capital letters for a picture, in pixels.
float overlay_text_size(int width, int height);

/// Dark letters with a light rim, readable on any background. `x`, `baseline`: left end of the baseline in pixels.
void draw_text(Picture& picture, float x, float baseline, std::string_view text, float size);

/// A line at the top: `left` is cut when there is no room for it beside `right`.
void draw_title(Picture& picture, std::string left, std::string_view right);

/// A line at the bottom left, for the scale.
void draw_note(Picture& picture, std::string_view text);

/// The scale of a column's colors.
struct ColorBar {
    std::string title;
    std::string unit;
    double low = 0;
    double high = 1;
    bool values_below = false;  ///< some values lie below `low` and have its color
    bool values_above = false;
    const ColorMap* map = nullptr;
};

/// At the right edge.
void draw_color_bar(Picture& picture, const ColorBar& bar);

/// Pixels at the right edge that the bar covers.
float color_bar_width(const ColorBar& bar, int width, int height);

struct Swatch {
    std::string name;
    Color color;
};

/// A list of names with their colors, in the upper right corner.
void draw_swatches(Picture& picture, std::span<const Swatch> swatches);

}  // namespace treacle
