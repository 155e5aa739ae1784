#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render/picture.h"

namespace treacle {

/// How a material deals with light. Lengths are in m.
struct Substance {
    // Opaque: light that is not mirrored at the surface leaves it in all directions, with the color of the surface.
    float mirrored = 0.04f;   ///< share that is mirrored when one looks straight at it; more at grazing angles
    float roughness = 0.25f;  ///< of the mirror, 0 to 1
    float wrap = 0;           ///< 0 to 1: how far around its edge light goes, as in what lets some of it through
    float soft_depth = 0;     ///< what is closer than this casts no shadow

    // Clear: light is bent at the surface and weakened on its way (Beer-Lambert); some of it is scattered.
    bool clear = false;
    float refraction = 1.5f;  ///< index
    Color absorption{};       ///< 1/m
    float scattering = 0;     ///< 1/m
};

/// What a material looks like, as scenes name it.
enum class Look { plain, honey, cream, slime, clay, water };

const std::vector<std::string>& look_names();
std::optional<Look> parse_look(std::string_view name);

/// `color` is what is left of white light behind `depth` meters of a clear look.
Substance clear_substance(Look look, Color color, double depth);

/// The same look on a heap of balls, or on a surface whose colors mean numbers: nothing shines through. Honey, slime
/// and water keep their gloss, cream its soft shadows.
Substance opaque_substance(Look look, double depth);

/// Whether one sees into it when it has a surface.
bool is_clear(Look look);

}  // namespace treacle
