#pragma once

#include "core/log.h"
#include "scene/object_reader.h"

/// What is wrong or doubtful about a scene as a whole, after its parts were read.

namespace treacle {

/// Steps and frames fit together; `at` is the time object.
void check_time(ObjectReader& reader, const Place& at, const TimeSettings& time);

/// The method is built for the precision asked for; without one, the scene gets what the method has.
void check_precision(ObjectReader& reader, const Place& root, Scene& scene);

/// There are particles, not too many, and they stand for the volume that particle_spacing promises.
void check_particles(ObjectReader& reader, const Place& root, const Scene& scene, const Log& log);

/// Dynamic solids must not start inside others.
void check_bodies(ObjectReader& reader, const Place& root, const Scene& scene);

/// Where space repeats itself: the method can do it, and everything in the scene has a meaning there.
void check_periodic(ObjectReader& reader, const Place& root, const Scene& scene);

/// Temperatures and functions of temperature and age: the method can represent them, and something depends on them.
void check_temperature(ObjectReader& reader, const Place& root, const Scene& scene, const Log& log);

/// Adhesion of solids that the method does not know.
void check_adhesion(const Place& root, const Scene& scene, const Log& log);

/// Friction that the scene gives and the method has no sliding for.
void check_friction(const Place& root, const Scene& scene, const Log& log);

/// Solids that wait for a rupture which the method never tells.
void check_stops(const Place& root, const Scene& scene, const Log& log);

/// What the method itself says, and materials that nothing is made of.
void check_method(ObjectReader& reader, const Place& root, const Scene& scene, const Log& log);

}  // namespace treacle
