#include "render/color_map.h"

#include <gtest/gtest.h>

namespace treacle {
namespace {

float luminance(Color c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; }

TEST(ColorMap, sequential_maps_get_lighter_or_darker_all_the_way) {
    int sequential = 0;
    for (const ColorMap& map : color_maps()) {
        if (map.diverging()) continue;
        ++sequential;
        const bool darker = luminance(map(1)) < luminance(map(0));
        const auto from_dark = [&](int n) { return luminance(map((darker ? 256 - n : n) / 256.0)); };
        for (int n = 1; n <= 256; ++n) EXPECT_GT(from_dark(n), from_dark(n - 1)) << map.name() << " at " << n;
        EXPECT_GT(from_dark(256), 5 * from_dark(0)) << map.name();
    }
    EXPECT_GE(sequential, 3);
}

TEST(ColorMap, diverging_maps_are_lightest_in_the_middle) {
    const ColorMap* map = find_color_map("coolwarm");
    ASSERT_NE(map, nullptr);
    EXPECT_GT(luminance((*map)(0.5)), 2 * luminance((*map)(0)));
    EXPECT_GT(luminance((*map)(0.5)), 2 * luminance((*map)(1)));
    EXPECT_GT((*map)(0).z, (*map)(0).x) << "cold is blue";
    EXPECT_GT((*map)(1).x, (*map)(1).z) << "warm is red";
}

TEST(ColorMap, shares_outside_get_the_ends) {
    const ColorMap& map = *find_color_map("viridis");
    EXPECT_EQ(map(-3), map(0));
    EXPECT_EQ(map(7), map(1));
    EXPECT_EQ(byte_from_linear(map(0).x), 0x44);
    EXPECT_EQ(byte_from_linear(map(1).y), 0xe7);
}

TEST(ColorMap, unknown_names_are_told) {
    EXPECT_EQ(find_color_map("rainbow"), nullptr);
    for (const std::string& name : color_map_names()) EXPECT_NE(find_color_map(name), nullptr);
}

}  // namespace
}  // namespace treacle
