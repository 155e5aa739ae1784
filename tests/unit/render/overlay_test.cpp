#include "render/overlay.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "render/stroke_font.h"

namespace treacle {
namespace {

Picture gray_picture(int width, int height) {
    Picture picture(width, height);
    std::fill(picture.rgb.begin(), picture.rgb.end(), std::uint8_t{150});
    return picture;
}

bool is_changed(const Picture& picture, int x, int y) { return picture.pixel(x, y)[0] != 150; }

bool has_color(const Picture& picture, int x, int y, Color color) {
    const std::uint8_t* pixel = picture.pixel(x, y);
    return std::abs(pixel[0] - byte_from_linear(color.x)) < 6 && std::abs(pixel[1] - byte_from_linear(color.y)) < 6 &&
           std::abs(pixel[2] - byte_from_linear(color.z)) < 6;
}

TEST(StrokeFont, every_printable_character_has_strokes_of_its_own) {
    std::vector<std::vector<PenStroke>> seen;
    for (char c = '!'; c <= '~'; ++c) {
        const auto strokes = text_strokes(std::string(1, c), 12);
        ASSERT_FALSE(strokes.empty()) << c;
        for (const PenStroke& s : strokes) {
            for (const float y : {s.y0, s.y1}) EXPECT_TRUE(y >= -14 && y <= 5) << c;
            for (const float x : {s.x0, s.x1})
                EXPECT_TRUE(x >= 0 && x <= text_width(std::string(1, c), 12) + 1e-3f) << c;
        }
        for (const auto& other : seen) {
            const bool same =
                other.size() == strokes.size() &&
                std::equal(other.begin(), other.end(), strokes.begin(), [](const PenStroke& a, const PenStroke& b) {
                    return a.x0 == b.x0 && a.y0 == b.y0 && a.x1 == b.x1 && a.y1 == b.y1;
                });
            EXPECT_FALSE(same) << c;
        }
        seen.push_back(strokes);
    }
    EXPECT_TRUE(text_strokes(" ", 12).empty());
}

TEST(StrokeFont, units_are_raised_and_foreign_letters_are_marked) {
    EXPECT_LT(text_width("m^3", 12), text_width("m3", 12));
    float highest = 0, lowest = -100;
    for (const PenStroke& s : text_strokes("^3", 12)) {
        highest = std::min({highest, s.y0, s.y1});
        lowest = std::max({lowest, s.y0, s.y1});
    }
    EXPECT_LT(highest, -12);
    EXPECT_LT(lowest, -6);
    EXPECT_EQ(text_strokes("\xc3\xbc", 12).size(), text_strokes("?", 12).size());
}

TEST(Overlay, text_is_dark_where_it_stands_and_nothing_elsewhere) {
    Picture picture = gray_picture(200, 60);
    draw_text(picture, 50, 40, "Hxl", 20);
    const auto right = static_cast<int>(50 + text_width("Hxl", 20));
    int dark = 0;
    for (int y = 0; y < 60; ++y) {
        for (int x = 0; x < 200; ++x) {
            const bool inside = x >= 40 && x <= right + 10 && y >= 10 && y <= 50;
            EXPECT_TRUE(inside || !is_changed(picture, x, y)) << x << " " << y;
            if (picture.pixel(x, y)[0] < 80) ++dark;
        }
    }
    EXPECT_GT(dark, 60);
    EXPECT_LT(picture.pixel(50, 30)[0], 80) << "left bar of the H";
}

TEST(Overlay, the_color_bar_runs_through_the_map) {
    ColorBar bar{"speed", "m/s", 0, 2.5, false, true, find_color_map("viridis")};
    Picture picture = gray_picture(480, 300);
    draw_color_bar(picture, bar);
    const int left = 480 - static_cast<int>(color_bar_width(bar, 480, 300)) - 1;
    int top = -1, bottom = -1, column = -1;
    for (int y = 0; y < 300; ++y) {
        for (int x = 0; x < 480; ++x) {
            EXPECT_TRUE(x >= left || !is_changed(picture, x, y)) << x << " " << y;
            if (top < 0 && has_color(picture, x, y, (*bar.map)(1))) top = y, column = x + 2;
        }
        if (column >= 0 && has_color(picture, column, y, (*bar.map)(0))) bottom = y;
    }
    ASSERT_GE(top, 0) << "the color of the high end";
    ASSERT_GT(bottom, top + 80) << "the color of the low end";
    EXPECT_TRUE(has_color(picture, column, (top + bottom) / 2, (*bar.map)(0.5)));

    const auto texts = [&](double low, double high) {  // pixels that are as dark as text, right of the bar
        bar.low = low, bar.high = high;
        Picture other = gray_picture(480, 300);
        draw_color_bar(other, bar);
        return other.rgb;
    };
    EXPECT_NE(texts(0, 2.5), texts(0, 2.6)) << "the numbers are written";
}

TEST(Overlay, swatches_show_their_colors) {
    Picture picture = gray_picture(300, 200);
    const std::vector<Swatch> swatches{{"honey", {1, 0, 0}}, {"jam", {0, 0, 1}}};
    draw_swatches(picture, swatches);
    int red = 0, blue = 0;
    for (int y = 0; y < 200; ++y) {
        for (int x = 0; x < 300; ++x) {
            red += has_color(picture, x, y, {1, 0, 0}) ? 1 : 0;
            blue += has_color(picture, x, y, {0, 0, 1}) ? 1 : 0;
        }
    }
    EXPECT_GT(red, 10);
    EXPECT_GT(blue, 10);
}

TEST(Overlay, long_titles_leave_room_for_the_right_side) {
    Picture alone = gray_picture(400, 100), both = alone;
    draw_title(alone, "", "frame 1");
    draw_title(both, std::string(500, 'W'), "frame 1");
    const float size = overlay_text_size(400, 100);
    const auto border = static_cast<int>(400 - 2.5f * size - text_width("frame 1", size));
    bool left_drawn = false;
    for (int y = 0; y < 100; ++y) {
        for (int x = 0; x < 400; ++x) {
            left_drawn = left_drawn || (x < border && is_changed(both, x, y));
            EXPECT_TRUE(x < border || alone.pixel(x, y)[0] == both.pixel(x, y)[0]) << x << " " << y;
        }
    }
    EXPECT_TRUE(left_drawn);
}

TEST(Overlay, tiny_pictures_do_no_harm) {
    Picture picture = gray_picture(32, 32);
    draw_title(picture, "a title that does not fit", "frame 1000   t = 33.300 s");
    draw_note(picture, "grid 5 cm");
    draw_color_bar(picture, {"speed", "m/s", -1e9, 1e9, true, true, find_color_map("plasma")});
    draw_swatches(picture, std::vector<Swatch>(20, Swatch{"honey", {1, 1, 0}}));
    draw_text(picture, -500, 900, "outside", 10);
}

}  // namespace
}  // namespace treacle
