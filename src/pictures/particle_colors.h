#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "io/ply.h"
#include "render/overlay.h"
#include "pictures/run_description.h"

namespace treacle {

/// Options of the user.
struct ColorRequest {
    std::string column = "material";
    std::string map = "viridis";
    std::optional<std::pair<double, double>> range;
};

/// How particles get their colors, the same for all frames of a clip.
struct Coloring {
    std::string column;  ///< empty: the color of the material
    ColorBar bar;        ///< meaning of the colors of a column
};

/// Columns of a frame that colors can show: those of the file, `speed`, and the length of every vector under the name
/// of the vector.
std::vector<std::string> colorable_columns(const PlyTable& table);

/// If the user gives no range, the colors span all but the outermost 0.5 % of the values at either end, over all
/// frames. An unknown column or map is wrong input.
Result<Coloring> choose_coloring(const ColorRequest& request, std::span<const PlyTable* const> frames);

/// One color per particle. NaN is gray.
std::vector<Color> particle_colors(const Coloring& coloring, const std::vector<PicturedMaterial>& materials,
                                   const PlyTable& table);

}  // namespace treacle
