#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render/picture.h"

namespace treacle {

/// Optical properties of a material. Lengths are in m.
struct Substance {
    // Opaque: light that is not reflected at the surface leaves it in all directions, with the color of the surface.
    float mirrored = 0.04f;   ///< share reflected at perpendicular incidence; more at grazing angles
    float roughness = 0.25f;  ///< of the mirror, 0 to 1
    float wrap = 0;           ///< 0 to 1: how far light goes around the edge, as in translucent materials
    float soft_depth = 0;     ///< objects closer than this cast no shadow

    // Clear: light is refracted at the surface and weakened on its way (Beer-Lambert); some of it is scattered.
    bool clear = false;
    float refraction = 1.5f;  ///< index
    Color absorption{};       ///< 1/m
    float scattering = 0;     ///< 1/m
};

/// The looks of materials, by the names in scenes.
enum class Look { plain, honey, cream, slime, clay, water };

const std::vector<std::string>& look_names();
std::optional<Look> parse_look(std::string_view name);

/// `color` is the rest of white light behind `depth` meters of a clear look.
Substance clear_substance(Look look, Color color, double depth);

/// The same look on a heap of balls, or on a surface whose colors mean numbers: it is opaque. Honey, slime and water
/// keep their gloss, cream its soft shadows.
Substance opaque_substance(Look look, double depth);

/// Whether a surface with this look is transparent.
bool is_clear(Look look);

}  // namespace treacle
