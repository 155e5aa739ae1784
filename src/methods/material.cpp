#include "methods/material.h"

namespace treacle {

const ParameterTable& material_table() {
    static const ParameterTable table = ParameterTable("material")
        .add("density", &Material::density,
             {.unit = "kg/m³", .low = 1e-3, .high = 1e5, .doc = "Mass per volume at rest."})
        .add("viscosity", &Material::viscosity,
             {.symbol = "η", .unit = "Pa·s", .low = 0, .high = 1e6, .live = true,
              .doc = "Newtonian part of the viscosity; water 0.001, honey about 10."})
        .add("shear_modulus", &Material::shear_modulus,
             {.symbol = "G", .unit = "Pa", .low = 0, .high = 1e9, .live = true,
              .doc = "Elastic resistance to a change of shape."})
        .add("relaxation_time", &Material::relaxation_time,
             {.symbol = "λ", .unit = "s", .low = 0, .high = 1e9, .low_open = true, .live = true,
              .doc = "Time in which elastic stress decays to 1/e; absent: it never does."})
        .add("yield_stress", &Material::yield_stress,
             {.unit = "Pa", .low = 0, .high = 1e9, .live = true,
              .doc = "Stress below which elastic deformation does not relax."})
        .add("surface_tension", &Material::surface_tension,
             {.symbol = "σ", .unit = "N/m", .low = 0, .high = 100, .live = true,
              .doc = "Tension of the free surface; water 0.072."})
        .add("color", &Material::color, {.doc = "Color in pictures, \"#rrggbb\"."});
    return table;
}

}  // namespace treacle
