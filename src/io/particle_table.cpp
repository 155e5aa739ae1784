#include "io/particle_table.h"

#include <cstring>
#include <span>

#include "io/frame_columns.h"
#include "io/ply.h"

namespace treacle {

namespace {

template <class Target>
std::vector<Target> component(const Frame& frame, const char* name) {
    std::vector<Target> values(frame.id_order.size());
    gather_component<Target>(require_column(frame.particles, name), 0, frame.id_order,
                             reinterpret_cast<char*>(values.data()), sizeof(Target));
    return values;
}

std::vector<float> rows_of(const ColumnTable::Column& column, std::span<const std::uint32_t> order) {
    const std::size_t width = component_names(column.info.shape).size();
    std::vector<float> values(width * order.size());
    if (order.empty()) return values;  // it has no address to count from
    for (std::size_t c = 0; c < width; ++c) {
        gather_component<float>(column, c, order, reinterpret_cast<char*>(values.data() + c), width * sizeof(float));
    }
    return values;
}

std::vector<std::array<float, 3>> vectors_of(const Frame& frame, const char* name) {
    const std::vector<float> rows = rows_of(require_column(frame.particles, name), frame.id_order);
    std::vector<std::array<float, 3>> vectors(frame.id_order.size());
    if (!rows.empty()) std::memcpy(vectors.data(), rows.data(), rows.size() * sizeof(float));
    return vectors;
}

/// If the columns from `first` on are the components of one quantity of this shape, its name; otherwise nothing.
std::string common_name(const std::vector<PlyTable::Column>& columns, std::size_t first, ColumnShape shape) {
    const auto names = component_names(shape);
    if (first + names.size() > columns.size()) return {};
    const std::string& start = columns[first].name;
    const std::string ending = std::string("_") + names[0];
    if (!start.ends_with(ending) || start.size() == ending.size()) return {};
    const std::string name = start.substr(0, start.size() - ending.size());
    for (std::size_t c = 1; c < names.size(); ++c) {
        if (columns[first + c].name != name + "_" + names[c]) return {};
    }
    return name;
}

/// The columns of the method. Components of one quantity become one column.
std::vector<ParticleTable::Column> extra_of(const PlyTable& table, std::size_t first) {
    std::vector<ParticleTable::Column> extra;
    while (first < table.columns.size()) {
        ParticleTable::Column column{table.columns[first].name, table.columns[first].unit, ColumnShape::scalar, {}};
        for (const ColumnShape shape : {ColumnShape::vector, ColumnShape::symmetric_tensor}) {
            const std::string name = common_name(table.columns, first, shape);
            if (name.empty()) continue;
            column.name = name;
            column.shape = shape;
        }
        const std::size_t width = component_names(column.shape).size();
        column.values.resize(width * table.rows);
        for (std::size_t c = 0; c < width; ++c) {
            const std::vector<double>& from = table.columns[first + c].values;
            for (std::size_t n = 0; n < table.rows; ++n) column.values[n * width + c] = static_cast<float>(from[n]);
        }
        first += width;
        extra.push_back(std::move(column));
    }
    return extra;
}

std::array<float, 3> turned(const std::array<float, 3>& v) { return {v[0], -v[2], v[1]}; }

}  // namespace

float ParticleTable::size_of(std::size_t n) const {
    for (const Column& column : extra) {
        if (column.name == "size" && column.shape == ColumnShape::scalar) return column.values[n];
    }
    return 1;
}

ParticleTable particle_table(const Frame& frame) {
    ParticleTable table{frame.number,
                        frame.time,
                        vectors_of(frame, "position"),
                        vectors_of(frame, "velocity"),
                        component<std::uint32_t>(frame, "id"),
                        component<std::uint8_t>(frame, "material"),
                        component<float>(frame, "density"),
                        {}};
    for (const ColumnTable::Column* column : extra_columns(frame.particles)) {
        table.extra.push_back(
            {column->info.name, column->info.unit, column->info.shape, rows_of(*column, frame.id_order)});
    }
    return table;
}

Result<ParticleTable> read_particle_table(const std::string& path) {
    const auto ply = read_ply(path);
    if (!ply) return tl::unexpected(ply.error());
    constexpr std::array<const char*, 9> fixed{"x", "y", "z", "vx", "vy", "vz", "id", "material", "density"};
    for (std::size_t n = 0; n < fixed.size(); ++n) {
        if (n < ply->columns.size() && ply->columns[n].name == fixed[n]) continue;
        return fail(ExitCode::file_failed,
                    std::string("is not a frame of a run: its vertices should begin with the "
                                "properties x y z vx vy vz id material density, and ") +
                        fixed[n] + " is not in its place",
                    path);
    }
    ParticleTable table;
    table.frame = ply->frame;
    table.time = ply->time;
    const auto& columns = ply->columns;
    for (std::size_t n = 0; n < ply->rows; ++n) {
        const auto vector = [&](std::size_t first) {
            return std::array<float, 3>{static_cast<float>(columns[first].values[n]),
                                        static_cast<float>(columns[first + 1].values[n]),
                                        static_cast<float>(columns[first + 2].values[n])};
        };
        table.position.push_back(vector(0));
        table.velocity.push_back(vector(3));
        table.id.push_back(static_cast<std::uint32_t>(columns[6].values[n]));
        table.material.push_back(static_cast<std::uint8_t>(columns[7].values[n]));
        table.density.push_back(static_cast<float>(columns[8].values[n]));
    }
    table.extra = extra_of(*ply, fixed.size());
    return table;
}

void turn_to_z_up(ParticleTable& table) {
    for (auto& position : table.position) position = turned(position);
    for (auto& velocity : table.velocity) velocity = turned(velocity);
    for (ParticleTable::Column& column : table.extra) {
        const std::size_t width = component_names(column.shape).size();
        for (std::size_t n = 0; n < table.size(); ++n) {
            float* v = column.values.data() + n * width;
            if (column.shape == ColumnShape::vector) {
                const auto turned_vector = turned({v[0], v[1], v[2]});
                std::copy(turned_vector.begin(), turned_vector.end(), v);
            } else if (column.shape == ColumnShape::symmetric_tensor) {
                // xx xy xz yy yz zz, with y' = -z and z' = y
                const std::array<float, 6> t{v[0], -v[2], v[1], v[5], -v[4], v[3]};
                std::copy(t.begin(), t.end(), v);
            }
        }
    }
}

}  // namespace treacle
