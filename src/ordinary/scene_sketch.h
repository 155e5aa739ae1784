#pragma once

#include <string>
#include <string_view>

#include "core/json.h"
#include "math/vec.h"

namespace treacle::ordinary {

/// A scene file in the making: the members that ordinary scenes need, in the dimension of the scene. Heights are y; in
/// 2D z is left out. It names no method.
class SceneSketch {
public:
    /// Spacing in m.
    SceneSketch(int dimension, double spacing, bool relaxed_packing);

    Json vector(Vec3d v) const;
    Json box(Vec3d center, Vec3d size) const;
    Json ball(Vec3d center, double radius) const;   ///< a disc in 2D
    Json plane(Vec3d normal, double offset) const;  ///< normal · x < offset is solid
    static Json members(std::string_view text);     ///< of an object: "\"viscosity\": 1"
    static Json dynamic(double density);            ///< motion of a body that is free
    Json moving(Vec3d velocity) const;              ///< motion at a constant velocity
    Json turning(double speed) const;               ///< about z through the center, degrees/s
    Json bar(double radius, double height) const;   ///< along z about the origin; a disc in 2D
    Json spin(double speed) const;                  ///< angular velocity about z, degrees/s

    void gravity(Vec3d g) { root_.set("gravity", vector(g)); }
    void frames_per_second(double fps);
    void periodic(Vec3d period) { root_.set("periodic", vector(period)); }

    /// The members, as JSON, of a material called "fluid".
    void material(std::string_view text);

    /// Returns the fluid, for further keys.
    Json& fluid(Json shape);

    /// Likewise; by default the wall has the friction that every solid has.
    Json& solid(std::string name, Json shape);

    /// A tank of width (x), z (3D) and without a lid, floor at y = 0: "floor", and as many walls as there are sides.
    /// Planes, so that the force on the floor is known apart from that on the walls. x and z are centered.
    void tank(double width, double depth, const Json& friction = Json());

    Json& emitter(Json emitter) { return list("emitters").push(std::move(emitter)); }
    void sink(Json shape);

    int dimension() const { return dimension_; }
    double spacing() const { return spacing_; }
    Json& root() { return root_; }
    const Json& root() const { return root_; }

private:
    Json& list(const std::string& key);

    int dimension_;
    double spacing_;
    bool relaxed_;
    Json root_ = Json::object();
};

}  // namespace treacle::ordinary
