#pragma once

#include "core/log.h"
#include "methods/method_input.h"
#include "scene/object_reader.h"

/// Checks of a scene as a whole, after its parts were read.

namespace treacle {

/// Steps and frames fit together; `at` is the time object.
void check_time(ObjectReader& reader, const Place& at, const TimeSettings& time);

/// The method is built for the wanted precision; if none is given, the scene gets one that the method has.
void check_precision(ObjectReader& reader, const Place& root, Scene& scene);

/// There are particles, not too many, and they stand for the volume that particle_spacing promises.
void check_particles(ObjectReader& reader, const Place& root, const Scene& scene, const Log& log);

/// Dynamic solids must not start inside others.
void check_bodies(ObjectReader& reader, const Place& root, const Scene& scene);

/// Periodic space: the method supports it, and everything in the scene makes sense there.
void check_periodic(ObjectReader& reader, const Place& root, const Scene& scene, const MethodInput& input);

/// Temperatures and functions of temperature and age: the method can represent them, and something depends on them.
void check_temperature(ObjectReader& reader, const Place& root, const Scene& scene, const Log& log);

/// Adhesion of solids, which the method may not support.
void check_adhesion(const Place& root, const Scene& scene, const Log& log);

/// Friction that the scene gives, in a method without Coulomb friction.
void check_friction(const Place& root, const Scene& scene, const MethodInput& input, const Log& log);

/// Solids that wait for a rupture, in a method that never reports one.
void check_stops(const Place& root, const Scene& scene, const Log& log);

/// Remarks of the method itself, and materials that are not used.
void check_method(ObjectReader& reader, const Place& root, const Scene& scene, const MethodInput& input,
                  const Log& log);

}  // namespace treacle
