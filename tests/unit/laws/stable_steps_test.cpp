#include "laws/stable_steps.h"

#include <gtest/gtest.h>

#include "laws/xsph_rate.h"

namespace treacle {
namespace {

// Where the steps of blocks really become unstable is asked by tests/unit/blocks; here is how the limits scale.

TEST(StableSteps, have_the_dimension_of_a_time) {
    const double h = 0.02;
    // Capillary waves: time² = density · length³ / tension.
    EXPECT_NEAR(longest_tension_step(0.03, 1000, 4 * h) / longest_tension_step(0.03, 1000, h), 8, 1e-12);
    EXPECT_NEAR(longest_tension_step(0.03, 4000, h) / longest_tension_step(0.03, 1000, h), 2, 1e-12);
    EXPECT_NEAR(longest_tension_step(0.12, 1000, h) / longest_tension_step(0.03, 1000, h), 0.5, 1e-12);
    // Diffusion: time = length² / diffusivity.
    for (const auto longest : {longest_viscous_step, longest_conduction_step}) {
        EXPECT_NEAR(longest(0.01, 3 * h) / longest(0.01, h), 9, 1e-12);
        EXPECT_NEAR(longest(0.05, h) / longest(0.01, h), 0.2, 1e-12);
    }
    EXPECT_NEAR(xsph_rate(3, 0.01, h) * h * h / 0.01, 80.0 / 3, 1e-12);
    EXPECT_NEAR(xsph_rate(2, 0.01, h) * h * h / 0.01, 784.0 / 31, 1e-12);
}

TEST(StableSteps, a_number_does_not_depend_on_resolution) {
    for (const int dimension : {2, 3}) {
        const double number = largest_laplacian_number(dimension, 2.1e-3, 1e-3);
        EXPECT_NEAR(largest_laplacian_number(dimension, 2.1e-2, 1e-2), number, 1e-9 * number);
        EXPECT_GT(number, 0.2);
        EXPECT_LT(number, 1);
    }
}

}  // namespace
}  // namespace treacle
