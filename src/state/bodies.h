#pragma once

#include <string>
#include <vector>

#include "math/shape.h"

namespace treacle {

/// A solid in the scene. Its shape is drawn once; the pose moves it.
struct Body {
    std::string name;
    Shape shape;
    bool invert = false;            ///< the outside is solid: a container
    double friction = 0.3;          ///< Coulomb coefficient; infinity = no slip
    double adhesion = 0;            ///< multiple of the fluid's own cohesion

    Pose pose;
    Vec3d velocity{};               ///< m/s, of the pose's position
    Vec3d angular_velocity{};       ///< rad/s
    Vec3d force{};                  ///< N, by the fluid during the last step
    Vec3d torque{};                 ///< N·m, about the pose's position

    /// Signed distance to the surface (negative inside the solid) and the direction out of the solid.
    SurfacePoint surface_at(Vec3d point) const;

    /// Velocity of the solid's material at a point.
    Vec3d velocity_at(Vec3d point) const { return velocity + cross(angular_velocity, point - pose.position); }
};

using Bodies = std::vector<Body>;

}  // namespace treacle
