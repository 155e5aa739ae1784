#include <filesystem>

#include <gtest/gtest.h>

#include "scene/reader.h"

namespace treacle {
namespace {

TEST(ShippedScenes, all_read_without_a_problem) {
    const std::filesystem::path folder = std::filesystem::path(TREACLE_SOURCE_DIR) / "scenes";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no scenes";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".json" || entry.path().stem().extension() == ".expect") continue;
        const Result<Scene> scene = read_scene_file(entry.path().string());
        EXPECT_TRUE(scene) << to_string(scene.error());
    }
}

}  // namespace
}  // namespace treacle
