#include <filesystem>

#include <gtest/gtest.h>

#include "scene/reader.h"

namespace treacle {
namespace {

TEST(ShippedScenes, all_read_without_a_problem) {
    for (const char* folder : {"scenes", "bench"}) {
        int scenes = 0;
        const std::filesystem::path path = std::filesystem::path(TREACLE_SOURCE_DIR) / folder;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
            if (entry.path().extension() != ".json") continue;
            // Expectations stand beside the scenes; only scenes have a version.
            const Result<Json> json = read_json_file(entry.path().string());
            ASSERT_TRUE(json) << to_string(json.error());
            if (!json->find("treacle")) continue;
            const Result<Scene> scene = read_scene_file(entry.path().string());
            EXPECT_TRUE(scene) << to_string(scene.error());
            ++scenes;
        }
        EXPECT_GT(scenes, 0) << folder;
    }
}

}  // namespace
}  // namespace treacle
