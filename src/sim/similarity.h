#pragma once

#include <string>
#include <vector>

#include "methods/method.h"

namespace treacle {

/// A dimensionless number of a scene and what it says. Two scenes with the same numbers look the same.
struct Similarity {
    std::string name;  ///< "Re (honey)"
    double value;
    std::string meaning;  ///< one sentence
};

/// viscosity + shear_modulus · relaxation_time, Pa·s.
double steady_viscosity(const Material& material);

/// An ordinary fluid and the size at which it moves as the fluid of the scene does.
struct LookAlike {
    std::string fluid;  ///< "honey"
    double size = 0;    ///< m
};

/// The kitchen fluid for which that size is closest to the size of a jar.
LookAlike look_alike(double size, double kinematic_viscosity);

/// Pa·s with which fluid of this size and density moves like a jar (0.1 m) of honey.
double viscosity_like_honey(double size, double density);

/// The sentence that tells both; empty for a fluid without viscosity.
std::string look_alike_text(const Material& material, const MethodInput& input);

/// Re, Bo, De and Wi of a material in the scene, as far as its parameters define them. Length is the height of the
/// fluid, speed what it reaches by falling or is given.
std::vector<Similarity> similarity_numbers(const Material& material, const MethodInput& input);

}  // namespace treacle
