#include "mesh_files/svg_outline.h"

#include <gtest/gtest.h>

#include <cmath>

namespace treacle {
namespace {

TEST(SvgOutline, follows_lines_and_closes) {
    const auto outline = read_svg_outline(R"(<svg><path d="M0,0 h10 v10 H0 z m20 0 l5 5 5-5"/></svg>)", "test");
    ASSERT_TRUE(outline) << to_string(outline.error());
    ASSERT_EQ(outline->size(), 2u);
    EXPECT_EQ(outline->front().size(), 5u);
    EXPECT_EQ(outline->front().front(), outline->front().back());
    EXPECT_EQ((*outline)[1][1], (Vec3d{25, -5, 0}));  // y up
}

TEST(SvgOutline, curves_end_where_they_should_and_stay_smooth) {
    const auto outline = read_svg_outline(
        R"(<path fill="none" d="M 0 0 C 0 5.5 4.5 10 10 10 S 20 5.5 20 0 Q 20 -10 10 -10 T 0 0"/>)", "test");
    ASSERT_TRUE(outline);
    const auto& chain = outline->front();
    EXPECT_EQ(chain.back(), (Vec3d{0, 0, 0}));
    for (std::size_t n = 1; n < chain.size(); ++n) EXPECT_LT(length(chain[n] - chain[n - 1]), 2.5);
}

TEST(SvgOutline, polygons_and_polylines_count_too) {
    const auto outline = read_svg_outline(R"(<polyline points="0,0 1,1 2,0"/><polygon points='0,0 1,0 1,1'/>)", "test");
    ASSERT_TRUE(outline);
    EXPECT_EQ((*outline)[0].size(), 3u);
    EXPECT_EQ((*outline)[1].size(), 4u);
}

TEST(SvgOutline, refuses_what_it_does_not_understand) {
    EXPECT_FALSE(read_svg_outline("<svg><text>hello</text></svg>", "test"));
    EXPECT_FALSE(read_svg_outline(R"(<path d="M 0 0 L five 5"/>)", "test"));
    EXPECT_FALSE(read_svg_outline(R"(<path d="L 1 1"/>)", "test"));
    EXPECT_FALSE(read_svg_outline("", "test"));
    EXPECT_FALSE(read_svg_outline(R"(<path d="M 0 0 L 1 1 Z 5"/>)", "test"));  // this was once an endless loop
    EXPECT_FALSE(read_svg_outline(R"(<path d="M 0 0 L inf 1"/>)", "test"));
    EXPECT_FALSE(read_svg_outline(R"(<path d="M 0 0 l 1e308 1 1e308 1"/>)", "test"));
}

TEST(SvgOutline, refuses_lines_that_are_too_long_for_the_height) {
    const auto outline = read_svg_outline(R"(<path d="M0 0 L1e9 1e-9"/>)", "test");
    ASSERT_TRUE(outline);
    EXPECT_FALSE(points_along(*outline, 1.0, 0.1));
}

TEST(SvgOutline, points_stand_at_equal_distances_within_the_height) {
    const auto outline = read_svg_outline(R"(<path d="M0 0 L0 100 L60 100"/>)", "test");
    ASSERT_TRUE(outline);
    const auto along = points_along(*outline, 2.0, 0.1);
    ASSERT_TRUE(along);
    const std::vector<Vec3d>& points = *along;
    EXPECT_EQ(points.size(), 32u);  // 2 m down, 1.2 m along, one point every 0.1 m
    for (std::size_t n = 1; n < points.size(); ++n) EXPECT_NEAR(length(points[n] - points[n - 1]), 0.1, 1e-9);
    for (const Vec3d& p : points) {
        EXPECT_GE(p.y, -1e-9);
        EXPECT_LE(p.y, 2 + 1e-9);
    }
}

}  // namespace
}  // namespace treacle
