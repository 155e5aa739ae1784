#include "render/picture.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace treacle {

float linear_from_srgb(float value) {
    return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

float srgb_from_linear(float value) {
    return value <= 0.0031308f ? 12.92f * value : 1.055f * std::pow(value, 1 / 2.4f) - 0.055f;
}

std::uint8_t byte_from_linear(float value) {
    return static_cast<std::uint8_t>(255 * srgb_from_linear(std::clamp(value, 0.0f, 1.0f)) + 0.5f);
}

Color color_from_text(std::string_view text, Color fallback) {
    if (text.size() != 7 || text[0] != '#') return fallback;
    unsigned code = 0;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + 7, code, 16);
    if (error != std::errc{} || end != text.data() + 7) return fallback;
    const auto channel = [&](int shift) { return linear_from_srgb(static_cast<float>((code >> shift) & 255u) / 255); };
    return {channel(16), channel(8), channel(0)};
}

}  // namespace treacle
