#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "support/run_program.h"
#include "support/temporary_folder.h"

/// Runs written by earlier versions of the program, in tests/data.

namespace treacle {
namespace {

namespace fs = std::filesystem;

using test::Outcome;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class OldRuns : public testing::Test {
protected:
    OldRuns() {
        fs::copy(TREACLE_SOURCE_DIR "/tests/data/version_0.1", folder_.file("old"), fs::copy_options::recursive);
    }

    Outcome treacle(const std::string& arguments) const {
        return test::run_program(arguments, "cd " + folder_.file("old") + " &&");
    }
    bool exists(const std::string& name) const { return fs::exists(folder_.file("old/" + name)); }

    TemporaryFolder folder_;
};

TEST_F(OldRuns, are_read_by_every_command) {
    for (const char* command : {"info run", "render run --width 64 --height 48 --samples 1",
                                "render run --surface --width 64 --height 48 --samples 1", "mesh run",
                                "export run --to vtp", "export run --to usda"}) {
        const Outcome outcome = treacle(command);
        EXPECT_EQ(outcome.code, 0) << command << ": " << outcome.text;
        EXPECT_FALSE(contains(outcome.text, "warning")) << command << ": " << outcome.text;
    }
    EXPECT_TRUE(contains(treacle("info run").text, "0.1.0")) << treacle("info run").text;
    for (const char* file :
         {"run/pictures/frame.0003.png", "run/meshes/frame.0003.ply", "run/export/vtp/frame.0003.vtp"}) {
        EXPECT_TRUE(exists(file)) << file;
    }
}

TEST_F(OldRuns, are_resumed) {
    ASSERT_FALSE(exists("run/frames/frame.0004.ply"));
    const Outcome outcome = treacle("run scene.json -o run --resume --frames 5 --no-preview");
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_TRUE(contains(outcome.text, "resuming run after frame 3")) << outcome.text;
    EXPECT_FALSE(contains(outcome.text, "trying the one before")) << outcome.text;
    EXPECT_TRUE(exists("run/frames/frame.0005.ply"));
    std::ifstream bodies(folder_.file("old/run/bodies.csv"));
    std::string header, row, last;
    std::getline(bodies, header);
    while (std::getline(bodies, row)) last = row;
    EXPECT_TRUE(header.ends_with(",tz")) << header;
    EXPECT_TRUE(last.starts_with("5,")) << last;
    EXPECT_EQ(std::count(last.begin(), last.end(), ','), std::count(header.begin(), header.end(), ','));
}

}  // namespace
}  // namespace treacle
