#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "math/vec.h"

namespace treacle {

/// Amounts of red, green and blue light; 1 is white. Light is added and blended linearly, and becomes the numbers of
/// picture files only at the end.
using Color = Vec3<float>;

/// Rows from top to bottom, three bytes (red, green, blue as sRGB) per pixel.
struct Picture {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgb;

    Picture() = default;
    Picture(int columns, int rows)
        : width(columns), height(rows), rgb(3 * static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {}

    std::uint8_t* pixel(int x, int y) { return rgb.data() + offset(x, y); }
    const std::uint8_t* pixel(int x, int y) const { return rgb.data() + offset(x, y); }

private:
    std::size_t offset(int x, int y) const {
        return 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
    }
};

/// The sRGB transfer functions, for values from 0 to 1.
float linear_from_srgb(float value);
float srgb_from_linear(float value);

/// 0 to 255; light above 1 is cut off.
std::uint8_t byte_from_linear(float value);

/// "#rrggbb" as linear light; anything else is the fallback.
Color color_from_text(std::string_view text, Color fallback);

/// Writes the whole file or nothing.
Result<void> write_png(const std::string& path, const Picture& picture);

}  // namespace treacle
