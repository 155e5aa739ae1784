#include "material/material.h"

#include <algorithm>
#include <limits>

#include "core/json.h"

namespace treacle {

const PropertyFunction* Material::function(std::string_view key) const {
    const auto found =
        std::find_if(functions.begin(), functions.end(), [&](const PropertyFunction& f) { return f.key == key; });
    return found == functions.end() ? nullptr : &*found;
}

PropertyValue Material::property(std::string_view key, double constant) const {
    const PropertyFunction* varying = function(key);
    return varying ? PropertyValue{constant, *varying} : PropertyValue{constant};
}

double Material::steady_viscosity() const {
    if (!(shear_modulus.value_or(0) > 0)) return viscosity.value_or(0);
    if (!relaxation_time || yield_stress.value_or(0) > 0) return std::numeric_limits<double>::infinity();
    return viscosity.value_or(0) + *shear_modulus * *relaxation_time;
}

std::string Material::pointer(std::string_view key) const {
    return "/materials/" + pointer_token(name) + "/" + std::string(key);
}

const ParameterTable& material_table() {
    static const ParameterTable table =
        ParameterTable("material")
            .add("density", &Material::density,
                 {.unit = "kg/m³", .low = 1e-3, .high = 1e5, .doc = "Mass per volume at rest."})
            .add("viscosity", &Material::viscosity,
                 {.symbol = "η",
                  .unit = "Pa·s",
                  .low = 0,
                  .high = 1e6,
                  .live = true,
                  .varies = true,
                  .doc = "Newtonian part of the viscosity; water 0.001, honey about 10."})
            .add("shear_modulus", &Material::shear_modulus,
                 {.symbol = "G",
                  .unit = "Pa",
                  .low = 0,
                  .high = 1e9,
                  .live = true,
                  .varies = true,
                  .doc = "Elastic resistance to a change of shape."})
            .add("relaxation_time", &Material::relaxation_time,
                 {.symbol = "λ",
                  .unit = "s",
                  .low = 0,
                  .high = 1e9,
                  .low_open = true,
                  .live = true,
                  .varies = true,
                  .doc = "Time in which elastic stress decays to 1/e; absent: it never does."})
            .add("yield_stress", &Material::yield_stress,
                 {.unit = "Pa",
                  .low = 0,
                  .high = 1e9,
                  .live = true,
                  .varies = true,
                  .doc = "Stress below which elastic deformation does not relax."})
            .add("surface_tension", &Material::surface_tension,
                 {.symbol = "σ",
                  .unit = "N/m",
                  .low = 0,
                  .high = 100,
                  .live = true,
                  .doc = "Tension of the free surface; water 0.072."})
            .add("thermal_conductivity", &Material::thermal_conductivity,
                 {.unit = "W/(m·K)",
                  .low = 0,
                  .high = 1e4,
                  .doc = "How well it conducts heat; water 0.6, sugar and wax about 0.2; absent: not at all."})
            .add("heat_capacity", &Material::heat_capacity,
                 {.unit = "J/(kg·K)",
                  .low = 1,
                  .high = 1e6,
                  .doc = "Heat that warms a kilogram by a degree; water 4200, wax about 2000."})
            .add("color", &Material::color, {.doc = "Color in pictures, \"#rrggbb\"."})
            .add("look", &Material::look,
                 {.choices = {"plain", "honey", "cream", "slime", "clay", "water"},
                  .doc =
                      "What it looks like in pictures: glossy; clear and amber; soft; milky and clear; matt; clear."})
            .add("look_depth", &Material::look_depth,
                 {.unit = "m",
                  .low = 0,
                  .high = 1e6,
                  .low_open = true,
                  .doc = "White light has the color behind this much of a clear look; absent: a tenth of the fluid's "
                         "size."});
    return table;
}

}  // namespace treacle
