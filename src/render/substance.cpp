#include "render/substance.h"

#include <algorithm>
#include <cmath>

namespace treacle {

const std::vector<std::string>& look_names() {
    static const std::vector<std::string> names{"plain", "honey", "cream", "slime", "clay", "water"};
    return names;
}

std::optional<Look> parse_look(std::string_view name) {
    const auto& names = look_names();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<Look>(found - names.begin());
}

bool is_clear(Look look) { return look == Look::honey || look == Look::slime || look == Look::water; }

Substance clear_substance(Look look, Color color, double depth) {
    const float per_depth = 1 / static_cast<float>(depth);
    Substance result;
    result.clear = true;
    result.refraction = look == Look::honey ? 1.49f : look == Look::slime ? 1.36f : 1.33f;
    result.scattering = per_depth * (look == Look::honey ? 0.03f : look == Look::slime ? 1.6f : 0.0f);
    // Nothing is quite black: even pure colors let a little of the others through.
    for (int c = 0; c < 3; ++c) result.absorption[c] = -std::log(std::clamp(color[c], 0.01f, 0.995f)) * per_depth;
    return result;
}

Substance opaque_substance(Look look, double depth) {
    Substance result;
    switch (look) {
        case Look::plain: break;
        case Look::honey:
        case Look::slime:
        case Look::water:
            result.roughness = 0.1f;
            result.wrap = 0.3f;
            result.soft_depth = 0.15f * static_cast<float>(depth);
            break;
        case Look::cream:
            result.mirrored = 0.03f;
            result.roughness = 0.45f;
            result.wrap = 0.5f;
            result.soft_depth = 0.3f * static_cast<float>(depth);
            break;
        case Look::clay: result.mirrored = 0; break;
    }
    return result;
}

}  // namespace treacle
