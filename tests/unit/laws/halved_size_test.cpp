#include "laws/halved_size.h"

#include <cmath>

#include <gtest/gtest.h>

namespace treacle {
namespace {

TEST(HalvedSize, goes_with_the_root_of_the_volume) {
    EXPECT_EQ(halved_size(3, 0), 1);
    EXPECT_EQ(halved_size(3, 3), 0.5);
    EXPECT_NEAR(std::pow(halved_size(3, 7), 3), 1.0 / 128, 1e-15);
    EXPECT_NEAR(std::pow(halved_size(2, 7), 2), 1.0 / 128, 1e-15);
}

}  // namespace
}  // namespace treacle
