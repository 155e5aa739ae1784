#pragma once

#include <string>
#include <vector>

#include "methods/method.h"

namespace treacle {

/// A dimensionless number of a scene and what it says. Two scenes with the same numbers look the same.
struct Similarity {
    std::string name;      ///< "Re (honey)"
    double value;
    std::string meaning;   ///< one sentence
};

/// Re, Bo, De and Wi of a material in the scene, as far as its parameters define them. Length is the height of the
/// fluid, speed what it reaches by falling or is given.
std::vector<Similarity> similarity_numbers(const Material& material, const MethodInput& input);

}  // namespace treacle
