#include <gtest/gtest.h>

#include "swinging_ball.h"

/// The modulus that shape_matching.h derives. Twist does not ask for Poisson's ratio, which is zero here.

namespace treacle {
namespace {

using test::Ball;
using test::swing;

Ball twisted(int dimension, double radius, double dt, double fluidity) {
    return {.method = "takamatsu2011", .dimension = dimension, .radius = radius, .modulus = 2000 / (1 - fluidity), .dt = dt,
            .torsion = true, .own = "\"fluidity\": " + std::to_string(fluidity)};
}

TEST(Takamatsu2011Modulus, Try) {
    for (const double radius : {6.0, 8.0, 12.0}) printf("ball %g: %g\n", radius, swing(twisted(3, radius, 1e-3, 0)).period);
    for (const double dt : {5e-4, 2e-3, 4e-3}) printf("ball 8 dt %g: %g\n", dt, swing(twisted(3, 8, dt, 0)).period);
    for (const double radius : {10.0, 14.0, 20.0}) printf("disc %g: %g\n", radius, swing(twisted(2, radius, 1e-3, 0)).period);
    Ball ball = twisted(3, 8, 1e-3, 0);
    ball.torsion = false;
    printf("stretched ball %g\n", swing(ball).period);
    printf("fluidity 0.5 %g\n", swing(twisted(3, 8, 1e-3, 0.5)).period);
}

}  // namespace
}  // namespace treacle
