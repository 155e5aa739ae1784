#pragma once

#include <memory>

#include "state/bodies.h"

namespace treacle {

/// Moves the bodies that forces move: gravity, the fluid's force and torque, contacts with each other and with all
/// other solids (Bullet 3; Tang's report, section 4.2.7, movable with fixed and movable with movable, which it leaves
/// out).
///
/// step() is a pure function of poses, velocities, forces and dt, so that a resumed run keeps its bits: every step
/// builds its world anew, in the order of the scene, without warm starts and without sleep. Bullet has lengths of its
/// own (a contact breaks at 2 cm), so it sees the scene scaled to bodies of the size of one.
///
/// Rotations are integrated by math/reproducible.h in place of Bullet, which asks the C library for sines and cosines.
/// Contacts between convex shapes still do (docs/decisions/same-bits.md).
///
/// Limits: a moving mesh counts as its convex hull; containers are shells of triangles or planes.
class RigidBodies {
public:
    explicit RigidBodies(const Bodies& bodies, int dimension);
    ~RigidBodies();

    bool any() const;

    /// Other solids stand where their pose says and move with their velocity.
    void step(Bodies& bodies, Vec3d gravity, double dt);

private:
    struct World;
    std::unique_ptr<World> world_;
};

}  // namespace treacle
