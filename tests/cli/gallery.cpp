#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

// Every scene of the gallery passes `treacle check` and runs.

namespace treacle {
namespace {

namespace fs = std::filesystem;

int run(const std::string& arguments) {
    const int status = std::system((TREACLE_PROGRAM " " + arguments + " > /dev/null").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Twice the spacing of the scene: an eighth of the particles start in an eighth of the time.
std::string coarse(const std::string& file) {
    const std::string text = content_of(file), key = "\"particle_spacing\": ";
    return " --set /particle_spacing=" + std::to_string(2 * std::stod(text.substr(text.find(key) + key.size())));
}

TEST(Gallery, every_scene_is_right_runs_and_has_its_picture) {
    const fs::path root = TREACLE_SOURCE_DIR;
    const TemporaryFolder folder;
    int scenes = 0;
    for (const auto& entry : fs::directory_iterator(root / "scenes" / "gallery")) {
        const std::string file = entry.path().string();
        if (!file.ends_with(".json") || file.ends_with(".expect.json")) continue;
        ++scenes;
        const std::string stem = entry.path().stem().string(), run_folder = folder.file(stem);
        EXPECT_EQ(run("check " + file), 0) << stem;
        EXPECT_EQ(run("run " + file + " --frames 2 --quiet --no-preview -o " + run_folder + coarse(file)), 0) << stem;
        EXPECT_TRUE(fs::exists(run_folder + "/frames/frame.0002.ply")) << stem;
        EXPECT_TRUE(fs::exists(root / "docs" / "images" / "gallery" / (stem + ".png"))) << stem;
        EXPECT_NE(content_of((root / "docs" / "gallery.md").string()).find("images/gallery/" + stem + ".png"),
                  std::string::npos)
            << stem;
    }
    EXPECT_GE(scenes, 8);
}

}  // namespace
}  // namespace treacle
