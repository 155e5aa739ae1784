#include "blocks/solids/step_contacts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "support/particle_cloud.h"

namespace treacle {
namespace {

using S = Space3d;

/// One particle of mass 2 above a floor.
struct Touch : ParticleCloud<S> {
    Touch() {
        dt = 0.01;
        add({0, 1, 0}, {0, -100, 0}, 1, 2);
        floor.name = "floor";
        floor.shape.form = Plane{{0, 1, 0}, 0};
        floor.friction = 0;
        contacts.contact_distance = 0.5;
        contacts.grip_distance = 1;
        contacts.reach = 5;
    }
    void begin() {
        bodies = {floor};
        if (lid) bodies.push_back(*lid);
        contacts.begin(view(), context(parallel), conformation, moved);
        moving.begin(position);
    }
    void begin_positions() { contacts.begin_positions(view(), context(parallel)); }
    void clamp_velocities() { contacts.clamp_velocities(view(), context(parallel), pressed, moved); }
    void clamp_positions() { contacts.clamp_positions(view(), context(parallel), pressed, moving, moved); }

    Parallel parallel{1};
    Body floor;
    std::optional<Body> lid;
    StepContacts<S> contacts;
    std::vector<SymMat<double>> conformation{SymMat<double>::identity()};
    std::vector<double> pressed{10};
    std::vector<Row4<double>> moved{Vec3d{}};
    MovingPositions<S> moving;
};

TEST(StepContacts, LetsAParticleComeAsNearAsItsCellAllows) {
    Touch t;
    t.begin();
    t.clamp_velocities();
    EXPECT_NEAR(t.velocity[0].y, -50, 1e-9);  // ends the step at 0.5
    EXPECT_NEAR(t.moved[0].y, 0.5, 1e-9);
    Touch flat;  // pressed to 0.8 of its height
    flat.conformation[0].yy = 0.64;
    flat.begin();
    flat.clamp_velocities();
    EXPECT_NEAR(flat.velocity[0].y, -60, 1e-9);
}

TEST(StepContacts, LeavesASeparatingParticleItsSpeed) {
    Touch t;
    t.position[0] = Vec3d{0, 0.5, 0};
    t.velocity[0] = Vec3d{0, 3, 0};
    t.begin();
    t.clamp_velocities();
    EXPECT_EQ(t.velocity[0].y, 3);
}

TEST(StepContacts, PutsOutWhatLiesInsideWithoutASpeed) {
    Touch t;
    t.position[0] = Vec3d{0, -0.2, 0};
    t.velocity[0] = Vec3d{};
    t.begin();
    EXPECT_NEAR(t.position[0].y, 0.5, 1e-12);
    t.clamp_velocities();
    EXPECT_NEAR(t.velocity[0].y, 0, 1e-9);
    EXPECT_NEAR(t.moved[0].y, 0, 1e-12);
}

TEST(StepContacts, FrictionIsCoulombsOverBothStagesAndAllIterations) {
    Touch t;
    t.floor.friction = 0.3;
    t.position[0] = Vec3d{0, 0.5, 0};
    t.velocity[0] = Vec3d{1, 0, 0};
    t.begin();
    for (int n = 0; n < 5; ++n) t.clamp_velocities();
    EXPECT_NEAR(t.velocity[0].x, 1 - 0.3 * 10 * t.dt, 1e-12);
    t.moving.move(0, t.dt * t.velocity[0].xyz());
    const double x = t.position[0].x;
    t.begin_positions();
    for (int n = 0; n < 5; ++n) t.clamp_positions();
    EXPECT_NEAR(t.position[0].x, x, 1e-12);  // no more friction is allowed
}

/// A particle too wide for a gap: each side pushes in turn, and each feels its own pushes.
/// A body of a twentieth of the mass that hits it: both go on together, as in a plastic collision, and no faster.
TEST(StepContacts, ALightBodyGoesOutOfTheWay) {
    Touch t;
    t.floor.shape.form = Sphere{.center = {0, -1, 0}, .radius = 1};
    t.floor.mass = 0.1;
    t.floor.center_of_mass = {0, -1, 0};
    t.floor.inertia = {0.04, 0.04, 0.04};
    t.position[0] = Vec3d{0, 0.5, 0};
    t.velocity[0] = Vec3d{0, -1, 0};
    t.begin();
    for (int n = 0; n < 20; ++n) {
        t.clamp_velocities();
        const double of_body = t.dt * t.bodies[0].force.y / 0.1;
        EXPECT_NEAR(2 * t.velocity[0].y + 0.1 * of_body, -2, 1e-12);
        EXPECT_GE(of_body, t.velocity[0].y - 1e-12);
    }
    EXPECT_NEAR(t.velocity[0].y, -2 / 2.1, 1e-3);
}

/// k = dt η V / (m s y) = 1: half of the slip stays in all stages together.
TEST(StepContacts, FluidThatRelaxesCreepsOffAWallThatWouldHoldIt) {
    Touch t;
    t.position[0] = Vec3d{0, 0.5, 0};
    t.velocity[0] = Vec3d{3, 0, 0};
    t.floor.friction = 1e6;
    t.contacts.steady_viscosity = {t.mass[0] * 1 * 0.5 / (t.dt * t.volume[0])};
    t.begin();
    for (int n = 0; n < 3; ++n) t.clamp_velocities();
    EXPECT_NEAR(t.velocity[0].x, 1.5, 1e-9);
}

TEST(StepContacts, EveryBodyFeelsWhatItsOwnWallDid) {
    Touch t;
    t.floor.friction = 0.3;
    t.lid.emplace(t.floor);
    t.lid->shape.form = Plane{{0, -1, 0}, -0.9};
    t.position[0] = Vec3d{0, 0.45, 0};
    t.velocity[0] = Vec3d{1, 0, 0};
    t.begin();
    t.moved[0] = Vec3d{};
    for (int n = 0; n < 3; ++n) t.clamp_velocities();
    t.position[0] = t.position[0].xyz() + t.dt * t.velocity[0].xyz();
    t.begin_positions();
    for (int n = 0; n < 3; ++n) t.clamp_positions();
    const Vec3d floor = t.bodies[0].force, lid = t.bodies[1].force;
    EXPECT_LT(floor.y, -100);  // a push of about 0.1 within 0.01, mass 2
    EXPECT_GT(lid.y, 100);
    EXPECT_LT(length(floor + lid + (2 / (t.dt * t.dt)) * t.moved[0].xyz()), 1e-12 * length(lid));
}

TEST(StepContacts, ASlowParticleSticksAndSoDoesAnyWithoutSlip) {
    for (const double friction : {0.3, std::numeric_limits<double>::infinity()}) {
        Touch t;
        t.floor.friction = friction;
        t.position[0] = Vec3d{0, 0.5, 0};
        t.velocity[0] = Vec3d{std::isinf(friction) ? 5.0 : 0.02, 0, 0};
        t.begin();
        t.clamp_velocities();
        EXPECT_NEAR(t.velocity[0].x, 0, 1e-12);
    }
}

TEST(StepContacts, AScriptedBodyPushesAsFastAsItMoves) {
    Touch t;
    t.floor.shape.form = Plane{{0, 1, 0}, 0.02};  // its place at the end of the step
    t.floor.velocity = Vec3d{0, 2, 0};
    t.position[0] = Vec3d{0, 0.5, 0};
    t.velocity[0] = Vec3d{};
    t.begin();
    t.clamp_velocities();
    EXPECT_NEAR(t.velocity[0].y, 2, 1e-9);
}

/// A change of velocity after contacts have restrained it.
Vec3d restrained(Touch& t, Vec3d change, bool choose = true) {
    std::vector<Row4<double>> rows{change};
    t.contacts.restrain(t.view(), t.context(t.parallel), choose, rows, t.moved);
    return rows[0].xyz();
}

TEST(StepContacts, NoChangeOfVelocityPressesAParticleIntoAWallItTouches) {
    Touch t;
    t.position[0] = Vec3d{0, 0.5, 0};
    t.velocity[0] = Vec3d{};
    t.begin();
    EXPECT_EQ(restrained(t, {1, -2, 0}), (Vec3d{1, 0, 0}));
    EXPECT_EQ(restrained(t, {1, 2, 0}, false), (Vec3d{1, 0, 0}));  // as it was chosen before
    EXPECT_EQ(restrained(t, {1, 2, 0}), (Vec3d{1, 2, 0}));         // drawn away
    EXPECT_EQ(restrained(t, {1, -2, 0}, false), (Vec3d{1, -2, 0}));
    t.bodies[0].friction = std::numeric_limits<double>::infinity();
    EXPECT_EQ(restrained(t, {1, -2, 0}), (Vec3d{}));
    t.position[0] = Vec3d{0, 0.6, 0};
    t.begin();
    EXPECT_EQ(restrained(t, {1, -2, 0}), (Vec3d{1, -2, 0}));  // does not touch
}

TEST(StepContacts, WhatIsTakenOutOfAChangeTheWallHasDone) {
    Touch t;
    t.position[0] = Vec3d{0, 0.5, 0};
    t.velocity[0] = Vec3d{};
    t.begin();
    restrained(t, {1, -2, 0});
    t.contacts.follow(t.parallel, 0.5);
    restrained(t, {1, -1, 0}, false);
    t.contacts.follow(t.parallel, 1);
    EXPECT_EQ(t.moved[0].y, 0);
    restrained(t, {1, -2, 0});  // the next search
    EXPECT_NEAR(t.moved[0].y, 0.02, 1e-12);
    EXPECT_NEAR(t.bodies[0].force.y, -400, 1e-9);
    t.contacts.follow(t.parallel, 1);
    t.contacts.take_half_back(t.parallel);
    t.contacts.press_held(t.view(), t.context(t.parallel), t.moved);
    t.contacts.press_held(t.view(), t.context(t.parallel), t.moved);  // once only
    EXPECT_NEAR(t.moved[0].y, 0.03, 1e-12);
    EXPECT_NEAR(t.bodies[0].force.y, -600, 1e-9);
}

}  // namespace
}  // namespace treacle
