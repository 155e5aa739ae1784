#include "blocks/solids/rigid_bodies.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include <btBulletDynamicsCommon.h>

#include "blocks/solids/bullet_shapes.h"
#include "math/reproducible.h"

namespace treacle {

namespace {

Vec3d from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
Quaternion from_bullet(const btQuaternion& q) { return {q.w(), q.x(), q.y(), q.z()}; }

/// Bullet multiplies the coefficients of two bodies; so their geometric mean comes out.
double contact_friction(double friction) { return std::sqrt(std::min(friction, 100.0)); }

/// Where a body is after a time at constant velocities. What btTransformUtil::integrateTransform does, whose sine and
/// cosine are those of the C library and differ from machine to machine.
btTransform moved(const btTransform& from, const btVector3& velocity, const btVector3& angular_velocity, double time) {
    const double farthest = 0.25 * reproducible::pi;  // rad in one step, as there
    const double rate = std::min(angular_velocity.length(), farthest / time), half = 0.5 * rate * time;
    const double share = rate > 1e-3 ? reproducible::sin(half) / rate : 0.5 * time * (1 - half * half / 6);
    const btVector3 axis = share * angular_velocity;
    const btQuaternion turn(axis.x(), axis.y(), axis.z(), reproducible::cos(half));
    return btTransform((turn * from.getRotation()).normalize(), from.getOrigin() + time * velocity);
}

/// Bullet's contact solver, but that it moves bodies out of each other by our own rotations.
class ContactSolver final : public btSequentialImpulseConstraintSolver {
protected:
    btScalar solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int count,
                                           const btContactSolverInfo& info) override {
        for (int n = 0; n < m_tmpSolverBodyPool.size(); ++n) {
            btSolverBody& body = m_tmpSolverBodyPool[n];
            btVector3 &push = body.internalGetPushVelocity(), &turn = body.internalGetTurnVelocity();
            if (!body.m_originalBody || (push.isZero() && turn.isZero())) continue;
            body.m_worldTransform =
                moved(body.m_worldTransform, push, info.m_splitImpulseTurnErp * turn, info.m_timeStep);
            push.setZero();
            turn.setZero();
        }
        return btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyFinish(bodies, count, info);
    }
};

/// Bullet's world, but that all rotations are integrated by ours.
class Dynamics final : public btDiscreteDynamicsWorld {
public:
    using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;

protected:
    /// Where bodies would go by themselves: it widens the boxes in which contacts are looked for.
    void predictUnconstraintMotion(btScalar time) override {
        for_each_moving([&](btRigidBody& body) { body.setInterpolationWorldTransform(moved_freely(body, time)); });
    }
    void integrateTransforms(btScalar time) override {
        for_each_moving([&](btRigidBody& body) { body.proceedToTransform(moved_freely(body, time)); });
    }
    /// The scene gives the velocities of scripted solids. Bullet would take them from the difference of two poses,
    /// which are the same here.
    void saveKinematicState(btScalar) override {}
    /// No body here asks for contacts of fast bodies to be predicted.
    void createPredictiveContacts(btScalar) override {}

private:
    template <class Visit>
    void for_each_moving(const Visit& visit) {
        for (int n = 0; n < m_nonStaticRigidBodies.size(); ++n) {
            if (!m_nonStaticRigidBodies[n]->isStaticOrKinematicObject()) visit(*m_nonStaticRigidBodies[n]);
        }
    }
    static btTransform moved_freely(const btRigidBody& body, double time) {
        return moved(body.getWorldTransform(), body.getLinearVelocity(), body.getAngularVelocity(), time);
    }
};

}  // namespace

struct RigidBodies::World {
    explicit World(const Bodies& bodies, int dimensions) : dimension(dimensions) {
        double smallest = std::numeric_limits<double>::infinity();
        for (const Body& body : bodies) {
            const auto box = bounds(body.shape);
            if (!body.dynamic() || !box) continue;
            const Vec3d size = box->high - box->low;
            smallest = std::min(smallest, std::max({size.x, size.y, size.z}));
        }
        if (std::isinf(smallest)) return;
        unit = 1 / smallest;
        configuration.emplace();
        configuration->setConvexConvexMultipointIterations(3, 3);
        configuration->setPlaneConvexMultipointIterations(3, 3);
        for (const Body& body : bodies) pieces.push_back(bullet_pieces(body.shape, body.invert, body.dynamic(), unit));
    }

    /// Center of mass and principal axes of a dynamic body, the drawn frame of any other.
    Pose frame_of(const Body& body) const {
        if (!body.dynamic()) return {unit * body.pose.position, body.pose.rotation};
        return {unit * body.center_of_mass_in_space(), body.pose.rotation * body.principal_axes};
    }

    std::unique_ptr<btRigidBody> make(const Body& body, const std::vector<BulletPiece>& of_body,
                                      btCompoundShape& compound) const;
    void take_over(const btRigidBody& moved, Body& body) const;

    int dimension;
    double unit = 0;                                               ///< lengths in Bullet per meter; 0: nothing moves
    std::vector<std::vector<BulletPiece>> pieces;                  ///< per body
    std::optional<btDefaultCollisionConfiguration> configuration;  ///< 7 MB of pools, made when something moves
};

std::unique_ptr<btRigidBody> RigidBodies::World::make(const Body& body, const std::vector<BulletPiece>& of_body,
                                                      btCompoundShape& compound) const {
    const Pose frame = frame_of(body);
    for (const BulletPiece& piece : of_body) {
        // From the body's drawn frame into the frame that Bullet moves.
        const Vec3d place =
            rotate(body.pose.rotation, piece.place.position) + unit * body.pose.position - frame.position;
        const Pose local{rotate(conjugate(frame.rotation), place),
                         conjugate(frame.rotation) * (body.pose.rotation * piece.place.rotation)};
        compound.addChildShape(btTransform(to_bullet(local.rotation), to_bullet(local.position)), piece.shape.get());
    }
    const double mass = body.dynamic() ? body.mass : 0;
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &compound, to_bullet(unit * unit * body.inertia));
    info.m_startWorldTransform = btTransform(to_bullet(frame.rotation), to_bullet(frame.position));
    info.m_friction = contact_friction(body.friction);
    info.m_restitution = body.restitution;
    auto made = std::make_unique<btRigidBody>(info);
    made->setLinearVelocity(to_bullet(unit * body.velocity_at(frame.position / unit)));
    made->setAngularVelocity(to_bullet(body.angular_velocity));
    made->setActivationState(DISABLE_DEACTIVATION);
    if (!body.dynamic()) made->setCollisionFlags(made->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    if (dimension == 2) {
        made->setLinearFactor({1, 1, 0});
        made->setAngularFactor({0, 0, 1});
    }
    return made;
}

void RigidBodies::World::take_over(const btRigidBody& moved, Body& body) const {
    const Quaternion rotation = normalized(from_bullet(moved.getOrientation()) * conjugate(body.principal_axes));
    const Vec3d center = from_bullet(moved.getCenterOfMassPosition()) / unit;
    body.pose = {center - rotate(rotation, body.center_of_mass), rotation};
    body.angular_velocity = from_bullet(moved.getAngularVelocity());
    body.velocity =
        from_bullet(moved.getLinearVelocity()) / unit + cross(body.angular_velocity, body.pose.position - center);
    if (dimension == 2) {  // factors keep z out up to rounding; files want zeros
        body.pose.position.z = body.velocity.z = 0;
        body.angular_velocity.x = body.angular_velocity.y = 0;
        body.pose.rotation = normalized({body.pose.rotation.w, 0, 0, body.pose.rotation.z});
    }
}

RigidBodies::RigidBodies(const Bodies& bodies, int dimension) : world_(std::make_unique<World>(bodies, dimension)) {}
RigidBodies::~RigidBodies() = default;

bool RigidBodies::any() const { return world_->unit > 0; }

void RigidBodies::step(Bodies& bodies, Vec3d gravity, double dt) {
    assert(dt > 0 && (!any() || bodies.size() == world_->pieces.size()));
    if (!any()) return;
    btCollisionDispatcher dispatcher(&*world_->configuration);
    btDbvtBroadphase broadphase;
    ContactSolver solver;
    Dynamics world(&dispatcher, &broadphase, &solver, &*world_->configuration);
    world.setGravity(to_bullet(world_->unit * gravity));
    world.getSolverInfo().m_solverMode &= ~SOLVER_USE_WARMSTARTING;
    world.getSolverInfo().m_numIterations =
        100;  // with 30, stacks creep: there is no memory of the last step's contacts

    std::vector<std::unique_ptr<btCompoundShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> made;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const Body& body = bodies[b];
        shapes.push_back(std::make_unique<btCompoundShape>(false));
        made.push_back(world_->make(body, world_->pieces[b], *shapes.back()));
        world.addRigidBody(made.back().get());
        if (!body.dynamic()) continue;
        const Vec3d arm = body.center_of_mass_in_space() - body.pose.position;
        made.back()->applyCentralForce(to_bullet(world_->unit * body.force));
        made.back()->applyTorque(to_bullet(world_->unit * world_->unit * (body.torque - cross(arm, body.force))));
    }
    world.stepSimulation(dt, 0);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        if (bodies[b].dynamic()) world_->take_over(*made[b], bodies[b]);
        world.removeRigidBody(made[b].get());
    }
}

}  // namespace treacle
