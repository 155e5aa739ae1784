#include "io/run_record.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace treacle {
namespace {

/// A run folder by hand with as much as `manifest` says.
class RecordTest : public ::testing::Test {
protected:
    RunRecord record(const std::string& manifest) {
        put_content(place_.file("manifest.json"), manifest);
        auto read = RunRecord::open(place_.path());
        if (!read) throw std::runtime_error(to_string(read.error()));
        return std::move(*read);
    }

    TemporaryFolder place_;
};

TEST_F(RecordTest, facts_of_the_scene) {
    const RunRecord run = record(R"({ "treacle": 1, "method": "m", "fps": 25, "scene": { "name": "n", "dimension": 2,
        "particle_spacing": 0.1, "gravity": [0, -2], "view": { "azimuth": 40, "target": [1, 2] },
        "materials": { "jam": { "color": "#c02030", "look": "honey", "look_depth": 0.5 }, "milk": {} },
        "solids": [
          { "name": "slope", "invert": true, "shape": { "plane": { "normal": [0, 2], "offset": 1 },
            "transform": { "translate": [0, 3], "rotate": { "quaternion": [1, 0, 0, 0] } } } },
          { "name": "tank", "invert": true, "look": "plain", "color": "#102030", "motion": {} } ] } })");
    EXPECT_EQ(run.name, "n");
    EXPECT_EQ(run.method, "m");
    EXPECT_EQ(run.dimension, 2);
    EXPECT_EQ(run.spacing, 0.1);
    EXPECT_EQ(run.fps, 25);
    EXPECT_EQ(length(run.up - Vec3d{0, 1, 0}), 0);
    EXPECT_EQ(run.view.azimuth, 40);
    EXPECT_FALSE(run.view.elevation);
    EXPECT_EQ(length(*run.view.target - Vec3d{1, 2, 0}), 0);
    ASSERT_EQ(run.materials.size(), 2u);
    EXPECT_EQ(run.materials[0].color, "#c02030");
    EXPECT_EQ(run.materials[0].look, "honey");
    EXPECT_EQ(run.materials[0].look_depth, 0.5);
    EXPECT_EQ(run.materials[1].color, "");
    ASSERT_EQ(run.solids.size(), 2u);
    ASSERT_TRUE(run.solids[0].plane);
    EXPECT_EQ(length(run.solids[0].plane->normal - Vec3d{0, -1, 0}), 0) << "inverted";
    EXPECT_DOUBLE_EQ(run.solids[0].plane->offset, -3.5);
    EXPECT_FALSE(run.solids[0].moves);
    EXPECT_FALSE(run.solids[1].plane);
    EXPECT_TRUE(run.solids[1].inverted && run.solids[1].moves);
    EXPECT_EQ(run.solids[1].look, "plain");
}

TEST_F(RecordTest, facts_that_are_missing) {
    const RunRecord run = record(R"({ "treacle": 1, "scene": {} })");
    EXPECT_EQ(run.name, std::filesystem::path(place_.path()).filename().string());
    EXPECT_EQ(run.dimension, 3);
    EXPECT_FALSE(run.check_spacing());
    EXPECT_TRUE(run.materials.empty() && run.solids.empty());
    EXPECT_TRUE(run.poses() && run.poses()->empty());
    EXPECT_FALSE(run.fluid_bounds());
    EXPECT_FALSE(run.metrics());
    EXPECT_EQ(run.summary().type, Json::Type::null);
}

TEST_F(RecordTest, no_run) {
    EXPECT_FALSE(RunRecord::open(place_.file("nowhere")));
    put_content(place_.file("manifest.json"), R"({ "treacle": 1 })");
    const auto read = RunRecord::open(place_.path());
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ExitCode::wrong_input);
    EXPECT_NE(to_string(read.error()).find("no scene"), std::string::npos);
}

TEST_F(RecordTest, poses_by_frame_and_name) {
    const RunRecord run = record(R"({ "treacle": 1, "scene": {} })");
    put_content(place_.file("bodies.csv"),
                "frame,time,body,px,py,pz,qw,qx,qy,qz\n1,0,\"a, b\",1,2,3,1,0,0,0\n2,0.1,\"a, b\",4,5,6,0,1,0,0\n"
                "2,0.1,c,none,0,0,1,0,0,0\n3,0.2,\"a, b\",7");
    const auto poses = run.poses();
    ASSERT_TRUE(poses);
    ASSERT_EQ(poses->size(), 2u) << "half a row is ignored";
    EXPECT_EQ(length(poses->at(1).at("a, b").position - Vec3d{1, 2, 3}), 0);
    EXPECT_EQ(poses->at(2).at("a, b").rotation.x, 1);
    EXPECT_FALSE(poses->at(2).contains("c")) << "not a number";
}

TEST_F(RecordTest, bounds_of_the_fluid_in_all_frames) {
    const RunRecord run = record(R"({ "treacle": 1, "scene": {} })");
    put_content(place_.file("metrics.csv"),
                "frame,min_x,min_y,min_z,max_x,max_y,max_z\n1,0,0,0,1,1,1\n2,-1,0.5,0,0.5,3,1\n");
    const auto bounds = run.fluid_bounds();
    ASSERT_TRUE(bounds);
    EXPECT_EQ(length(bounds->low - Vec3d{-1, 0, 0}), 0);
    EXPECT_EQ(length(bounds->high - Vec3d{1, 3, 1}), 0);
}

TEST_F(RecordTest, frames_are_those_in_the_folder_whatever_the_manifest_lists) {
    const RunRecord run = record(R"({ "treacle": 1, "frames": [ { "frame": 1 } ], "scene": {} })");
    const auto none = run.frames("pictures are drawn");
    ASSERT_FALSE(none);
    EXPECT_NE(to_string(none.error()).find("holds no frames"), std::string::npos);
    std::filesystem::create_directory(place_.file("frames"));
    put_content(place_.file("frames/frame.0001.vtp"), "");
    EXPECT_NE(to_string(run.frames("pictures are drawn").error()).find("pictures are drawn from ply"),
              std::string::npos);
    for (const char* name : {"frames/frame.0001.ply", "frames/frame.0002.ply", "frames/.frame.0003.ply.tmp"}) {
        put_content(place_.file(name), "");
    }
    const auto files = run.frames("pictures are drawn");
    ASSERT_TRUE(files);
    ASSERT_EQ(files->size(), 2u);
    EXPECT_EQ(files->back().frame, 2);
}

}  // namespace
}  // namespace treacle
