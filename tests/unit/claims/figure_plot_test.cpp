#include <gtest/gtest.h>

#include "claims/expectation.h"
#include "small_run.h"

namespace treacle {
namespace {

class FigurePlotTest : public testing::Test {
protected:
    void SetUp() override { runs_.emplace("small", RunData::open(run_.path())); }

    Result<Expectation> read(const std::string& curve) const {
        put_content(run_.file("figure.expect.json"), R"({ "title": "t", "runs": { "small": { "scene": "s.json" } },
            "claims": [ { "id": "a", "claim": "A.", "paper": "p", "unit": "m", "low": 1, "high": 2, "measure": 1.5 } ],
            "plots": [ { "name": "fig", "title": "T", "y_label": "y / m", "curves": [ )" +
                                                         curve + " ] } ] }");
        return read_expectation(run_.file("figure.expect.json"), FigureSize::reduced);
    }

    PlotCurve line(const std::string& curve) const {
        const auto expectation = read(curve);
        EXPECT_TRUE(expectation) << to_string(expectation.error());
        if (!expectation) return {};
        const auto plot = measure_plot(expectation->plots.at(0), runs_);
        EXPECT_TRUE(plot) << to_string(plot.error());
        return plot ? plot->curves.at(0) : PlotCurve{};
    }

    SmallRun run_;
    Runs runs_;
};

TEST_F(FigurePlotTest, a_curve_has_a_point_per_frame) {
    const PlotCurve curve = line(R"({ "label": "height", "y": { "metric": "com_y" } })");
    EXPECT_EQ(curve.label, "height");
    EXPECT_EQ(curve.x, (std::vector<double>{0, 0.5, 1}));
    EXPECT_EQ(curve.y, (std::vector<double>{3, 1, 2}));
}

TEST_F(FigurePlotTest, numbers_that_are_picked_are_the_same_in_every_frame) {
    const PlotCurve curve = line(R"({ "label": "a", "x": { "particles": "range", "column": "y" },
        "y": { "ratio": [ { "metric": "com_y" }, { "metric": "com_y", "at": "last" } ] } })");
    EXPECT_EQ(curve.x, (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(curve.y, (std::vector<double>{1.5, 0.5, 1}));
}

TEST_F(FigurePlotTest, a_rate_is_the_change_until_the_next_frame) {
    const PlotCurve curve = line(R"({ "label": "a", "rate": true, "y": { "metric": "com_y" } })");
    EXPECT_EQ(curve.x, (std::vector<double>{0, 0.5}));
    EXPECT_EQ(curve.y, (std::vector<double>{-4, 2}));
}

TEST_F(FigurePlotTest, mistakes_are_told_with_their_place) {
    const auto wrong_run = read(R"({ "label": "a", "run": "large", "y": 1 })");
    ASSERT_FALSE(wrong_run);
    EXPECT_NE(to_string(wrong_run.error()).find("/plots/0/curves/0"), std::string::npos);
    EXPECT_FALSE(read(R"({ "label": "a" })"));
    const auto no_column = read(R"({ "label": "a", "y": { "metric": "nothing" } })");
    ASSERT_TRUE(no_column);
    EXPECT_FALSE(measure_plot(no_column->plots.at(0), runs_));
}

}  // namespace
}  // namespace treacle
