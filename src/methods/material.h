#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/parameters.h"

namespace treacle {

/// A fluid in SI units, as every method understands it, with an object of extra coefficients per method.
/// Each method maps what it can and warns, by key, of what it cannot represent.
struct Material {
    std::string name;
    double density = 1000;                    ///< kg/m³
    std::optional<double> viscosity;          ///< Pa·s, the Newtonian part
    std::optional<double> shear_modulus;      ///< Pa
    std::optional<double> relaxation_time;    ///< s; absent = never relaxes
    std::optional<double> yield_stress;       ///< Pa
    std::optional<double> surface_tension;    ///< N/m
    std::string color = "#d08a28";

    std::map<std::string, ParameterObject> by_method;   ///< keyed by method id; filled for every known method
};

/// Declares the SI keys above.
const ParameterTable& material_table();

}  // namespace treacle
