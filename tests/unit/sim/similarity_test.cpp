#include "sim/similarity.h"

#include <cmath>

#include <gtest/gtest.h>

namespace treacle {
namespace {

TEST(LookAlike, AJarOfHoneyIsAJarOfHoney) {
    const LookAlike alike = look_alike(0.12, 7.0 / 1400);
    EXPECT_EQ(alike.fluid, "honey");
    EXPECT_NEAR(alike.size, 0.12, 1e-12);
    EXPECT_NEAR(viscosity_like_honey(0.1, 1400), 7, 1e-12);
}

/// A scene a hundred times larger needs a thousand times the kinematic viscosity to look the same.
TEST(LookAlike, KeepsUnderFroudeScaling) {
    const LookAlike small = look_alike(0.12, 0.005), large = look_alike(12, 5);
    EXPECT_EQ(large.fluid, small.fluid);
    EXPECT_NEAR(large.size, small.size, 1e-12);
    EXPECT_NEAR(viscosity_like_honey(10, 1400), 1000 * viscosity_like_honey(0.1, 1400), 1e-9);
}

TEST(LookAlike, ThinFluidsAreWaterAndOil) {
    EXPECT_EQ(look_alike(0.1, 1e-6).fluid, "water");
    EXPECT_EQ(look_alike(1, 0.0036).fluid, "olive oil");  // a meter of honey splashes
}

TEST(LookAlike, IsSilentWithoutViscosityOrGravity) {
    Material material;
    MethodInput input;
    input.fluid_height = 0.1;
    input.gravity = {0, -9.81, 0};
    EXPECT_EQ(look_alike_text(material, input), "");
    material.viscosity = 5;
    EXPECT_NE(look_alike_text(material, input), "");
    input.gravity = {};
    EXPECT_EQ(look_alike_text(material, input), "");
}

}  // namespace
}  // namespace treacle
