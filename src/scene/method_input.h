#pragma once

#include "methods/method_input.h"
#include "scene/scene.h"

namespace treacle {

/// The part of the scene that its method may know, with the present values of parameters.
MethodInput method_input(const Scene& scene);

/// Largest speed that a scripted solid's points can have.
double solid_speed(const Solid& solid);

}  // namespace treacle
