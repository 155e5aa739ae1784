#include "sim/similarity.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"

namespace treacle {

double steady_viscosity(const Material& material) {
    return material.viscosity.value_or(0) + material.shear_modulus.value_or(0) * material.relaxation_time.value_or(0);
}

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

/// The height of the fluid, or of its fall if all of it is emitted.
double size_of(const MethodInput& input) {
    return std::max(input.fluid_height > 0 ? input.fluid_height : input.fall_height, input.spacing);
}

struct KitchenFluid {
    const char* name;
    double kinematic_viscosity;  ///< m²/s at room temperature
};

/// Ordinary fluids with handbook values: 1.0 mPa·s, 84 mPa·s, 1.41 Pa·s and 7 Pa·s by their densities.
constexpr KitchenFluid kitchen_fluids[] = {
    {"water", 1.0e-6}, {"olive oil", 9.2e-5}, {"glycerin", 1.12e-3}, {"honey", 5.0e-3}};
constexpr double kitchen_size = 0.1;  // m, a jar

std::string length_text(double meters) {
    if (meters >= 1) return digits_text(meters, 2) + " m";
    if (meters >= 0.01) return digits_text(100 * meters, 2) + " cm";
    return digits_text(1000 * meters, 2) + " mm";
}

}  // namespace

/// Under the same gravity, flows with equal Re look alike when sizes go as ν^(2/3), times as ν^(1/3).
LookAlike look_alike(double size, double kinematic_viscosity) {
    LookAlike nearest;
    for (const KitchenFluid& fluid : kitchen_fluids) {
        const double alike = size * std::pow(fluid.kinematic_viscosity / kinematic_viscosity, 2.0 / 3);
        const auto off = [](double length) { return std::abs(std::log(length / kitchen_size)); };
        if (nearest.fluid.empty() || off(alike) < off(nearest.size)) nearest = {fluid.name, alike};
    }
    return nearest;
}

double viscosity_like_honey(double size, double density) {
    const double honey = kitchen_fluids[3].kinematic_viscosity;
    return density * honey * std::pow(size / kitchen_size, 1.5);
}

std::string look_alike_text(const Material& material, const MethodInput& input) {
    if (!(steady_viscosity(material) > 0) || !(length(input.gravity) > 0)) return {};
    const double size = size_of(input);
    const LookAlike alike = look_alike(size, steady_viscosity(material) / material.density);
    return material.name + " of this size (" + length_text(size) + ") behaves like " + length_text(alike.size) +
           " of " + alike.fluid + "; to behave like " + length_text(kitchen_size) +
           " of honey its viscosity would be " + digits_text(viscosity_like_honey(size, material.density), 3) + " Pa·s";
}

std::vector<Similarity> similarity_numbers(const Material& material, const MethodInput& input) {
    std::vector<Similarity> numbers;
    const double g = length(input.gravity);
    const double size = size_of(input);
    const double speed = std::max({input.speed, std::sqrt(2 * g * input.fall_height), std::sqrt(g * size)});
    const double relaxation = material.relaxation_time.value_or(0);
    const double viscosity = steady_viscosity(material);
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
