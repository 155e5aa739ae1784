#include "pictures/particle_colors.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.h"

namespace treacle {

namespace {

/// The columns of a vector's components, if the table has them.
std::optional<std::array<const PlyTable::Column*, 3>> components_of(const PlyTable& table, const std::string& name) {
    const bool velocity = name == "speed" || name == "velocity";
    std::array<const PlyTable::Column*, 3> found{};
    constexpr std::array<const char*, 3> axes{"x", "y", "z"};
    for (std::size_t n = 0; n < 3; ++n) {
        found[n] = table.find(velocity ? std::string("v") + axes[n] : name + "_" + axes[n]);
        if (!found[n]) return std::nullopt;
    }
    return found;
}

struct Values {
    std::string unit;
    std::vector<double> numbers;
};

std::optional<Values> values_of(const PlyTable& table, const std::string& name) {
    if (const PlyTable::Column* column = table.find(name)) return Values{column->unit, column->values};
    const auto components = components_of(table, name);
    if (!components) return std::nullopt;
    Values result{components->front()->unit, {}};
    for (std::size_t i = 0; i < table.rows; ++i) {
        const auto& [x, y, z] = *components;
        result.numbers.push_back(length(Vec3d{x->values[i], y->values[i], z->values[i]}));
    }
    return result;
}

/// The end of a sentence about an unknown word.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
    const std::string near = nearest_word(word, known);
    return near.empty() ? "." : "; did you mean " + in_quotes(near) + "?";
}

tl::unexpected<Error> unknown_column(const std::string& name, const PlyTable& table) {
    const std::vector<std::string> known = colorable_columns(table);
    return fail(ExitCode::wrong_input, "--color: there is no column " + in_quotes(name) + did_you_mean(name, known) +
                                           " The frames have " + list_text(known));
}

/// Sorted, without NaN.
std::vector<double> all_values(const std::string& name, std::span<const PlyTable* const> frames) {
    std::vector<double> all;
    for (const PlyTable* frame : frames) {
        const auto values = values_of(*frame, name);
        if (!values) continue;
        for (const double value : values->numbers) {
            if (std::isfinite(value)) all.push_back(value);
        }
    }
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace

std::vector<std::string> colorable_columns(const PlyTable& table) {
    std::vector<std::string> names{"material"};
    if (components_of(table, "speed")) names.emplace_back("speed");
    for (const PlyTable::Column& column : table.columns) {
        if (column.name == "material") continue;
        if (column.name.ends_with("_x")) {
            const std::string vector = column.name.substr(0, column.name.size() - 2);
            if (components_of(table, vector)) names.push_back(vector);
        }
        names.push_back(column.name);
    }
    return names;
}

Result<Coloring> choose_coloring(const ColorRequest& request, std::span<const PlyTable* const> frames) {
    Coloring coloring;
    coloring.bar.map = find_color_map(request.map);
    if (!coloring.bar.map) {
        const auto known = color_map_names();
        return fail(ExitCode::wrong_input, "--map: there is no color map " + in_quotes(request.map) +
                                               did_you_mean(request.map, known) + " There are " + list_text(known));
    }
    if (request.column == "material") return coloring;
    const auto first = values_of(*frames.front(), request.column);
    if (!first) return unknown_column(request.column, *frames.front());
    coloring.column = request.column;
    coloring.bar.title = request.column;
    coloring.bar.unit = first->unit;
    const std::vector<double> all = all_values(request.column, frames);
    if (request.range) {
        std::tie(coloring.bar.low, coloring.bar.high) = *request.range;
    } else if (!all.empty()) {
        const std::size_t outside = all.size() / 200;
        coloring.bar.low = all[outside];
        coloring.bar.high = all[all.size() - 1 - outside];
        if (coloring.bar.map->diverging() && coloring.bar.low < 0 && coloring.bar.high > 0) {
            coloring.bar.high = std::max(-coloring.bar.low, coloring.bar.high);
            coloring.bar.low = -coloring.bar.high;
        }
        if (coloring.bar.low == coloring.bar.high) {  // all the same: a bar around the value
            const double around = coloring.bar.low == 0 ? 1 : 0.01 * std::abs(coloring.bar.low);
            coloring.bar.low -= around;
            coloring.bar.high += around;
        }
    }
    coloring.bar.values_below = !all.empty() && all.front() < coloring.bar.low;
    coloring.bar.values_above = !all.empty() && all.back() > coloring.bar.high;
    return coloring;
}

std::vector<Color> particle_colors(const Coloring& coloring, const std::vector<PicturedMaterial>& materials,
                                   const PlyTable& table) {
    constexpr Color gray{0.3f, 0.3f, 0.3f};
    std::vector<Color> colors(table.rows, gray);
    if (coloring.column.empty()) {
        const PlyTable::Column* material = table.find("material");
        for (std::size_t i = 0; material && i < table.rows; ++i) {
            const auto index = static_cast<std::size_t>(material->values[i]);
            if (index < materials.size()) colors[i] = materials[index].color;
        }
        return colors;
    }
    const auto values = values_of(table, coloring.column);
    for (std::size_t i = 0; values && i < table.rows; ++i) {
        const double share = (values->numbers[i] - coloring.bar.low) / (coloring.bar.high - coloring.bar.low);
        if (std::isfinite(share)) colors[i] = (*coloring.bar.map)(share);
    }
    return colors;
}

}  // namespace treacle
