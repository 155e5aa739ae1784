#include "blocks/solids/half_space.h"

#include <gtest/gtest.h>

#include <cmath>

namespace treacle {
namespace {

/// The integrals by brute force over a fine grid.
HalfSpaceSums by_grid(int dimension, double h, double distance) {
    HalfSpaceSums sums{};
    const double step = h / 120;
    for (double y = distance + step / 2; y < h; y += step) {
        for (double x = -h + step / 2; x < h; x += step) {
            const double z_reach = dimension == 3 ? h : step / 2;
            for (double z = -z_reach + step / 2; z < z_reach; z += step) {
                const double depth = dimension == 3 ? z : 0;
                const double r = std::sqrt(x * x + y * y + depth * depth);
                if (r >= h) continue;
                const double w = 1 - r / h, cell = dimension == 3 ? step * step * step : step * step;
                sums.density += cell * w * w;
                sums.near_density += cell * w * w * w;
                sums.push += cell * w * y / r;
                sums.near_push += cell * w * w * y / r;
            }
        }
    }
    return sums;
}

TEST(HalfSpaceTable, MatchesTheIntegrals) {
    for (const int dimension : {2, 3}) {
        const double h = 0.3;
        const HalfSpaceTable table(dimension, 1.0, h);  // number density 1
        for (const double distance : {0.0, 0.05, 0.1, 0.2, 0.27}) {
            const HalfSpaceSums expected = by_grid(dimension, h, distance), got = table.at(distance);
            const double scale = by_grid(dimension, h, 0).density;
            EXPECT_NEAR(got.density, expected.density, 0.01 * scale) << dimension << ' ' << distance;
            EXPECT_NEAR(got.near_density, expected.near_density, 0.01 * scale);
            EXPECT_NEAR(got.push, expected.push, 0.015 * scale);
            EXPECT_NEAR(got.near_push, expected.near_push, 0.015 * scale);
        }
    }
}

TEST(HalfSpaceTable, ScalesWithNumberDensityAndVanishesAtTheSupportRadius) {
    const HalfSpaceTable coarse(3, 0.1, 0.25), fine(3, 0.05, 0.25);
    EXPECT_NEAR(fine.at(0.1).density, 8 * coarse.at(0.1).density, 1e-9);
    EXPECT_EQ(coarse.at(0.25).density, 0);
    EXPECT_EQ(coarse.at(1).push, 0);
    EXPECT_EQ(coarse.at(-0.1).density, coarse.at(0).density);
}

/// The push is the derivative of the density: both come from one energy.
TEST(HalfSpaceTable, PushIsTheDerivativeOfDensity) {
    for (const int dimension : {2, 3}) {
        const HalfSpaceTable table(dimension, 0.1, 0.3);
        const double step = 0.3 / 256;
        for (int n = 10; n < 250; n += 40) {
            const double slope = (table.at((n + 1) * step).density - table.at((n - 1) * step).density) / (2 * step);
            EXPECT_NEAR(-slope, 2 / 0.3 * table.at(n * step).push, 0.01 * 2 / 0.3 * table.at(0).push);
        }
    }
}

}  // namespace
}  // namespace treacle
