#include "methods/reference_speed.h"

#include <algorithm>
#include <cmath>

namespace treacle {

double reference_speed(const MethodInput& input) {
    const double g = input.strongest_gravity;
    double speed = std::max({std::sqrt(g * input.fluid_height), 0.5 * std::sqrt(2 * g * input.fall_height),
                             0.5 * input.speed, 0.5 * input.fastest_shear_wave});
    for (const Material& m : input.materials) {
        const double tension = m.surface_tension.value_or(0);
        speed = std::max(speed, 0.1 * std::sqrt(tension / (0.015 * m.density * input.spacing)));
    }
    // Without any of these nothing sets a scale; crossing ten particles within a second does.
    return speed > 0 ? speed : std::max(input.fluid_height, 10 * input.spacing);
}

}  // namespace treacle
