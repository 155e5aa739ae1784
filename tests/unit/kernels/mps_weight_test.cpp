#include "kernels/mps_weight.h"

#include <gtest/gtest.h>

namespace treacle {
namespace {

TEST(MpsWeight, SumsOverTheLattice) {
    const MpsWeight<Space3d> w(2.1 * 0.3, 0.3);
    EXPECT_NEAR(w.lattice_sum(), 14.419, 1e-3);
    EXPECT_NEAR(w.mean_square() / 0.09, 1.7017, 1e-4);
}

TEST(MpsWeight, FallsToZeroAtItsRadiusAndStaysFinite) {
    const MpsWeight<Space2d> w(2.0, 1.0);
    EXPECT_DOUBLE_EQ(w(1.0), 1);
    EXPECT_DOUBLE_EQ(w(2.0), 0);
    EXPECT_DOUBLE_EQ(w(3.0), 0);
    EXPECT_DOUBLE_EQ(w(0.0), 19);
}

}  // namespace
}  // namespace treacle
