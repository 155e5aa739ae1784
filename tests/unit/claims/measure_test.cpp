#include <cmath>
#include <filesystem>
#include <limits>

#include <gtest/gtest.h>

#include "claims/measure_reader.h"
#include "small_run.h"

namespace treacle {
namespace {

class MeasureTest : public testing::Test {
protected:
    void SetUp() override { runs_.emplace("small", RunData::open(run_.path())); }

    /// All problems with the text of a measure.
    std::string problems(const std::string& text, const std::vector<std::string>& names = {"small"}) const {
        const auto json = parse_json(text, "figure.expect.json");
        EXPECT_TRUE(json) << text;
        ObjectReader reader("figure.expect.json", 0);
        read_measure(reader, {&*json, ""}, names);
        std::string all;
        for (const Problem& problem : reader.problems()) all += to_string(problem) + "\n";
        return all;
    }

    Result<double> measured(const std::string& text) const {
        EXPECT_EQ(problems(text), "") << text;
        const auto json = parse_json(text, "figure.expect.json");
        ObjectReader reader("figure.expect.json", 0);
        return evaluate(read_measure(reader, {&*json, ""}, {"small"}), runs_);
    }

    double value(const std::string& text) const {
        const auto result = measured(text);
        EXPECT_TRUE(result) << text << ": " << (result ? "" : to_string(result.error()));
        return result.value_or(std::numeric_limits<double>::quiet_NaN());
    }

    std::string reason(const std::string& text) const {
        const auto result = measured(text);
        EXPECT_FALSE(result) << text;
        return result ? "" : to_string(result.error());
    }

    SmallRun run_;
    Runs runs_;
};

TEST_F(MeasureTest, picks_a_number_of_a_series) {
    EXPECT_EQ(value(R"({ "metric": "com_y", "at": "first" })"), 3);
    EXPECT_EQ(value(R"({ "metric": "com_y", "at": "last" })"), 2);
    EXPECT_EQ(value(R"({ "metric": "com_y", "at": 0.45 })"), 1);
    EXPECT_EQ(value(R"({ "metric": "com_y", "step": 10 })"), 1);
    EXPECT_EQ(value(R"({ "metric": "com_y", "step": 11 })"), 2);
    EXPECT_EQ(value(R"({ "metric": "com_y", "take": "min" })"), 1);
    EXPECT_EQ(value(R"({ "metric": "com_y", "take": "max" })"), 3);
    EXPECT_EQ(value(R"({ "metric": "com_y", "take": "mean", "from": 0.5 })"), 1.5);
    EXPECT_EQ(value(R"({ "metric": "com_y", "take": "max", "from": 0.5, "to": 0.5 })"), 1);
    EXPECT_EQ(value(R"({ "metric": "steps", "take": "total" })"), 20);
    EXPECT_EQ(value(R"({ "metric": "com_y", "take": "time_of_min" })"), 0.5);
    EXPECT_EQ(value(R"({ "metric": "com_y", "take": "time_of_max", "from": 0.4 })"), 1);
    EXPECT_EQ(value(R"({ "metric": "com_y", "take": "time_below", "level": 2.5 })"), 0.5);
    EXPECT_EQ(value(R"({ "body": "ball", "column": "fy", "take": "max" })"), 14);
}

TEST_F(MeasureTest, calculates) {
    EXPECT_EQ(value("5"), 5);
    EXPECT_EQ(value(R"({ "ratio": [ { "metric": "com_y", "at": "first" }, 2 ] })"), 1.5);
    EXPECT_EQ(value(R"({ "abs": [ { "difference": [ 2, 5 ] } ] })"), 3);
    EXPECT_EQ(value(R"({ "sum": [ 1, { "product": [ 2, 3, 4 ] } ] })"), 25);
    EXPECT_EQ(value(R"({ "smallest": [ 4, 2, 3 ] })"), 2);
    EXPECT_EQ(value(R"({ "largest": [ 4, 2, 3 ] })"), 4);
    EXPECT_NE(reason(R"({ "ratio": [ 1, 0 ] })").find("ratio to 0"), std::string::npos);
}

TEST_F(MeasureTest, reads_the_scene_of_the_run) {
    EXPECT_EQ(value(R"({ "scene": "/particle_spacing" })"), 0.5);
    EXPECT_EQ(value(R"({ "scene": "/solids" })"), 2);
    EXPECT_EQ(value(R"({ "scene": "/solids", "with": "/shape/sphere" })"), 1);
    EXPECT_NE(reason(R"({ "scene": "/emptiness" })").find("/emptiness"), std::string::npos);
}

TEST_F(MeasureTest, counts_particles) {
    EXPECT_EQ(value(R"({ "particles": "count", "at": "last" })"), 4);
    EXPECT_EQ(value(R"({ "particles": "count", "material": "milk", "at": 0 })"), 2);
    EXPECT_EQ(
        value(R"({ "particles": "share", "inside": { "box": { "center": [2, 0], "size": [1, 2.5] } }, "at": 0 })"),
        0.5);
    EXPECT_EQ(
        value(
            R"({ "particles": "share", "inside": { "box": { "center": [2, 0], "size": [1, 2.5] } }, "take": "min" })"),
        0.25);
    EXPECT_EQ(
        value(R"({ "particles": "count", "outside": { "sphere": { "center": [0, 0], "radius": 0.1 } }, "at": 0 })"), 3);
    EXPECT_EQ(value(R"({ "particles": "count", "inside": { "plane": { "normal": [1, 0], "offset": 1 } }, "at": 0 })"),
              2);
    EXPECT_EQ(
        value(
            R"({ "particles": "count", "where": [ { "column": "density", "above": 1000, "below": 1002 } ], "at": 0 })"),
        1);
}

TEST_F(MeasureTest, finds_particles_in_solids_where_those_stood) {
    const std::string inside = R"("particles": "count", "where": [ { "column": "wall_distance", "below": 0 } ])";
    EXPECT_EQ(value("{" + inside + R"(, "at": 0.5 })"), 0);
    EXPECT_EQ(value("{" + inside + R"(, "take": "max" })"), 1);
    EXPECT_DOUBLE_EQ(value(R"({ "particles": "min", "column": "wall_distance", "at": "last" })"), -0.5);
    EXPECT_DOUBLE_EQ(value(R"({ "particles": "max", "column": "wall_distance", "at": "first" })"),
                     std::hypot(2, 5) - 1);
}

TEST_F(MeasureTest, takes_statistics_of_columns) {
    EXPECT_EQ(value(R"({ "particles": "mean", "column": "speed", "at": 0 })"), 5);
    EXPECT_EQ(value(R"({ "particles": "range", "column": "y", "at": "last" })"), 3);
    EXPECT_EQ(value(R"({ "particles": "min", "column": "density", "material": "milk", "at": 0 })"), 1002);
    EXPECT_DOUBLE_EQ(value(R"({ "particles": "percentile", "percent": 50, "column": "density", "at": 0 })"), 1001.5);
    EXPECT_DOUBLE_EQ(value(R"({ "particles": "percentile", "percent": 100, "column": "density", "at": 0 })"), 1003);
    EXPECT_DOUBLE_EQ(value(R"({ "particles": "aspect", "at": 0 })"), 2);
    EXPECT_DOUBLE_EQ(value(R"({ "particles": "aspect", "take": "min" })"), 1);
}

/// The four corners are stretched from a height of 1 to 2 and 3, by half a meter to each side: by one spacing, and two.
TEST_F(MeasureTest, measures_the_drift_from_a_rigid_copy) {
    EXPECT_NEAR(value(R"({ "particles": "drift", "at": "first" })"), 0, 1e-12);
    EXPECT_NEAR(value(R"({ "particles": "drift", "at": 0.5 })"), 1, 1e-12);
    EXPECT_NEAR(value(R"({ "particles": "drift", "at": "last" })"), 2, 1e-12);
    EXPECT_NEAR(value(R"({ "particles": "drift", "material": "milk", "at": "last" })"), 0, 1e-12);
}

/// Cycles of 1, 1.5 and 1 s, with a tremor about the mean that is not a cycle.
TEST_F(MeasureTest, finds_periods) {
    std::string table = "frame,time,steps,sway\n", bodies = "frame,time,body,px,py,pz,qw,qx,qy,qz,fy\n";
    int frame = 0;
    const auto add = [&](double time, double sway) {
        const std::string begin = std::to_string(++frame) + "," + std::to_string(time);
        table += begin + ",1," + std::to_string(sway) + "\n";
        for (const char* body : {"tank", "ball"}) bodies += begin + "," + body + ",0,0,0,1,0,0,0,0\n";
    };
    for (const double start : {0.0, 1.0, 2.5, 3.5}) {
        add(start + 0.25, -1);
        add(start + 0.45, -0.1), add(start + 0.5, 0.1), add(start + 0.55, -0.1), add(start + 0.6, 0.1);
        add(start + 0.9, 1);
    }
    put_content(run_.file("metrics.csv"), table);
    put_content(run_.file("bodies.csv"), bodies);
    runs_.insert_or_assign("small", RunData::open(run_.path()));
    EXPECT_EQ(value(R"({ "metric": "sway", "take": "cycles" })"), 3);
    EXPECT_NEAR(value(R"({ "metric": "sway", "take": "period" })"), 3.5 / 3, 1e-3);
    EXPECT_NEAR(value(R"({ "metric": "sway", "take": "period_deviation" })"), std::sqrt(2.0) / 6 / (3.5 / 3), 1e-3);
    EXPECT_EQ(value(R"({ "metric": "sway", "take": "cycles", "to": 1 })"), 0);
    EXPECT_NE(reason(R"({ "metric": "sway", "take": "period", "to": 1 })").find("no full cycle"), std::string::npos);
}

/// A thread breaks at 1 s, and the rest falls from 8 to 3 within 2.5 s, fast at first.
TEST_F(MeasureTest, times_a_fall) {
    std::string table = "frame,time,steps,remnant,radius\n", bodies = "frame,time,body,px,py,pz,qw,qx,qy,qz,fy\n";
    const std::vector<double> remnant{0, 0, 8, 5, 4, 3.5, 3, 3}, radius{4, 3, 0, 0, 0, 0, 0, 0};
    for (std::size_t n = 0; n < remnant.size(); ++n) {
        const std::string begin = std::to_string(n + 1) + "," + std::to_string(0.5 * static_cast<double>(n));
        table += begin + ",1," + std::to_string(remnant[n]) + "," + std::to_string(radius[n]) + "\n";
        for (const char* body : {"tank", "ball"}) bodies += begin + "," + body + ",0,0,0,1,0,0,0,0\n";
    }
    put_content(run_.file("metrics.csv"), table);
    put_content(run_.file("bodies.csv"), bodies);
    put_content(run_.file("summary.json"), R"({ "boundary_particles": 16950, "status": "finished" })");
    runs_.insert_or_assign("small", RunData::open(run_.path()));
    EXPECT_NEAR(value(R"({ "metric": "remnant", "take": "fall_time", "share": 0.8 })"), 1, 1e-9);
    EXPECT_NEAR(value(R"({ "metric": "remnant", "take": "fall_time", "share": 0.3 })"), 0.25, 1e-9);  // between frames
    EXPECT_NEAR(value(R"({ "metric": "remnant", "take": "fall_time", "share": 1 })"), 2, 1e-9);
    EXPECT_NE(reason(R"({ "metric": "remnant", "take": "fall_time", "share": 0.9, "to": 1 })").find("does not fall"),
              std::string::npos);
    EXPECT_NE(problems(R"({ "metric": "remnant", "take": "fall_time" })").find("share"), std::string::npos);
    EXPECT_NE(problems(R"({ "metric": "remnant", "take": "max", "share": 0.5 })").find("share"), std::string::npos);

    EXPECT_EQ(value(R"({ "metric": "remnant", "take": "max", "where": "radius", "above": 0.1 })"), 0);
    EXPECT_EQ(value(R"({ "metric": "radius", "take": "mean", "where": "remnant", "above": 4.5 })"), 0);
    EXPECT_NE(reason(R"({ "metric": "remnant", "take": "max", "where": "radius", "above": 5 })").find("no frame"),
              std::string::npos);
    EXPECT_NE(problems(R"({ "metric": "remnant", "at": 1, "where": "radius", "above": 5 })").find("\"take\""),
              std::string::npos);
    EXPECT_NE(problems(R"({ "metric": "remnant", "take": "max", "where": "radius" })").find("\"above\""),
              std::string::npos);

    EXPECT_EQ(value(R"({ "summary": "/boundary_particles" })"), 16950);
    EXPECT_NE(reason(R"({ "summary": "/status" })").find("no number at /status"), std::string::npos);
}

TEST_F(MeasureTest, counts_lumps) {
    EXPECT_EQ(value(R"({ "particles": "lumps", "link_distance": 2.5, "at": "first" })"), 2);
    EXPECT_EQ(value(R"({ "particles": "lumps", "link_distance": 2.5, "at": "last" })"), 4);
    EXPECT_EQ(value(R"({ "particles": "lumps", "link_distance": 2.5, "smallest_share": 0.3, "at": "last" })"), 0);
    EXPECT_EQ(value(R"({ "particles": "lumps", "link_distance": 4.5, "at": "first" })"), 1);
    EXPECT_EQ(value(R"({ "particles": "lumps", "link_distance": 4.5, "material": "milk", "at": "last" })"), 1);
}

TEST_F(MeasureTest, says_why_something_cannot_be_measured) {
    const auto expect = [&](const std::string& text, const std::string& part) {
        const std::string why = reason(text);
        EXPECT_NE(why.find(part), std::string::npos) << text << "\n" << why;
    };
    expect(R"({ "metric": "com_yy", "at": "last" })", "did you mean \"com_y\"?");
    expect(R"({ "body": "bal", "column": "fy", "at": "last" })", "did you mean \"ball\"?");
    expect(R"({ "body": "ball", "column": "fz", "at": "last" })", "no column \"fz\"");
    expect(R"({ "metric": "com_y", "at": 7 })", "ends at 1 s");
    expect(R"({ "metric": "com_y", "step": 21 })", "ends with step 20");
    expect(R"({ "metric": "com_y", "take": "min", "from": 3 })", "no frame between");
    expect(R"({ "metric": "com_y", "take": "time_above", "level": 9 })", "never above 9");
    expect(R"({ "particles": "mean", "column": "densty", "at": 0 })", "did you mean \"density\"?");
    expect(R"({ "particles": "count", "material": "mlik", "at": 0 })", "did you mean \"milk\"?");
    expect(R"({ "particles": "aspect", "material": "milk", "at": 0 })", "line or plane");
    expect(R"({ "particles": "max", "column": "x", "where": [ { "column": "x", "above": 9 } ], "at": 0 })",
           "no particle is chosen");
    std::filesystem::remove(run_.file("frames/frame.0003.ply"));
    expect(R"({ "particles": "count", "at": "last" })", "frame.0003.ply");
}

TEST_F(MeasureTest, mistakes_are_told_with_their_place) {
    const auto expect = [&](const std::string& text, const std::string& part) {
        const std::string all = problems(text, {"small", "large"});
        EXPECT_NE(all.find(part), std::string::npos) << text << "\n" << all;
    };
    expect(R"({ "metrc": "com_y" })", "did you mean \"metric\"?");
    expect(R"({ "metric": "com_y", "run": "small", "at": "lst" })", "/at: must be");
    expect(R"({ "metric": "com_y", "run": "small" })", "exactly one of \"at\", \"step\" and \"take\"");
    expect(R"({ "metric": "com_y", "at": "last" })", "\"run\" is missing");
    expect(R"({ "metric": "com_y", "run": "smal", "at": "last" })",
           "/run: there is no run \"smal\"; did you mean \"small\"?");
    expect(R"({ "metric": "com_y", "run": "small", "at": 1, "frm": 2 })",
           "/frm: unknown key \"frm\"; did you mean \"from\"?");
    expect(R"({ "metric": "com_y", "run": "small", "at": 1, "from": 2 })", "go with \"take\"");
    expect(R"({ "metric": "com_y", "run": "small", "take": "time_below" })", "\"level\" goes with");
    expect(R"({ "particles": "mean", "run": "small", "at": 1 })", "\"column\" is missing");
    expect(R"({ "particles": "count", "column": "x", "run": "small", "at": 1 })", "has no meaning here");
    expect(R"({ "particles": "count", "run": "small", "at": 1, "inside": { "bx": {} } })", "/inside/bx");
    expect(R"({ "ratio": [ 1 ] })", "/ratio: must be a list of 2 measures, not of 1");
    expect(R"({ "ratio": [ 1, { "sum": [ 2, "three" ] } ] })", "/ratio/1/sum/1: must be a measure");
    expect(R"({ "ratio": [ 1, 2 ], "at": "last" })", "must stand alone");
}

TEST_F(MeasureTest, a_run_that_failed_gives_its_reason) {
    runs_.insert_or_assign("small", fail(ExitCode::diverged, "the simulation diverged"));
    EXPECT_EQ(reason(R"({ "metric": "com_y", "at": "last" })"), "the simulation diverged");
}

TEST(RunDataTest, refuses_what_is_no_whole_run) {
    EXPECT_FALSE(RunData::open("/nowhere"));
    SmallRun run;
    put_content(run.file("metrics.csv"), "frame,time,steps\n");
    EXPECT_FALSE(RunData::open(run.path()));
    put_content(run.file("metrics.csv"), "frame,time,steps\n1,0,none\n");
    EXPECT_FALSE(RunData::open(run.path()));
}

}  // namespace
}  // namespace treacle
