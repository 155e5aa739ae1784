#include <gtest/gtest.h>

#include "claims/cost_table.h"
#include "small_run.h"

namespace treacle {
namespace {

const char* two_rows = R"json({ "title": "Table 1", "machine": "a desk", "rows": [
  { "row": "2 (left)", "figure": "fig02", "run": "soft", "fluid": 24500, "solid": 38600, "seconds": 3.02 },
  { "row": "6 (top)", "missing": "the other method", "fluid": 7100, "solid": 21800, "seconds": 0.39 } ] })json";

class CostTableTest : public testing::Test {
protected:
    Result<CostTable> read(const std::string& text) const {
        put_content(run_.file("t.table.json"), text);
        return read_cost_table(run_.file("t.table.json"));
    }

    SmallRun run_;
};

TEST_F(CostTableTest, cost_is_read_from_metrics_and_summary) {
    put_content(run_.file("metrics.csv"),
                "frame,time,steps,particles,connections,iterations_mean\n"
                "1,0,0,4,6,0\n2,0.5,10,4,6,2\n3,1,30,4,8,6\n");
    auto unfinished = RunData::open(run_.path());
    ASSERT_TRUE(unfinished);
    auto cost = cost_of(*unfinished);
    ASSERT_TRUE(cost);
    EXPECT_FALSE(cost->cpu_seconds);
    EXPECT_FALSE(cost->correction_share);
    EXPECT_EQ(cost->steps, 40);
    EXPECT_EQ(cost->frames, 2);
    EXPECT_EQ(cost->iterations, 5);  // (10 * 2 + 30 * 6) / 40
    EXPECT_EQ(cost->connections, 2);
    EXPECT_EQ(cost->neighbors, 4);  // 1 + 2 * 6 / 4 at the start

    put_content(run_.file("summary.json"), R"({ "boundary_particles": 12, "wall_seconds": 4, "cpu_seconds": 6,
        "seconds_by_stage": { "pressure": 3, "connections": 0.5, "velocity correction": 0.5 } })");
    cost = cost_of(*RunData::open(run_.path()));
    ASSERT_TRUE(cost);
    EXPECT_EQ(cost->solid, 12);
    EXPECT_EQ(cost->cpu_seconds, 6);
    EXPECT_EQ(cost->correction_share, 0.25);
    EXPECT_EQ(cost->stage_seconds, 4);
}

TEST_F(CostTableTest, rows_that_were_not_run_say_so) {
    const auto table = read(two_rows);
    ASSERT_TRUE(table) << to_string(table.error());
    const std::string text = to_text(*table, {});
    EXPECT_NE(text.find("24500   38600  3.02     not run\n"), std::string::npos) << text;
    EXPECT_NE(text.find("7100    21800  0.39     the other method\n"), std::string::npos) << text;
}

const RunCost our_cost{.fluid = 1000,
                       .solid = 50,
                       .connections = 30,
                       .iterations = 5,
                       .steps = 100,
                       .frames = 10,
                       .cpu_seconds = 4,
                       .wall_seconds = 3,
                       .stage_seconds = 3,
                       .correction_share = 0.25};

TEST_F(CostTableTest, costs_stand_beside_those_of_the_paper) {
    const std::string text = to_text(*read(two_rows), {{"fig02/soft", our_cost}});
    EXPECT_NE(text.find("3.02     1000   50     30           5           40      0.4     0.3     25 %"),
              std::string::npos)
        << text;
}

TEST_F(CostTableTest, columns_are_those_that_the_paper_has) {
    const auto table = read(R"({ "title": "t", "machine": "m", "rows": [
        { "row": "blocks", "missing": "why", "fluid": 10000, "steps": 8, "iterations": 20, "seconds": 0.16 },
        { "row": "honey", "figure": "f", "run": "r", "fluid": 105000, "steps": 10, "iterations": 10,
          "seconds": 0.15 } ] })");
    ASSERT_TRUE(table) << to_string(table.error());
    RunCost cost = our_cost;
    cost.stage_seconds = {};
    const std::string text = to_text(*table, {{"f/r", cost}});
    EXPECT_NE(text.find("blocks  10000   8       20          0.16     why\n"), std::string::npos) << text;
    EXPECT_NE(text.find("honey   105000  10      10          0.15     1000   50     5           40      0.4     0.3"),
              std::string::npos)
        << text;
}

TEST_F(CostTableTest, a_row_has_a_figure_or_a_reason) {
    const auto table = read(R"({ "title": "t", "machine": "m", "rows": [
        { "row": "1", "fluid": 1, "solid": 1, "seconds": 1 } ] })");
    ASSERT_FALSE(table);
    EXPECT_NE(to_string(table.error()).find("/rows/0"), std::string::npos);
    EXPECT_FALSE(read(R"({ "title": "t", "machine": "m", "rows": [
        { "row": "1", "figure": "f", "fluid": 1, "solid": 1, "seconds": 1 } ] })"));
}

TEST_F(CostTableTest, frame_rates_stand_beside_steps_per_second_of_as_many_particles) {
    const auto table = read(R"({ "title": "t", "machine": "m", "rows": [
        { "row": "1", "figure": "f", "run": "r", "fluid": 100, "neighbors": 24, "frames_per_second": 5 },
        { "row": "2", "figure": "f", "run": "r", "fluid": 900, "neighbors": 24, "frames_per_second": 5 } ] })");
    ASSERT_TRUE(table) << to_string(table.error());
    RunCost cost;
    cost.fluid = 100, cost.neighbors = 23.5, cost.steps = 400, cost.stage_seconds = 2;
    const std::string text = to_text(*table, {{"f/r", cost}});
    EXPECT_NE(text.find("1       100        24         5         100        23.5       200      40"), std::string::npos)
        << text;
    EXPECT_NE(text.find("run with 100 only"), std::string::npos) << text;
}

TEST_F(CostTableTest, rows_give_times_or_rates_and_not_both) {
    EXPECT_FALSE(read(R"({ "title": "t", "machine": "m", "rows": [
        { "row": "1", "missing": "so", "fluid": 1, "seconds": 1, "frames_per_second": 1 } ] })"));
    EXPECT_FALSE(read(R"({ "title": "t", "machine": "m", "rows": [ { "row": "1", "missing": "so", "fluid": 1 } ] })"));
    EXPECT_FALSE(read(R"({ "title": "t", "machine": "m", "rows": [
        { "row": "1", "missing": "so", "fluid": 1, "seconds": 1 },
        { "row": "2", "missing": "so", "fluid": 1, "frames_per_second": 1 } ] })"));
}

}  // namespace
}  // namespace treacle
