#include "blocks/solids/collision.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace treacle {
namespace {

using S = Space3d;

/// One particle near one solid.
struct Contact {
    Contact() {
        body.name = "floor";
        body.shape.form = Plane{{0, 1, 0}, 0};
        collision.contact_distance = 0.005;
        collision.grip_distance = 0.01;
        collision.reach = collision.stick_distance = 0.02;
    }
    void resolve(double dt) {
        walls.update(position, bodies_ = {body}, collision.reach, parallel);
        collision.stop(walls, mass, dt, parallel, position, velocity, wall_displacement, bodies_);
        const std::vector<double> pressed{length(wall_displacement[0].xyz()) / (dt * dt)};
        collision.rub(walls, mass, pressed, dt, parallel, position, velocity, bodies_);
    }

    Parallel parallel{1};
    Body body;
    Bodies bodies_;
    Collision<S> collision;
    WallRows<S> walls;
    std::vector<double> mass{2};
    std::vector<Row4<double>> position{Vec3d{0, 0.002, 0}}, velocity{Vec3d{1, -0.5, 0}}, wall_displacement{Vec3d{}};
};

TEST(Collision, StopsTheApproachAndProjectsOutWithoutAKick) {
    Contact c;
    c.body.friction = 0;
    c.resolve(0.001);
    EXPECT_DOUBLE_EQ(c.velocity[0].y, 0);
    EXPECT_DOUBLE_EQ(c.velocity[0].x, 1);
    EXPECT_DOUBLE_EQ(c.position[0].y, 0.005);
}

TEST(Collision, LeavesASeparatingParticleItsSpeed) {
    Contact c;
    c.velocity[0] = Vec3d{0, 0.5, 0};
    c.resolve(0.001);
    EXPECT_DOUBLE_EQ(c.velocity[0].y, 0.5);
}

TEST(Collision, CoulombFrictionTakesMuTimesTheNormalImpulse) {
    Contact c;
    c.body.friction = 0.4;
    c.resolve(0.001);
    EXPECT_NEAR(c.velocity[0].x, 1 - 0.4 * 0.5, 1e-12);
    Contact strong;
    strong.body.friction = 3;  // would reverse the motion: sticks instead
    strong.resolve(0.001);
    EXPECT_NEAR(strong.velocity[0].x, 0, 1e-12);
}

TEST(Collision, PressureOfTheWallCountsForFriction) {
    Contact c;
    c.body.friction = 0.4;
    c.position[0] = Vec3d{0, 0.008, 0};  // not touching, but pressed from below
    c.velocity[0] = Vec3d{1, 0, 0};
    c.wall_displacement[0] = Vec3d{0, 1e-4, 0};
    c.resolve(0.001);
    EXPECT_NEAR(c.velocity[0].x, 1 - 0.4 * 0.1, 1e-12);
}

/// A light ball is hit: it and the particle leave with the velocity of a plastic collision, and no more.
TEST(Collision, ABodyThatCanMoveMeetsTheParticleHalfWay) {
    Contact c;
    c.body.shape.form = Sphere{{0, -0.1, 0}, 0.1};
    c.body.center_of_mass = {0, -0.1, 0};
    c.body.mass = 0.5;
    c.body.inertia = {0.002, 0.002, 0.002};
    c.body.friction = 0;
    c.velocity[0] = Vec3d{0, -1, 0};
    c.walls.update(c.position, c.bodies_ = {c.body}, c.collision.reach, c.parallel);
    const std::vector<double> pressed{0};
    const auto kept = c.collision.meet(c.walls, c.mass, pressed, 0.001, c.parallel, c.position, c.velocity, c.bodies_);
    EXPECT_NEAR(c.bodies_[0].velocity.y, -2 * 1 / (2 + 0.5), 1e-12);  // mass of the particle: 2
    c.collision.stop(c.walls, c.mass, 0.001, c.parallel, c.position, c.velocity, c.wall_displacement, c.bodies_);
    EXPECT_NEAR(c.velocity[0].y, -0.8, 1e-12);
    Collision<S>::part(kept, c.bodies_);
    EXPECT_EQ(c.bodies_[0].velocity.y, 0);
    EXPECT_NEAR(c.bodies_[0].force.y * 0.001 / 0.5, -0.8, 1e-12);  // and the force gives it just that
}

TEST(Collision, NoSlipTakesTheVelocityOfTheBody) {
    Contact c;
    c.body.friction = std::numeric_limits<double>::infinity();
    c.body.velocity = {0.3, 0, 0.1};
    c.resolve(0.001);
    EXPECT_NEAR(c.velocity[0].x, 0.3, 1e-12);
    EXPECT_NEAR(c.velocity[0].z, 0.1, 1e-12);
}

TEST(Collision, AMovingWallCarriesWhatItHits) {
    Contact c;
    c.body.friction = 0;
    c.body.velocity = {0, 2, 0};
    c.resolve(0.001);
    EXPECT_NEAR(c.velocity[0].y, 2, 1e-12);
}

TEST(Collision, ReactionOnTheBodyBalancesTheParticle) {
    Contact c;
    c.body.friction = 0.4;
    c.body.pose.position = {0, 0, 0.5};
    const Vec3d before = c.velocity[0].xyz();
    c.resolve(0.001);
    const Vec3d change = c.velocity[0].xyz() - before;
    EXPECT_NEAR(length(c.bodies_[0].force + (2 / 0.001) * change), 0, 1e-9);
    EXPECT_NEAR(length(c.bodies_[0].torque - cross(Vec3d{0, 0.005, -0.5}, c.bodies_[0].force)), 0, 1e-9);
}

TEST(Collision, PaperFrictionTakesAFractionAndThePrintedSignSpeedsUp) {
    Contact c;
    c.body.friction = 0.4;
    c.collision.friction = Collision<S>::Friction::fraction;
    c.resolve(0.001);
    EXPECT_NEAR(c.velocity[0].x, 0.6, 1e-12);
    Contact printed;
    printed.body.friction = 0.4;
    printed.collision.friction = Collision<S>::Friction::fraction_as_printed;
    printed.resolve(0.001);
    EXPECT_NEAR(printed.velocity[0].x, 1.4, 1e-12);
}

TEST(Collision, StickinessPullsBetweenContactAndItsRange) {
    Contact c;
    c.body.adhesion = 1;
    c.body.friction = 0;
    c.collision.stick_strength = 1000;
    c.position[0] = Vec3d{0, 0.01, 0};
    c.velocity[0] = {};
    c.resolve(0.001);
    EXPECT_NEAR(c.velocity[0].y, -0.001 * 1000 * 0.01 * 0.5, 1e-12);
    c.position[0] = Vec3d{0, 0.021, 0};
    c.velocity[0] = {};
    c.resolve(0.001);
    EXPECT_EQ(c.velocity[0].y, 0);
}

TEST(Collision, ACornerOfAContainerHoldsFromAllSides) {
    Contact c;
    c.body.shape.form = Box{{0, 0, 0}, {1, 1, 1}};
    c.body.invert = true;
    c.body.friction = 0;
    c.position[0] = Vec3d{-0.51, 0.502, 0.499};
    c.velocity[0] = Vec3d{-1, 1, 1};
    c.resolve(0.001);
    EXPECT_NEAR(c.position[0].x, -0.495, 1e-12);
    EXPECT_NEAR(c.position[0].y, 0.495, 1e-12);
    EXPECT_NEAR(c.position[0].z, 0.495, 1e-12);
    EXPECT_NEAR(length(c.velocity[0].xyz()), 0, 1e-12);
}

}  // namespace
}  // namespace treacle
