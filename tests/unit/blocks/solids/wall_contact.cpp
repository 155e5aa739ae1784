#include "blocks/solids/wall_contact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/particle_cloud.h"

namespace treacle {
namespace {

using S = Space3d;

/// One particle near one solid.
struct Contact : ParticleCloud<S> {
    Contact() {
        bodies.resize(1);
        body().name = "floor";
        body().shape.form = Plane{{0, 1, 0}, 0};
        block.settings = {.contact_distance = 0.005, .grip_distance = 0.01, .stick_distance = 0.02, .reach = 0.02};
        // The load is that of the step alone, and of the particle alone.
        block.load.settings = {.support_radius = 0.02, .first_layer = 0.01, .time = 1e-9};
        add({0, 0.002, 0}, {1, -0.5, 0}, 0.1);
        mass = {2};
        neighbors.update(position, 0.02, parallel, no_period);
        dt = 0.001;
    }
    Body& body() { return bodies[0]; }
    void resolve() {
        body().force = body().torque = {};
        block.keep_out_with_friction(view(), context(parallel), wall_displacement, pressed);
    }

    Parallel parallel{1};
    WallContact<S> block;
    std::vector<Row4<double>> wall_displacement{Vec3d{}};
    std::vector<double> pressed{0};
};

TEST(WallContact, StopsTheApproachAndProjectsOutWithoutAKick) {
    Contact c;
    c.body().friction = 0;
    c.resolve();
    EXPECT_DOUBLE_EQ(c.velocity[0].y, 0);
    EXPECT_DOUBLE_EQ(c.velocity[0].x, 1);
    EXPECT_DOUBLE_EQ(c.position[0].y, 0.005);
}

TEST(WallContact, LeavesASeparatingParticleItsSpeed) {
    Contact c;
    c.velocity[0] = Vec3d{0, 0.5, 0};
    c.resolve();
    EXPECT_DOUBLE_EQ(c.velocity[0].y, 0.5);
}

TEST(WallContact, CoulombFrictionTakesMuTimesTheNormalImpulse) {
    Contact c;
    c.body().friction = 0.4;
    c.resolve();
    EXPECT_NEAR(c.velocity[0].x, 1 - 0.4 * 0.5, 1e-12);
    Contact strong;
    strong.body().friction = 3;  // would reverse the motion: sticks instead
    strong.resolve();
    EXPECT_NEAR(strong.velocity[0].x, 0, 1e-12);
}

/// k = dt η V / (m s y) = 1: half of the slip, unless friction allows less. A wall without slip holds it all.
TEST(WallContact, FluidThatRelaxesCreepsOffAWallThatWouldHoldIt) {
    for (const auto& [friction, left] : {std::pair{3.0, 0.5}, std::pair{0.1, 0.95}, std::pair{HUGE_VAL, 0.0}}) {
        Contact c;
        c.body().friction = friction;
        c.block.settings.steady_viscosity = {c.mass[0] * 0.01 * 0.0025 / (c.dt * c.volume[0])};
        c.resolve();
        EXPECT_NEAR(c.velocity[0].x, left, 1e-12) << friction;
    }
}

TEST(WallContact, PressureOfTheWallCountsForFriction) {
    Contact c;
    c.body().friction = 0.4;
    c.position[0] = Vec3d{0, 0.008, 0};  // not touching, but pressed from below
    c.velocity[0] = Vec3d{1, 0, 0};
    c.wall_displacement[0] = Vec3d{0, 1e-4, 0};
    c.resolve();
    EXPECT_NEAR(c.velocity[0].x, 1 - 0.4 * 0.1, 1e-12);
}

/// A light ball is hit: it and the particle leave with the velocity of a plastic collision, and no more.
TEST(WallContact, ABodyThatCanMoveMeetsTheParticleHalfWay) {
    Contact c;
    c.body().shape.form = Sphere{{0, -0.1, 0}, 0.1};
    c.body().center_of_mass = {0, -0.1, 0};
    c.body().mass = 0.5;
    c.body().inertia = {0.002, 0.002, 0.002};
    c.body().friction = 0;
    c.velocity[0] = Vec3d{0, -1, 0};
    c.block.keep_out(c.view(), c.context(c.parallel));
    EXPECT_NEAR(c.velocity[0].y, -0.8, 1e-12);
    EXPECT_EQ(c.body().velocity.y, 0);
    EXPECT_NEAR(c.body().force.y * 0.001 / 0.5, -0.8, 1e-12);  // and the force gives it just that
}

TEST(SharedVelocity, IsThatOfAPlasticCollisionAndEndsWithTheContact) {
    Bodies bodies(1);
    bodies[0].center_of_mass = {0, -0.1, 0};
    bodies[0].mass = 0.5;
    bodies[0].inertia = {0.002, 0.002, 0.002};
    bodies[0].velocity = {0, 0, 0.1};
    {
        const VelocitiesKept kept(bodies);
        SharedVelocity shared(bodies[0], 3, 0.001);
        shared.join({0, 0.1, 0}, {0, 1, 0}, 2, {0, -1, 0});  // a particle of mass 2 on top
        shared.give_to(bodies[0]);
        EXPECT_NEAR(bodies[0].velocity.y, -2 * 1 / (2 + 0.5), 1e-12);
        EXPECT_NEAR(bodies[0].velocity.z, 0.1, 1e-12);
        // Rubbed at its top, it turns as well: M u = m (v - u - r ω), I ω = r m (v - u - r ω).
        SharedVelocity rubbed(bodies[0], 3, 0.001);
        bodies[0].velocity = {};
        rubbed = SharedVelocity(bodies[0], 3, 0.001);
        rubbed.join({0, 0.1, 0}, {1, 0, 0}, 2, {1, 0, 0});
        rubbed.give_to(bodies[0]);
        const double impulse = 1 / (1 / 2.0 + 1 / 0.5 + 0.1 * 0.1 / 0.002);
        const Vec3d center = bodies[0].velocity_at(bodies[0].center_of_mass_in_space());
        EXPECT_NEAR(center.x, impulse / 0.5, 1e-12);
        EXPECT_NEAR(bodies[0].angular_velocity.z, -0.1 * impulse / 0.002, 1e-12);
    }
    EXPECT_EQ(bodies[0].velocity, (Vec3d{0, 0, 0.1}));
    EXPECT_EQ(bodies[0].angular_velocity, (Vec3d{}));
}

TEST(WallContact, FrictionAloneTakesTheLoadOfTheStepsBefore) {
    Contact c;
    c.body().friction = 0.4;
    c.position[0] = Vec3d{0, 0.008, 0};
    c.velocity[0] = Vec3d{1, -0.5, 0};
    c.pressed = {100};
    c.block.settings.friction_moves = false;
    c.block.apply_friction(c.view(), c.context(c.parallel), c.pressed);
    EXPECT_NEAR(c.velocity[0].x, 1 - 0.4 * 100 * 0.001, 1e-12);
    EXPECT_EQ(c.velocity[0].y, -0.5);  // nothing is stopped
    EXPECT_EQ(c.position[0].xyz(), (Vec3d{0, 0.008, 0}));
    EXPECT_EQ(c.pressed[0], 100);
}

TEST(WallContact, KeepingOutTellsTheLoadAndRubsNothing) {
    Contact c;
    c.body().friction = 0.4;
    c.wall_displacement[0] = Vec3d{0, 1e-4, 0};  // by pressure
    c.block.keep_out(c.view(), c.context(c.parallel), c.wall_displacement, c.pressed);
    EXPECT_EQ(c.velocity[0].xyz(), (Vec3d{1, 0, 0}));
    EXPECT_NEAR(c.wall_displacement[0].y, 1e-4 + 0.5 * 0.001, 1e-12);
    EXPECT_NEAR(c.pressed[0], c.wall_displacement[0].y / (0.001 * 0.001), 1e-6);
}

TEST(WallContact, NoSlipTakesTheVelocityOfTheBody) {
    Contact c;
    c.body().friction = std::numeric_limits<double>::infinity();
    c.body().velocity = {0.3, 0, 0.1};
    c.resolve();
    EXPECT_NEAR(c.velocity[0].x, 0.3, 1e-12);
    EXPECT_NEAR(c.velocity[0].z, 0.1, 1e-12);
}

TEST(WallContact, AMovingWallCarriesWhatItHits) {
    Contact c;
    c.body().friction = 0;
    c.body().velocity = {0, 2, 0};
    c.resolve();
    EXPECT_NEAR(c.velocity[0].y, 2, 1e-12);
}

TEST(WallContact, ReactionOnTheBodyBalancesTheParticle) {
    Contact c;
    c.body().friction = 0.4;
    c.body().pose.position = {0, 0, 0.5};
    const Vec3d before = c.velocity[0].xyz();
    c.resolve();
    const Vec3d change = c.velocity[0].xyz() - before;
    EXPECT_NEAR(length(c.body().force + (2 / 0.001) * change), 0, 1e-9);
    EXPECT_NEAR(length(c.body().torque - cross(Vec3d{0, 0.005, -0.5}, c.body().force)), 0, 1e-9);
}

TEST(WallContact, PaperFrictionTakesAFractionAndThePrintedSignSpeedsUp) {
    Contact c;
    c.body().friction = 0.4;
    c.block.settings.friction = WallContact<S>::Friction::fraction;
    c.resolve();
    EXPECT_NEAR(c.velocity[0].x, 0.6, 1e-12);
    Contact printed;
    printed.body().friction = 0.4;
    printed.block.settings.friction = WallContact<S>::Friction::fraction_as_printed;
    printed.resolve();
    EXPECT_NEAR(printed.velocity[0].x, 1.4, 1e-12);
}

TEST(WallContact, StickinessPullsBetweenContactAndItsRange) {
    Contact c;
    c.body().adhesion = 1;
    c.body().friction = 0;
    c.block.settings.stick_strength = 1000;
    c.position[0] = Vec3d{0, 0.01, 0};
    c.velocity[0] = {};
    c.resolve();
    EXPECT_NEAR(c.velocity[0].y, -0.001 * 1000 * 0.01 * 0.5, 1e-12);
    c.position[0] = Vec3d{0, 0.021, 0};
    c.velocity[0] = {};
    c.resolve();
    EXPECT_EQ(c.velocity[0].y, 0);
}

TEST(WallContact, ACornerOfAContainerHoldsFromAllSides) {
    Contact c;
    c.body().shape.form = Box{{0, 0, 0}, {1, 1, 1}};
    c.body().invert = true;
    c.body().friction = 0;
    c.position[0] = Vec3d{-0.51, 0.502, 0.499};
    c.velocity[0] = Vec3d{-1, 1, 1};
    c.resolve();
    EXPECT_NEAR(c.position[0].x, -0.495, 1e-12);
    EXPECT_NEAR(c.position[0].y, 0.495, 1e-12);
    EXPECT_NEAR(c.position[0].z, 0.495, 1e-12);
    EXPECT_NEAR(length(c.velocity[0].xyz()), 0, 1e-12);
}

}  // namespace
}  // namespace treacle
