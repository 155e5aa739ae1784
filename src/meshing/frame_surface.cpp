#include "meshing/frame_surface.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.h"
#include "io/export_run.h"

namespace treacle {

namespace {

/// Whether a column can be added to vertices: neither the position nor one that the surface has anyway.
bool is_further_column(const std::string& name) {
    constexpr std::array taken{"x", "y", "z", "vx", "vy", "vz", "material"};
    return std::find(taken.begin(), taken.end(), name) == taken.end();
}

/// "stress" for stress_xx, else the name itself.
std::string family_of(const std::string& name) {
    const std::size_t bar = name.rfind('_');
    const bool component = bar != std::string::npos && bar + 1 < name.size() &&
                           name.find_first_not_of("xyz", bar + 1) == std::string::npos;
    return component ? name.substr(0, bar) : name;
}

Result<std::vector<const PlyTable::Column*>> find_columns(const PlyTable& table,
                                                          const std::vector<std::string>& names) {
    std::vector<const PlyTable::Column*> found;
    for (const std::string& name : names) {
        const std::size_t before = found.size();
        for (const PlyTable::Column& column : table.columns) {
            const bool meant = column.name == name || family_of(column.name) == name;
            if (meant && is_further_column(column.name)) found.push_back(&column);
        }
        if (found.size() > before) continue;
        std::vector<std::string> candidates;
        for (const PlyTable::Column& column : table.columns) {
            if (is_further_column(column.name)) candidates.push_back(column.name);
        }
        return fail(ExitCode::wrong_input, "--columns: there is no " + in_quotes(name) +
                                               did_you_mean(name, candidates) + " The columns are " +
                                               list_text(candidates));
    }
    return found;
}

}  // namespace

std::vector<float> particle_sizes(const PlyTable& table) {
    std::vector<float> sizes;
    const PlyTable::Column* column = table.find("size");
    for (std::size_t i = 0; column && i < table.rows; ++i) {
        const auto size = static_cast<float>(column->values[i]);
        sizes.push_back(size >= 0.01f ? std::min(size, 1.0f) : 0.01f);  // also for NaN
    }
    return sizes;
}

Result<SurfaceParticles> surface_particles(const PlyTable& table, const std::vector<RunRecord::Material>& known,
                                           const std::vector<std::string>& columns, std::optional<int> material) {
    std::array<const PlyTable::Column*, 7> basic;
    constexpr std::array names{"x", "y", "z", "vx", "vy", "vz", "material"};
    for (std::size_t n = 0; n < names.size(); ++n) {
        basic[n] = table.find(names[n]);
        if (!basic[n]) return fail(ExitCode::file_failed, std::string("the frame has no column ") + names[n]);
    }
    const auto further = find_columns(table, columns);
    if (!further) return tl::unexpected(further.error());

    const std::vector<double>& materials = basic[6]->values;
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < table.rows; ++i) {
        if (!material || materials[i] == *material) rows.push_back(i);
    }
    SurfaceParticles particles;
    const std::vector<float> sizes = particle_sizes(table);
    for (const std::size_t i : rows) {
        const auto at = [&](std::size_t n) { return static_cast<float>(basic[n]->values[i]); };
        particles.positions.push_back({at(0), at(1), at(2)});
        if (!sizes.empty()) particles.sizes.push_back(sizes[i]);
    }
    const auto add = [&](const std::string& name, const std::string& unit, const auto& value) -> SurfaceColumn& {
        SurfaceColumn& column = particles.columns.emplace_back(SurfaceColumn{name, unit, {}});
        for (const std::size_t i : rows) column.values.push_back(static_cast<float>(value(i)));
        return column;
    };
    for (std::size_t n = 3; n < 6; ++n) add(names[n], "m/s", [&](std::size_t i) { return basic[n]->values[i]; });
    std::vector<std::array<float, 3>> colors;
    for (const RunRecord::Material& one : known) colors.push_back(material_color(one.color));
    constexpr std::array channels{"red", "green", "blue"};
    for (std::size_t channel = 0; channel < channels.size(); ++channel) {
        add(channels[channel], {}, [&](std::size_t i) {
            const auto m = static_cast<std::size_t>(materials[i]);
            return m < colors.size() ? std::round(255 * colors[m][channel]) : 128.0f;
        }).byte = true;
    }
    SurfaceColumn& number = add("material", {}, [&](std::size_t i) { return materials[i]; });
    number.byte = true;
    number.inherit = SurfaceColumn::Inherit::nearest;
    for (const PlyTable::Column* column : *further) {
        SurfaceColumn& taken = add(column->name, column->unit, [&](std::size_t i) { return column->values[i]; });
        if (column->name == "id") taken.inherit = SurfaceColumn::Inherit::nearest;
    }
    return particles;
}

}  // namespace treacle
