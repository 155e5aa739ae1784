#include <gtest/gtest.h>

#include <numbers>

#include "swinging_ball.h"

namespace treacle {
namespace {

using test::Ball;
using test::swing;

TEST(Takahashi2014Modulus, DecidesThePeriodOfABall) {
    EXPECT_NEAR(swing({.radius = 6}).period, 1, 0.08);
    EXPECT_NEAR(swing({.radius = 6, .strain = 0.2}).period, 1, 0.08);
    EXPECT_NEAR(swing({.radius = 9, .strain = 0.2}).period, 1, 0.08);
}

TEST(Takahashi2014Modulus, DecidesThePeriodOfADisc) {
    EXPECT_NEAR(swing({.dimension = 2, .radius = 10}).period, 1, 0.08);
    EXPECT_NEAR(swing({.dimension = 2, .radius = 14, .strain = 0.2}).period, 1, 0.08);
}

TEST(Takahashi2014Modulus, DecidesThePeriodOfTorsion) {
    EXPECT_NEAR(swing({.radius = 6, .torsion = true}).period, 1, 0.05);
}

TEST(Takahashi2014Modulus, DoesNotChangeWithTheTimeStep) {
    const double fine = swing({.radius = 6, .dt = 5e-4}).period, coarse = swing({.radius = 6, .dt = 2e-3}).period;
    EXPECT_NEAR(coarse / fine, 1, 0.02);
}

TEST(Takahashi2014Modulus, HoldsWhenConnectionsAreMadeOnTheWay) {
    const std::string always = R"("self_connect": "always", "healing_time": 0)";
    EXPECT_NEAR(swing({.radius = 6, .own = always}).period, 1, 0.15);
    EXPECT_NEAR(swing({.radius = 6, .strain = 0.2, .own = always}).period, 1, 0.15);
}

TEST(Takahashi2014Modulus, RelaxationDampsAsInMaxwellsFluid) {
    // A Maxwell fluid of relaxation time λ swings with the damping ratio T0/(4π λ).
    const Ball ball{.radius = 6, .torsion = true};
    const double period = 2 * std::numbers::pi * ball.radius * Ball::spacing / (ball.wave_number() * ball.wave_speed());
    for (const double periods : {1.0, 0.25}) {
        Ball relaxing = ball;
        relaxing.relaxation_time = periods * period;
        const double theory = 1 / (4 * std::numbers::pi * periods);
        EXPECT_NEAR(swing(relaxing).damping / theory, 1, 0.1) << periods;
    }
}

}  // namespace
}  // namespace treacle
