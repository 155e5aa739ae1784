#include <gtest/gtest.h>

#include "swinging_ball.h"

/// The modulus that shape_matching.h derives. Twist does not depend on Poisson's ratio, which is zero here.

namespace treacle {
namespace {

using test::Ball;
using test::swing;

Ball twisted(int dimension, double radius, double dt = 1e-3, double fluidity = 0) {
    return {.method = "takamatsu2011",
            .dimension = dimension,
            .radius = radius,
            .modulus = 2000 / (1 - fluidity),
            .dt = dt,
            .torsion = true,
            .own = "\"fluidity\": " + std::to_string(fluidity)};
}

TEST(Takamatsu2011Modulus, DecidesThePeriodOfTorsion) {
    EXPECT_NEAR(swing(twisted(3, 6)).period, 1, 0.05);
    EXPECT_NEAR(swing(twisted(2, 10)).period, 1, 0.05);
    EXPECT_NEAR(swing(twisted(2, 14)).period, 1, 0.03);
}

TEST(Takamatsu2011Modulus, DoesNotChangeWithTheTimeStep) {
    const double fine = swing(twisted(2, 10, 5e-4)).period, coarse = swing(twisted(2, 10, 4e-3)).period;
    EXPECT_NEAR(coarse / fine, 1, 0.01);
}

TEST(Takamatsu2011Modulus, IsThatOfTheSolidTimesOneLessFluidity) {
    Ball ball = twisted(2, 10, 1e-3, 0.5);
    ball.modulus = 2000;  // of theory and scene; half of it acts
    EXPECT_NEAR(swing(ball).period, std::sqrt(2.0), 0.07);
}

TEST(Takamatsu2011Modulus, DoesNotDamp) { EXPECT_LT(std::abs(swing(twisted(2, 10)).damping), 0.01); }

}  // namespace
}  // namespace treacle
