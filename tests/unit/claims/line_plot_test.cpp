#include <limits>

#include <gtest/gtest.h>

#include "claims/line_plot.h"

namespace treacle {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

LinePlot ramp() { return {"Ramp", "time / s", "height / m", {{"ball", {0, 1, 2}, {0, 5, 10}}}, {}, {}}; }

TEST(LinePlotTest, ticks_are_round_numbers_within_the_range) {
    EXPECT_EQ(round_ticks(0, 1, 5), (std::vector<double>{0, 0.2, 0.4, 0.6, 0.8, 1}));
    EXPECT_EQ(round_ticks(-3, 12, 6), (std::vector<double>{0, 5, 10}));
    EXPECT_EQ(round_ticks(0.983, 1.004, 5), (std::vector<double>{0.985, 0.99, 0.995, 1}));
    EXPECT_EQ(round_ticks(0, 0.3, 3), (std::vector<double>{0, 0.1, 0.2, 0.3}));
}

TEST(LinePlotTest, corners_of_the_data_are_corners_of_the_axes) {
    const std::string svg = to_svg(ramp());
    EXPECT_NE(svg.find("points=\"76.0,348.0 348.0,203.0 620.0,58.0\""), std::string::npos) << svg;
    EXPECT_NE(svg.find(">ball</text>"), std::string::npos);
    EXPECT_NE(svg.find(">time / s</text>"), std::string::npos);
}

TEST(LinePlotTest, a_range_that_is_given_is_kept) {
    LinePlot plot = ramp();
    plot.low = -10;
    plot.high = 10;
    EXPECT_NE(to_svg(plot).find("points=\"76.0,203.0 348.0,130.5 620.0,58.0\""), std::string::npos);
}

TEST(LinePlotTest, values_that_are_not_finite_break_the_line) {
    LinePlot plot = ramp();
    plot.curves[0].x = {0, 1, 2, 3, 4};
    plot.curves[0].y = {0, 1, std::numeric_limits<double>::quiet_NaN(), 1, 2};
    const std::string svg = to_svg(plot);
    EXPECT_EQ(count(svg, "<polyline"), 2u);
    EXPECT_EQ(count(svg, "nan"), 0u);
}

TEST(LinePlotTest, constant_and_empty_curves_can_be_drawn) {
    LinePlot plot = ramp();
    plot.curves[0].y = {3, 3, 3};
    EXPECT_NE(to_svg(plot).find("points=\"76.0,203.0 348.0,203.0 620.0,203.0\""), std::string::npos);
    plot.curves[0] = {"none", {}, {}};
    EXPECT_EQ(count(to_svg(plot), "<polyline"), 0u);
}

TEST(LinePlotTest, text_is_escaped) {
    LinePlot plot = ramp();
    plot.title = "a < b & c";
    EXPECT_NE(to_svg(plot).find("a &lt; b &amp; c"), std::string::npos);
}

}  // namespace
}  // namespace treacle
