#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/picture.h"

namespace treacle {

/// Turns a share from 0 to 1 into a color by linear interpolation between a few colors at equal distances.
class ColorMap {
public:
    ColorMap(const char* name, bool diverging, std::vector<std::uint32_t> stops)
        : name_(name), diverging_(diverging), stops_(std::move(stops)) {}

    const char* name() const { return name_; }

    /// Whether two hues meet in the middle: the middle of the range should mean something, such as zero.
    bool diverging() const { return diverging_; }

    /// Shares outside 0 to 1 get the color of the nearer end.
    Color operator()(double share) const;

private:
    const char* name_;
    bool diverging_;
    std::vector<std::uint32_t> stops_;  ///< 0xrrggbb
};

/// viridis, cividis and plasma get lighter all the way, so they also work in gray and for the color-blind;
/// cyan gets darker, as papers draw a coefficient that fades; coolwarm is diverging.
std::span<const ColorMap> color_maps();

/// Null if there is none of this name.
const ColorMap* find_color_map(std::string_view name);

std::vector<std::string> color_map_names();

}  // namespace treacle
