#include "render/overlay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "render/stroke_font.h"

namespace treacle {

namespace {

using Ink = std::array<float, 3>;  ///< sRGB bytes; text is blended in these values, as in most programs

constexpr Ink dark{38, 42, 48}, light{255, 255, 255};

void blend(std::uint8_t* pixel, const Ink& ink, float share) {
    for (std::size_t c = 0; c < 3; ++c) {
        const float old = pixel[c];
        pixel[c] = static_cast<std::uint8_t>(old + share * (ink[c] - old) + 0.5f);
    }
}

Ink ink_of(Color color) {
    return {static_cast<float>(byte_from_linear(color.x)), static_cast<float>(byte_from_linear(color.y)),
            static_cast<float>(byte_from_linear(color.z))};
}

/// A part of a picture, clipped to it.
struct Area {
    int x0, y0, x1, y1;  ///< without the ends

    Area(const Picture& picture, float left, float top, float right, float bottom)
        : x0(clamped(std::floor(left), picture.width)), y0(clamped(std::floor(top), picture.height)),
          x1(clamped(std::ceil(right), picture.width)), y1(clamped(std::ceil(bottom), picture.height)) {}

private:
    static int clamped(float value, int limit) {
        return static_cast<int>(std::clamp(value, 0.0f, static_cast<float>(limit)));
    }
};

/// Share of a pixel that lies within a rectangle with round corners; x and y are the pixel's center.
float rectangle_cover(float x, float y, float left, float top, float right, float bottom, float corner) {
    const float dx = std::max({left + corner - x, x - (right - corner), 0.0f});
    const float dy = std::max({top + corner - y, y - (bottom - corner), 0.0f});
    if (dx > 0 && dy > 0) return std::clamp(corner + 0.5f - std::sqrt(dx * dx + dy * dy), 0.0f, 1.0f);
    const float across = std::min(x + 0.5f, right) - std::max(x - 0.5f, left);
    const float along = std::min(y + 0.5f, bottom) - std::max(y - 0.5f, top);
    return std::max(0.0f, across) * std::max(0.0f, along);
}

void fill_rectangle(Picture& picture, float left, float top, float right, float bottom, float corner, const Ink& ink,
                    float opacity) {
    const Area area(picture, left - 1, top - 1, right + 1, bottom + 1);
    for (int y = area.y0; y < area.y1; ++y) {
        for (int x = area.x0; x < area.x1; ++x) {
            const float cover = rectangle_cover(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f, left, top,
                                                right, bottom, corner);
            if (cover > 0) blend(picture.pixel(x, y), ink, cover * opacity);
        }
    }
}

float distance_to(const PenStroke& s, float x, float y) {
    const float dx = s.x1 - s.x0, dy = s.y1 - s.y0;
    const float square = dx * dx + dy * dy;
    const float t = square > 0 ? std::clamp(((x - s.x0) * dx + (y - s.y0) * dy) / square, 0.0f, 1.0f) : 0.0f;
    return std::hypot(x - (s.x0 + t * dx), y - (s.y0 + t * dy));
}

/// With enough digits to distinguish values `step` apart.
std::string short_number(double value, double step) {
    const int decimals = 1 - static_cast<int>(std::floor(std::log10(step)));
    const bool plain = std::abs(value) < 1e6 && decimals <= 5;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), plain ? "%.*f" : "%.*g", plain ? std::max(0, decimals) : 3,
                  std::abs(value) < 1e-3 * step ? 0.0 : value);
    return text.data();
}

/// Values beside the bar, from the top.
constexpr int tick_count = 5;

std::string tick_text(const ColorBar& bar, int tick) {
    const double share = 1 - static_cast<double>(tick) / (tick_count - 1);
    const double span = bar.high - bar.low;
    std::string text = short_number(bar.low + share * span, span / (tick_count - 1));
    if (tick == 0 && bar.values_above) text = ">= " + text;
    if (tick == tick_count - 1 && bar.values_below) text = "<= " + text;
    return text;
}

/// Places of the parts of a color bar.
struct BarLayout {
    float size, padding, bar_width, panel_width;

    BarLayout(const ColorBar& bar, int width, int height)
        : size(overlay_text_size(width, height)), padding(size), bar_width(1.6f * size) {
        float labels = 0;
        for (int tick = 0; tick < tick_count; ++tick) labels = std::max(labels, text_width(tick_text(bar, tick), size));
        const float heading = std::max(text_width(bar.title, size), text_width(bar.unit, size));
        panel_width = std::max(bar_width + 0.9f * size + labels, heading) + 2 * padding;
    }
};

}  // namespace

float overlay_text_size(int width, int height) {
    return std::clamp(static_cast<float>(std::min(width, height * 8 / 5)) / 68, 7.0f, 60.0f);
}

void draw_text(Picture& picture, float x, float baseline, std::string_view text, float size) {
    const float radius = pen_radius(size), rim = 0.30f * size, reach = radius + rim;
    const Area area(picture, x - reach, baseline - 1.2f * size - reach, x + text_width(text, size) + reach,
                    baseline + 0.5f * size + reach);
    const int columns = area.x1 - area.x0;
    std::vector<float> nearest(static_cast<std::size_t>(columns) * static_cast<std::size_t>(area.y1 - area.y0), 1e9f);
    const auto index = [&](int px, int py) {
        return static_cast<std::size_t>((py - area.y0) * columns + px - area.x0);
    };
    for (const PenStroke& s : text_strokes(text, size)) {  // distance of every pixel from the pen's way
        const Area own(picture, x + std::min(s.x0, s.x1) - reach, baseline + std::min(s.y0, s.y1) - reach,
                       x + std::max(s.x0, s.x1) + reach, baseline + std::max(s.y0, s.y1) + reach);
        for (int py = std::max(own.y0, area.y0); py < std::min(own.y1, area.y1); ++py) {
            for (int px = std::max(own.x0, area.x0); px < std::min(own.x1, area.x1); ++px) {
                const float right = static_cast<float>(px) + 0.5f - x, down = static_cast<float>(py) + 0.5f - baseline;
                nearest[index(px, py)] = std::min(nearest[index(px, py)], distance_to(s, right, down));
            }
        }
    }
    for (int py = area.y0; py < area.y1; ++py) {
        for (int px = area.x0; px < area.x1; ++px) {
            const float distance = nearest[index(px, py)];
            if (distance >= reach) continue;
            blend(picture.pixel(px, py), light, 0.55f * std::clamp((reach - distance) / rim, 0.0f, 1.0f));
            blend(picture.pixel(px, py), dark, std::clamp(radius + 0.5f - distance, 0.0f, 1.0f));
        }
    }
}

void draw_title(Picture& picture, std::string left, std::string_view right) {
    const float size = overlay_text_size(picture.width, picture.height);
    const auto width = static_cast<float>(picture.width);
    const float margin = 1.6f * size, base = margin + size;
    const float right_width = text_width(right, size);
    const float room = width - 2 * margin - right_width - 2 * size;
    while (!left.empty() && text_width(left, size) > room) {
        const bool cut = left.ends_with("...");
        if (cut) left.resize(left.size() - 3);
        if (!left.empty()) left.pop_back();
        if (!left.empty()) left += "...";
    }
    draw_text(picture, margin, base, left, size);
    draw_text(picture, width - margin - right_width, base, right, size);
}

void draw_note(Picture& picture, std::string_view text) {
    const float size = overlay_text_size(picture.width, picture.height);
    draw_text(picture, 1.6f * size, static_cast<float>(picture.height) - 1.6f * size, text, 0.9f * size);
}

float color_bar_width(const ColorBar& bar, int width, int height) {
    const BarLayout layout(bar, width, height);
    return layout.panel_width + layout.size;
}

void draw_color_bar(Picture& picture, const ColorBar& bar) {
    const BarLayout layout(bar, picture.width, picture.height);
    const float size = layout.size;
    const auto height = static_cast<float>(picture.height);
    const float right = static_cast<float>(picture.width) - size, left = right - layout.panel_width;
    const float length = std::round(std::clamp(0.5f * height, 8 * size, 40 * size));
    const float heading = bar.unit.empty() ? 2.2f * size : 4.0f * size;
    const float panel = length + heading + 2.2f * layout.padding;
    const float top = std::max(4 * size, (height - panel) / 2), bottom = top + panel;
    fill_rectangle(picture, left, top, right, bottom, 0.6f * size, light, 0.62f);

    const float text_left = left + layout.padding;
    draw_text(picture, text_left, top + layout.padding + size, bar.title, size);
    if (!bar.unit.empty()) draw_text(picture, text_left, top + layout.padding + 2.8f * size, bar.unit, size);

    const float bar_top = std::round(bottom - 1.3f * layout.padding - length), bar_bottom = bar_top + length;
    const float bar_right = text_left + layout.bar_width;
    fill_rectangle(picture, text_left - 1, bar_top - 1, bar_right + 1, bar_bottom + 1, 1, dark, 0.8f);
    const auto rows = static_cast<int>(length);
    for (int row = 0; row < rows; ++row) {
        const float y = bar_top + static_cast<float>(row);
        const float share = 1 - (static_cast<float>(row) + 0.5f) / static_cast<float>(rows);
        fill_rectangle(picture, text_left, y, bar_right, y + 1, 0, ink_of((*bar.map)(share)), 1);
    }
    for (int tick = 0; tick < tick_count; ++tick) {
        const float y = bar_top + length * static_cast<float>(tick) / (tick_count - 1);
        fill_rectangle(picture, bar_right + 1, y - 0.5f, bar_right + 0.4f * size, y + 0.5f, 0, dark, 0.8f);
        draw_text(picture, bar_right + 0.9f * size, y + 0.5f * size, tick_text(bar, tick), size);
    }
}

void draw_swatches(Picture& picture, std::span<const Swatch> swatches) {
    const float size = overlay_text_size(picture.width, picture.height);
    float names = 0;
    for (const Swatch& swatch : swatches) names = std::max(names, text_width(swatch.name, size));
    const float line = 2.1f * size, padding = size;
    const float right = static_cast<float>(picture.width) - size, left = right - names - 2.2f * size - 2 * padding;
    const float top = 4 * size, bottom = top + line * static_cast<float>(swatches.size()) + padding;
    fill_rectangle(picture, left, top, right, bottom, 0.6f * size, light, 0.62f);
    float y = top + padding;
    for (const Swatch& swatch : swatches) {
        const float x = left + padding;
        fill_rectangle(picture, x, y, x + 1.2f * size, y + 1.2f * size, 0.6f * size, ink_of(swatch.color), 1);
        draw_text(picture, x + 2.2f * size, y + 1.1f * size, swatch.name, size);
        y += line;
    }
}

}  // namespace treacle
