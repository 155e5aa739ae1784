#include "render/color_map.h"

#include <algorithm>

namespace treacle {

Color ColorMap::operator()(double share) const {
    const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(stops_.size() - 1);
    const std::size_t below = std::min(static_cast<std::size_t>(place), stops_.size() - 2);
    const double rest = place - static_cast<double>(below);
    const auto channel = [&](int shift) {
        const double a = (stops_[below] >> shift) & 255u, b = (stops_[below + 1] >> shift) & 255u;
        return linear_from_srgb(static_cast<float>((a + rest * (b - a)) / 255));
    };
    return {channel(16), channel(8), channel(0)};
}

std::span<const ColorMap> color_maps() {
    static const std::vector<ColorMap> maps{
        {"viridis", false, {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725}},
        {"cividis",
         false,
         {0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173, 0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838}},
        {"plasma", false, {0x0d0887, 0x4c02a1, 0x7e03a8, 0xaa2395, 0xcc4778, 0xe66c5c, 0xf89540, 0xfdc527, 0xf0f921}},
        {"cyan", false, {0xb4f2f2, 0x66dddd, 0x22b8b8, 0x0e8686, 0x045050}},
        {"coolwarm", true, {0x3b4cc0, 0x6282ea, 0x8db0fe, 0xb8d0f9, 0xdddddd, 0xf5c4ad, 0xf49a7b, 0xde604d, 0xb40426}},
    };
    return maps;
}

const ColorMap* find_color_map(std::string_view name) {
    for (const ColorMap& map : color_maps()) {
        if (name == map.name()) return &map;
    }
    return nullptr;
}

std::vector<std::string> color_map_names() {
    std::vector<std::string> names;
    for (const ColorMap& map : color_maps()) names.emplace_back(map.name());
    return names;
}

}  // namespace treacle
