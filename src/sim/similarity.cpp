#include "sim/similarity.h"

#include <algorithm>
#include <cmath>

namespace treacle {

namespace {

std::string reynolds_meaning(double re) {
    if (re < 1) return "viscosity rules: creeps like honey on a spoon";
    if (re < 100) return "viscosity and inertia matter: a thick liquid";
    return "inertia rules: splashes like water, whatever its viscosity in Pa·s";
}

std::string bond_meaning(double bo) {
    if (bo < 1) return "surface tension rules: beads up";
    if (bo < 100) return "surface tension rounds edges and threads";
    return "gravity rules: surface tension hardly shows at this size";
}

std::string deborah_meaning(double de) {
    if (de < 0.1) return "flows like a liquid: stress relaxes faster than it moves";
    if (de < 10) return "viscoelastic: springs back and flows";
    return "bounces like a solid within the time of a fall";
}

std::string weissenberg_meaning(double wi) {
    return wi < 0.5 ? "stretches without storing much tension" : "stretching builds up tension: threads, recoil";
}

}  // namespace

std::vector<Similarity> similarity_numbers(const Material& material, const MethodInput& input) {
    std::vector<Similarity> numbers;
    const double g = length(input.gravity);
    const double size = std::max(input.fluid_height, input.spacing);
    const double speed = std::max({input.speed, std::sqrt(2 * g * input.fall_height), std::sqrt(g * size)});
    const double relaxation = material.relaxation_time.value_or(0);
    const double viscosity = material.viscosity.value_or(0) + material.shear_modulus.value_or(0) * relaxation;
    const auto add = [&](const char* symbol, double value, std::string meaning) {
        numbers.push_back({std::string(symbol) + " (" + material.name + ")", value, std::move(meaning)});
    };
    if (viscosity > 0 && speed > 0) {
        const double re = material.density * speed * size / viscosity;
        add("Re", re, reynolds_meaning(re));
    }
    if (material.surface_tension.value_or(0) > 0 && g > 0) {
        const double bo = material.density * g * size * size / *material.surface_tension;
        add("Bo", bo, bond_meaning(bo));
    }
    if (material.shear_modulus.value_or(0) > 0 && relaxation > 0 && speed > 0) {
        const double de = relaxation / (size / speed);
        add("De", de, deborah_meaning(de));
        add("Wi", relaxation * speed / size, weissenberg_meaning(relaxation * speed / size));
    }
    return numbers;
}

}  // namespace treacle
