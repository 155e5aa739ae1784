#pragma once

#include "methods/method.h"
#include "scene/scene.h"

namespace treacle {

/// What the scene's method may know of it, with parameters as they are now.
MethodInput method_input(const Scene& scene);

/// Largest speed that a scripted solid's points can have.
double solid_speed(const Solid& solid);

}  // namespace treacle
