#include "sim/scene_bodies.h"

#include <algorithm>

#include "geometry/mass_properties.h"
#include "math/reproducible.h"
#include "state/particles.h"

namespace treacle {

namespace {

void make_dynamic(Body& body, const Dynamics& dynamics) {
    const MassProperties matter = *mass_properties(body.shape);
    const double density = dynamics.mass ? *dynamics.mass / matter.volume : *dynamics.density;
    body.mass = density * matter.volume;
    body.inertia = density * matter.inertia;
    body.center_of_mass = matter.center;
    body.principal_axes = matter.principal_axes;
    body.restitution = dynamics.restitution;
    body.angular_velocity = (reproducible::pi / 180) * dynamics.angular_velocity;
    body.velocity =
        dynamics.velocity + cross(body.angular_velocity, body.pose.position - body.center_of_mass_in_space());
}

Body body_of(const Solid& solid) {
    Body body;
    body.name = solid.name;
    body.shape = solid.shape;
    body.invert = solid.invert;
    body.friction = solid.friction;
    body.adhesion = solid.adhesion;
    body.temperature = solid.temperature;
    body.pose = pose_at(solid.motion, 0);
    if (solid.motion.dynamic) make_dynamic(body, *solid.motion.dynamic);
    return body;
}

}  // namespace

Bodies bodies_of(const Scene& scene) {
    Bodies bodies;
    for (const Solid& solid : scene.solids) {
        bodies.push_back(body_of(solid));
        bodies.back().id = static_cast<std::uint32_t>(bodies.size() - 1);
    }
    return bodies;
}

std::vector<std::uint32_t> take_over(const Bodies& saved, Bodies& bodies) {
    std::uint32_t next_id = 0;
    for (const Body& body : saved) next_id = std::max(next_id, body.id + 1);
    std::vector<std::uint32_t> new_index(saved.size(), Particles::gone);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        Body& body = bodies[b];
        const auto from =
            std::find_if(saved.begin(), saved.end(), [&](const Body& other) { return other.name == body.name; });
        if (from == saved.end()) {
            body.id = next_id++;
            continue;
        }
        new_index[static_cast<std::size_t>(from - saved.begin())] = static_cast<std::uint32_t>(b);
        body.id = from->id;
        body.pose = from->pose;
        body.velocity = from->velocity;
        body.angular_velocity = from->angular_velocity;
        body.force = from->force;
        body.torque = from->torque;
    }
    return new_index;
}

}  // namespace treacle
