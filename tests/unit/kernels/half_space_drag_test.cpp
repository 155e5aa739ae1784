#include "kernels/half_space_drag.h"

#include <gtest/gtest.h>

namespace treacle {
namespace {

constexpr double pi = 3.14159265358979323846;

/// In linear shear a wall under fluid without gaps holds the stress of the fluid: ∫ D(y) y dy = 1 where c n makes
/// dashpots a fluid of viscosity 1, c n ∫ (1 - q) r² dV = 2 d (d+2).
TEST(HalfSpaceDrag, holds_the_stress_of_linear_shear) {
    for (const int dimension : {2, 3}) {
        const double h = 0.03, h2 = h * h;
        const double square = dimension == 2 ? 2 * pi * h2 * h2 / 20 : 4 * pi * h2 * h2 * h / 30;
        const HalfSpaceDrag drag(dimension, 0.01 * h, h, 2 * dimension * (dimension + 2) / square);
        double held = 0;
        constexpr int slices = 1000;
        for (int n = 0; n < slices; ++n) {
            const double y = (n + 0.5) * h / slices;
            held += drag(y) * y * h / slices;
        }
        EXPECT_NEAR(held, 1, 0.01) << dimension;
        EXPECT_NEAR(drag(h), 0, 1e-12 * drag(0));
    }
}

TEST(HalfSpaceDrag, patches_are_cut_by_other_walls) {
    for (const int dimension : {2, 3}) {
        const HalfSpaceDrag drag(dimension, 0.01, 0.03, 1);
        EXPECT_DOUBLE_EQ(drag.free_share(0), 0.5);
        EXPECT_DOUBLE_EQ(drag.free_share(0.015), 1);
        EXPECT_GT(drag.free_share(0.01), drag.free_share(0.005));
        double area = 0;  // ∫ k over lines or rings
        constexpr int parts = 1000;
        for (int n = 0; n < parts; ++n) {
            const double s = (n + 0.5) * 0.015 / parts;
            area += drag.weight(s * s) * (dimension == 2 ? 2 : 2 * pi * s) * 0.015 / parts;
        }
        EXPECT_NEAR(drag.patch_area() / area, 1, 1e-4);
    }
}

}  // namespace
}  // namespace treacle
