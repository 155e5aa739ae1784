#include "sim/preflight.h"

#include <gtest/gtest.h>

#include "unit/scene/scene_text.h"

namespace treacle {
namespace {

TEST(PreflightWarnings, overlap_is_counted_for_who_asks) {
    Scene scene = scene_of(json_of(small_scene_2d));
    EXPECT_EQ(count_overlap(scene), std::size_t{0});
    scene = scene_of(with(small_scene_2d, "/solids", R"([{"name": "ball", "shape": {"sphere": {"radius": 0.03,
        "center": [0.05, 0.5]}}}])"));
    EXPECT_TRUE(predict(scene).warnings.empty()) << "a run lays the particles anyway and tells then";
    EXPECT_GT(count_overlap(scene).value(), 5u);
    EXPECT_LT(count_overlap(scene).value(), 30u);
}

}  // namespace
}  // namespace treacle
