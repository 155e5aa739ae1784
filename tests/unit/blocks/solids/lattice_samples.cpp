#include "blocks/solids/lattice_samples.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "math/rotation.h"

namespace treacle {
namespace {

Shape box(Vec3d size, int dimension = 3) {
    return {.form = Box{.center = {}, .size = size}, .transform = {}, .dimension = dimension};
}

TEST(LatticeSamples, APlateOfThreeLayersIsFilled) {
    EXPECT_EQ(lattice_samples(box({12.3e-3, 0.9e-3, 12.3e-3}), false, 0.3e-3, 0.9e-3).size(), 41u * 3 * 41);
    EXPECT_EQ(lattice_samples(box({18.9e-3, 0.9e-3, 18.9e-3}), false, 0.3e-3, 0.9e-3).size(), 63u * 3 * 63);
}

TEST(LatticeSamples, ABigBodyIsFilledToTheDepthOnly) {
    EXPECT_EQ(lattice_samples(box({10, 10, 10}), false, 1, 3).size(), 1000u - 4 * 4 * 4);
}

TEST(LatticeSamples, AContainerIsLaidAroundTheShape) {
    EXPECT_EQ(lattice_samples(box({4, 5, 0}, 2), true, 1, 2).size(),
              8u * 9 - 4 * 5 - 4);  // the corners are farther away than 2
}

TEST(LatticeSamples, ScaleAndTransformMoveTheLatticeAlong) {
    Shape shape = box({3, 3, 3});
    shape.transform.scale = 2;
    shape.transform.translate = {10, 0, 0};
    const auto points = lattice_samples(shape, false, 1, 10);
    ASSERT_EQ(points.size(), 6u * 6 * 6);
    const auto [low, high] =
        std::minmax_element(points.begin(), points.end(), [](Vec3d a, Vec3d b) { return a.x < b.x; });
    EXPECT_NEAR(low->x, 7.5, 1e-12);
    EXPECT_NEAR(high->x, 12.5, 1e-12);
}

}  // namespace
}  // namespace treacle
