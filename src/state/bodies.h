#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "geometry/shape.h"

namespace treacle {

/// A solid in the scene. Its shape is drawn once; the pose moves it.
struct Body {
    std::uint32_t id = 0;  ///< its own for as long as it is there, whatever becomes of others
    std::string name;
    Shape shape;
    bool invert = false;                ///< the outside is solid: a container
    double friction = 0.3;              ///< Coulomb coefficient; infinity = no slip
    double adhesion = 0;                ///< multiple of the fluid's own cohesion
    std::optional<double> temperature;  ///< °C; absent = no heat passes

    double restitution = 0;  ///< of contacts with other solids, 0 to 1

    double mass = 0;              ///< kg (2D: per meter of depth); 0: only keyframes move it
    Vec3d center_of_mass{};       ///< in the shape's drawn frame
    Quaternion principal_axes{};  ///< of inertia, in that frame
    Vec3d inertia{};              ///< kg m², about the center of mass along these axes

    Pose pose;
    Vec3d velocity{};          ///< m/s, of the pose's position
    Vec3d angular_velocity{};  ///< rad/s
    Vec3d force{};             ///< N, by the fluid during the last step
    Vec3d torque{};            ///< N·m, about the pose's position

    /// Signed distance to the surface (negative inside the solid) and the direction out of the solid.
    SurfacePoint surface_at(Vec3d point) const;

    bool dynamic() const { return mass > 0; }
    Vec3d center_of_mass_in_space() const { return pose.to_world(center_of_mass); }
    Vec3d velocity_of_center() const { return velocity_at(center_of_mass_in_space()); }

    /// Change of velocity (m/s) and angular velocity (rad/s) of a dynamic body by an impulse and a moment of impulse
    /// about its center of mass.
    Vec3d speed_up(Vec3d impulse) const { return impulse / mass; }
    Vec3d spin_up(Vec3d moment) const;

    /// Bound on the speed of any point of the solid, which must not be a plane.
    double fastest_point() const;

    /// Velocity of the solid's material at a point.
    Vec3d velocity_at(Vec3d point) const { return velocity + cross(angular_velocity, point - pose.position); }
};

using Bodies = std::vector<Body>;

/// Ids by index.
std::vector<std::uint32_t> ids_of(const Bodies& bodies);

}  // namespace treacle
