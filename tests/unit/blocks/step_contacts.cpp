#include "blocks/solids/step_contacts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

namespace treacle {
namespace {

using S = Space3d;

/// One particle above a floor.
struct Touch {
    Touch() {
        body.name = "floor";
        body.shape.form = Plane{{0, 1, 0}, 0};
        body.friction = 0;
        contacts.contact_distance = 0.5;
        contacts.grip_distance = 1;
    }
    void begin() {
        bodies = {body};
        if (lid) bodies.push_back(*lid);
        contacts.begin(bodies, conformation, 5, dt, parallel, position);
        moving.begin(position);
    }
    void clamp_velocities() { contacts.clamp_velocities(mass, pressed, position, parallel, velocity, moved, bodies); }
    void clamp_positions() { contacts.clamp_positions(mass, pressed, parallel, moving, moved, bodies); }

    double dt = 0.01;
    Parallel parallel{1};
    Body body;
    std::optional<Body> lid;
    Bodies bodies;
    StepContacts<S> contacts;
    std::vector<double> mass{2};
    std::vector<SymMat<double>> conformation{SymMat<double>::identity()};
    std::vector<double> pressed{10};
    std::vector<Row4<double>> position{Vec3d{0, 1, 0}}, velocity{Vec3d{0, -100, 0}}, moved{Vec3d{}};
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
    t.body.friction = 0.3;
    t.position[0] = Vec3d{0, 0.5, 0};
    t.velocity[0] = Vec3d{1, 0, 0};
    t.begin();
    for (int n = 0; n < 5; ++n) t.clamp_velocities();
    EXPECT_NEAR(t.velocity[0].x, 1 - 0.3 * 10 * t.dt, 1e-12);
    t.moving.move(0, t.dt * t.velocity[0].xyz());
    const double x = t.position[0].x;
    t.contacts.begin_positions(t.bodies, 5, t.position, t.parallel);
    for (int n = 0; n < 5; ++n) t.clamp_positions();
    EXPECT_NEAR(t.position[0].x, x, 1e-12);  // no more friction is allowed
}

/// A particle too wide for a gap: each side pushes in turn, and each feels its own pushes.
TEST(StepContacts, EveryBodyFeelsWhatItsOwnWallDid) {
    Touch t;
    t.body.friction = 0.3;
    t.lid.emplace(t.body);
    t.lid->shape.form = Plane{{0, -1, 0}, -0.9};
    t.position[0] = Vec3d{0, 0.45, 0};
    t.velocity[0] = Vec3d{1, 0, 0};
    t.begin();
    t.moved[0] = Vec3d{};
    for (int n = 0; n < 3; ++n) t.clamp_velocities();
    t.position[0] = t.position[0].xyz() + t.dt * t.velocity[0].xyz();
    t.contacts.begin_positions(t.bodies, 5, t.position, t.parallel);
    for (int n = 0; n < 3; ++n) t.clamp_positions();
    const Vec3d floor = t.bodies[0].force, lid = t.bodies[1].force;
    EXPECT_LT(floor.y, -100);  // a push of about 0.1 within 0.01, mass 2
    EXPECT_GT(lid.y, 100);
    EXPECT_LT(length(floor + lid + (2 / (t.dt * t.dt)) * t.moved[0].xyz()), 1e-12 * length(lid));
}

TEST(StepContacts, ASlowParticleSticksAndSoDoesAnyWithoutSlip) {
    for (const double friction : {0.3, std::numeric_limits<double>::infinity()}) {
        Touch t;
        t.body.friction = friction;
        t.position[0] = Vec3d{0, 0.5, 0};
        t.velocity[0] = Vec3d{std::isinf(friction) ? 5.0 : 0.02, 0, 0};
        t.begin();
        t.clamp_velocities();
        EXPECT_NEAR(t.velocity[0].x, 0, 1e-12);
    }
}

TEST(StepContacts, AScriptedBodyPushesAsFastAsItMoves) {
    Touch t;
    t.body.shape.form = Plane{{0, 1, 0}, 0.02};  // its place at the end of the step
    t.body.velocity = Vec3d{0, 2, 0};
    t.position[0] = Vec3d{0, 0.5, 0};
    t.velocity[0] = Vec3d{};
    t.begin();
    t.clamp_velocities();
    EXPECT_NEAR(t.velocity[0].y, 2, 1e-9);
}

}  // namespace
}  // namespace treacle
