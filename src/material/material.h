#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "material/property_function.h"

namespace treacle {

/// The look of a material in pictures.
enum class MaterialLook { plain, honey, cream, slime, clay, water };

/// A fluid in SI units, as every method understands it, with an object of extra coefficients per method.
/// Each method maps the keys that it can represent and warns of the others.
struct Material {
    std::string name;
    double density = 1000;                       ///< kg/m³
    std::optional<double> viscosity;             ///< Pa·s, the Newtonian part
    std::optional<double> shear_modulus;         ///< Pa
    std::optional<double> relaxation_time;       ///< s; absent = never relaxes
    std::optional<double> yield_stress;          ///< Pa
    std::optional<double> surface_tension;       ///< N/m
    std::optional<double> thermal_conductivity;  ///< W/(m K); absent = insulates
    std::optional<double> heat_capacity;         ///< J/(kg K)
    std::string color = "#d08a28";
    MaterialLook look = MaterialLook::plain;
    std::optional<double> look_depth;  ///< m of clear material that give it its color; absent: fits the picture

    std::map<std::string, ParameterObject> by_method;  ///< keyed by method id; filled for every known method

    /// Properties that are not constant. Their members above hold the greatest value, so that bounds made of them hold.
    std::vector<PropertyFunction> functions;
    const PropertyFunction* function(std::string_view key) const;  ///< null: a constant
    PropertyValue property(std::string_view key, double constant) const;

    /// Newtonian: viscosity is all the stress that it has in shear.
    bool newtonian() const { return viscosity.value_or(0) > 0 && !(shear_modulus.value_or(0) > 0); }

    /// Pa·s, of slow and lasting flow: η + G λ; infinite if a stress can rest in it.
    double steady_viscosity() const;

    std::string pointer(std::string_view key) const;  ///< JSON pointer to one of its keys
};

/// Declares the SI keys above.
const ParameterTable& material_table();

}  // namespace treacle
