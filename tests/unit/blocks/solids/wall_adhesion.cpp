#include "blocks/solids/wall_adhesion.h"

#include <gtest/gtest.h>

#include "support/particle_cloud.h"

namespace treacle {
namespace {

using S = Space3d;

/// Particles of 1 cm above a floor that sticks.
struct Layer : ParticleCloud<S> {
    Layer() {
        bodies.resize(1);
        floor().name = "floor";
        floor().shape.form = Plane{{0, 1, 0}, 0};
        block.settings = {.spacing = 0.01, .materials = {{.density = 1000, .own_stress = 5, .viscosity = 2}}};
        dt = 0.001;
    }
    Body& floor() { return bodies[0]; }
    void hold() {
        neighbors.update(position, 0.02, parallel, no_period);
        floor().force = floor().torque = {};
        block.hold(view(), context(parallel));
    }

    Parallel parallel{1};
    WallAdhesion<S> block;
};

TEST(WallAdhesion, HoldsUpToItsStress) {
    Layer c;
    c.block.settings.materials[0] = {.density = 1000, .own_stress = 50};
    c.add({0, 0.005, 0}, {0.3, 0.5, 0}, 0.01);
    c.floor().adhesion = 2;
    c.hold();
    // 100 Pa on the area d² for a millisecond, by the mass ρ d³.
    EXPECT_NEAR(c.velocity[0].y, 0.5 - 100 * 0.001 / (1000 * 0.01), 1e-12);
    EXPECT_EQ(c.velocity[0].x, 0.3);
    EXPECT_NEAR(c.floor().force.y, 100 * 1e-4, 1e-12);
    c.floor().adhesion = 2000;
    c.hold();
    EXPECT_NEAR(c.velocity[0].y, 0, 1e-12);
}

TEST(WallAdhesion, PullsNothingAndReachesNoFartherThanTheFirstLayer) {
    Layer c;
    c.block.settings.materials[0] = {.density = 1000, .own_stress = 40};
    c.floor().adhesion = 1;
    c.add({0, 0.005, 0}, {0, -0.5, 0}, 0.01);     // comes closer
    c.add({0.05, 0.013, 0}, {0, 0.5, 0}, 0.01);   // too far
    c.add({0.1, 0.01, 0}, {0, 0.0025, 0}, 0.01);  // half of the stress
    c.hold();
    EXPECT_EQ(c.velocity[0].y, -0.5);
    EXPECT_EQ(c.velocity[1].y, 0.5);
    EXPECT_NEAR(c.velocity[2].y, 0.0025 - 0.5 * 40 * 0.001 / 10, 1e-12);
}

TEST(WallAdhesion, NothingIsHeldWithoutAny) {
    Layer c;
    c.add({0, 0.005, 0}, {0, 0.5, 0}, 0.01);
    c.hold();
    EXPECT_EQ(c.velocity[0].y, 0.5);
    EXPECT_EQ(c.floor().force.y, 0);
}

TEST(WallAdhesion, IsAMultipleOfTheFluidsOwnCohesion) {
    Layer c;
    c.add({0, 0.005, 0}, {0, 0.1, 0}, 0.01);
    c.add({0, 0.015, 0}, {0, 0.6, 0}, 0.01);  // stretched by 50 per second: 3 · 2 Pa s · 50/s
    c.floor().adhesion = 2;
    c.hold();
    EXPECT_NEAR(c.velocity[0].y, 0.1 - 2 * (5 + 300) * 0.001 / 10, 1e-12);
    EXPECT_EQ(c.velocity[1].y, 0.6);
    Layer alone;  // the gap to the wall grows by 10 per second
    alone.add({0, 0.005, 0}, {0, 0.1, 0}, 0.01);
    alone.floor().adhesion = 2;
    alone.hold();
    EXPECT_NEAR(alone.velocity[0].y, 0.1 - 2 * (5 + 60) * 0.001 / 10, 1e-12);
}

TEST(WallAdhesion, KeepsTheMomentumOfFluidAndLightBody) {
    Layer c;
    c.floor().shape.form = Box{{0, -0.01, 0}, {0.1, 0.02, 0.1}};
    c.floor().mass = 1e-4;  // a tenth of the particle
    c.floor().inertia = {1e-6, 1e-6, 1e-6};
    c.floor().adhesion = 1e6;
    c.add({0, 0.005, 0}, {0, 1, 0}, 0.01);
    c.hold();
    const double given = c.dt * c.floor().force.y;
    EXPECT_NEAR(given + 1e-3 * c.velocity[0].y, 1e-3, 1e-12);
    EXPECT_NEAR(given / 1e-4, c.velocity[0].y, 1e-9);  // both leave together
}

}  // namespace
}  // namespace treacle
