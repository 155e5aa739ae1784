#include "kernels/dashpot_weight.h"

#include <gtest/gtest.h>

#include "support/spaces.h"

namespace treacle {
namespace {

template <class S>
class DashpotWeightTest : public testing::Test {};
TYPED_TEST_SUITE(DashpotWeightTest, test::DoubleSpaces);

/// Power of dashpots on a lattice in a shear along an axis, or along a diagonal, over that of a fluid of viscosity 1:
/// d(d+2)/Σ w r² Σ w (x̂·v)².
template <class S>
double resistance(const DashpotWeight<S>& weight, bool diagonal) {
    const int deep = S::dim == 3 ? 4 : 0;
    double power = 0;
    for (int z = -deep; z <= deep; ++z) {
        for (int y = -4; y <= 4; ++y) {
            for (int x = -4; x <= 4; ++x) {
                const double r = std::sqrt(static_cast<double>(x * x + y * y + z * z));
                if (r == 0) continue;
                const double rate =
                    diagonal ? 0.5 * (x * x - y * y) / r : x * y / r;  // v = (y, 0, 0), or turned by 45°
                power += weight(r) * rate * rate;
            }
        }
    }
    return S::dim * (S::dim + 2) / weight.square_sum() * power;
}

TYPED_TEST(DashpotWeightTest, ALatticeResistsAlikeInAllDirections) {
    const DashpotWeight<TypeParam> weight(2.1, 1);
    EXPECT_NEAR(resistance(weight, false), 1, 1e-12);
    EXPECT_NEAR(resistance(weight, true), 1, 1e-12);
}

TYPED_TEST(DashpotWeightTest, FallsToZeroAndIsNowhereNegative) {
    for (const double radius : {1.5, 1.9, 2.1, 2.5, 3.1}) {
        const DashpotWeight<TypeParam> weight(radius, 1);
        double sum = 0;
        for (double r = 0.02; r < 4; r += 0.01) {
            EXPECT_GE(weight(r), 0) << radius << " " << r;
            if (r > radius) { EXPECT_EQ(weight(r), 0); }
            sum += weight(r);
        }
        EXPECT_GT(sum, 0);
        EXPECT_EQ(weight(0.0), weight(0.1));  // two at one place
    }
}

}  // namespace
}  // namespace treacle
