#pragma once

#include "methods/method_input.h"
#include "scene/scene.h"

namespace treacle {

/// The part of the scene that its method may know, with the present values of parameters.
MethodInput method_input(const Scene& scene);

/// Largest speed that a solid's points can have by its motion in the scene; of a dynamic one at the start.
double solid_speed(const Solid& solid);

/// The same for a scripted solid between two times (s); 0 for a dynamic one, which moves as its body says.
double scripted_speed(const Solid& solid, double from, double to);

}  // namespace treacle
