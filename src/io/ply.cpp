#include "io/ply.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/file.h"
#include "core/text.h"
#include "io/frame_columns.h"

namespace treacle {

// The first version runs on x86-64 only, so memory is little-endian and bytes are copied as they are.

namespace {

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

std::size_t ply_bytes(PlyType type) {
    constexpr std::array<std::size_t, 8> bytes{1, 1, 2, 2, 4, 4, 4, 8};
    return bytes[static_cast<std::size_t>(type)];
}

// ---------------------------------------------------------------------------------------------------- writing

struct Property {
    std::string name;
    PlyType type;
    const ColumnTable::Column* column;
    std::size_t component;
};

std::vector<Property> properties_of(const Particles& particles) {
    std::vector<Property> list;
    const auto add = [&](const char* name, PlyType type, const char* column, std::size_t component) {
        list.push_back({name, type, &require_column(particles, column), component});
    };
    add("x", PlyType::float32, "position", 0);
    add("y", PlyType::float32, "position", 1);
    add("z", PlyType::float32, "position", 2);
    add("vx", PlyType::float32, "velocity", 0);
    add("vy", PlyType::float32, "velocity", 1);
    add("vz", PlyType::float32, "velocity", 2);
    add("id", PlyType::uint32, "id", 0);
    add("material", PlyType::uint8, "material", 0);
    add("density", PlyType::float32, "density", 0);
    for (const ColumnTable::Column* column : extra_columns(particles)) {
        const auto components = component_names(column->info.shape);
        for (std::size_t c = 0; c < components.size(); ++c) {
            const std::string name =
                components.size() == 1 ? column->info.name : column->info.name + "_" + components[c];
            list.push_back({name, PlyType::float32, column, c});
        }
    }
    return list;
}

const char* type_word(PlyType type) {
    switch (type) {
        case PlyType::uint32: return "uint";
        case PlyType::uint8: return "uchar";
        default: return "float";
    }
}

std::string header_of(const Frame& frame, const std::vector<Property>& properties) {
    std::string text = "ply\nformat binary_little_endian 1.0\ncomment generator treacle\n";
    text += "comment frame " + std::to_string(frame.number) + "\n";
    text += "comment time " + number_text(frame.time) + " s\n";
    text += "comment dimension " + std::to_string(frame.dimension) + "\n";
    for (const Property& property : properties) {
        const std::string& unit = property.column->info.unit;
        if (!unit.empty()) text += "comment unit " + property.name + " " + unit + "\n";
    }
    text += "element vertex " + std::to_string(frame.id_order.size()) + "\n";
    for (const Property& property : properties) {
        text += std::string("property ") + type_word(property.type) + " " + property.name + "\n";
    }
    return text + "end_header\n";
}

// ---------------------------------------------------------------------------------------------------- reading

struct ReadProperty {
    PlyType type;
    std::string name;
};

struct Header {
    std::size_t bytes = 0;  ///< where the data begin
    std::optional<std::size_t> rows;
    std::vector<ReadProperty> properties;
    bool more_elements = false;  ///< after the vertices
    int frame = 0;
    double time = 0;
    std::unordered_map<std::string, std::string> units;
};

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    while (!line.empty()) {
        const std::size_t begin = line.find_first_not_of(" \t\r");
        if (begin == std::string_view::npos) break;
        const std::size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
        words.push_back(line.substr(begin, end - begin));
        line.remove_prefix(end);
    }
    return words;
}

template <class Number>
std::optional<Number> number_from(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<PlyType> type_from(std::string_view word) {
    constexpr std::array<std::array<std::string_view, 2>, 8> words{{{"char", "int8"},
                                                                    {"uchar", "uint8"},
                                                                    {"short", "int16"},
                                                                    {"ushort", "uint16"},
                                                                    {"int", "int32"},
                                                                    {"uint", "uint32"},
                                                                    {"float", "float32"},
                                                                    {"double", "float64"}}};
    for (std::size_t n = 0; n < words.size(); ++n) {
        if (word == words[n][0] || word == words[n][1]) return static_cast<PlyType>(n);
    }
    return std::nullopt;
}

void take_comment(Header& header, const std::vector<std::string_view>& words) {
    if (words.size() < 3) return;
    if (words[1] == "frame") header.frame = number_from<int>(words[2]).value_or(0);
    if (words[1] == "time") header.time = number_from<double>(words[2]).value_or(0);
    if (words[1] == "unit" && words.size() > 3) {
        header.units[std::string(words[2])] = std::string(words[3].data(), words.back().data() + words.back().size());
    }
}

/// Takes an "element" or "property" line; returns an error message, or nothing.
std::string take_declaration(Header& header, const std::vector<std::string_view>& words) {
    if (words[0] == "element" && words.size() == 3) {
        const auto rows = number_from<std::size_t>(words[2]);
        if (!rows) return "the number of rows \"" + std::string(words[2]) + "\" cannot be read";
        if (header.rows) header.more_elements = true;
        else if (words[1] == "vertex") header.rows = rows;
        else return "another element stands before the vertices";
        return {};
    }
    if (words[0] == "property" && header.more_elements) return {};
    if (words[0] == "property" && words.size() >= 2 && words[1] == "list")
        return "vertices with lists are not supported";
    if (words[0] == "property" && words.size() == 3 && header.rows) {
        const auto type = type_from(words[1]);
        if (!type) return "\"" + std::string(words[1]) + "\" is no type of a property";
        const bool known = std::any_of(header.properties.begin(), header.properties.end(),
                                       [&](const ReadProperty& p) { return p.name == words[2]; });
        if (known) return "the property " + std::string(words[2]) + " is there twice";
        header.properties.push_back({*type, std::string(words[2])});
        return {};
    }
    return "a line begins with \"" + std::string(words[0].substr(0, 40)) + "\", which makes no sense there";
}

/// Reads the lines up to end_header. The second value is an error message, or empty.
std::pair<Header, std::string> read_header(std::string_view file) {
    Header header;
    if (!file.starts_with("ply\n") && !file.starts_with("ply\r\n")) return {header, "it is no PLY file"};
    std::size_t position = file.find('\n') + 1;
    bool binary = false;
    for (;;) {
        const std::size_t end = file.find('\n', position);
        if (end == std::string_view::npos) return {header, "the header has no end"};
        const auto words = words_of(file.substr(position, end - position));
        position = end + 1;
        if (words.empty() || words[0] == "obj_info") continue;
        if (words[0] == "end_header") break;
        if (words[0] == "format") {
            binary = words.size() == 3 && words[1] == "binary_little_endian" && words[2] == "1.0";
            if (!binary) return {header, "only the format binary_little_endian 1.0 can be read"};
        } else if (words[0] == "comment") {
            take_comment(header, words);
        } else if (std::string problem = take_declaration(header, words); !problem.empty()) {
            return {header, problem};
        }
    }
    header.bytes = position;
    if (!binary) return {header, "the header does not say the format"};
    if (!header.rows || header.properties.empty()) return {header, "the header declares no vertices"};
    return {header, {}};
}

double load(PlyType type, const char* from) {
    const auto as = [&]<class Value>(Value value) {
        std::memcpy(&value, from, sizeof value);
        return static_cast<double>(value);
    };
    switch (type) {
        case PlyType::int8: return as(std::int8_t{});
        case PlyType::uint8: return as(std::uint8_t{});
        case PlyType::int16: return as(std::int16_t{});
        case PlyType::uint16: return as(std::uint16_t{});
        case PlyType::int32: return as(std::int32_t{});
        case PlyType::uint32: return as(std::uint32_t{});
        case PlyType::float32: return as(float{});
        case PlyType::float64: return as(double{});
    }
    return 0;
}

}  // namespace

Result<void> write_ply(const std::string& path, const Frame& frame) {
    const auto properties = properties_of(frame.particles);
    std::size_t stride = 0;
    for (const Property& property : properties) stride += ply_bytes(property.type);

    const std::string header = header_of(frame, properties);
    std::string rows;
    bool begun = false;
    std::size_t first = 0;
    // Piece by piece: for large runs the whole would be a large copy.
    return write_file_atomically(path, [&]() -> std::string_view {
        if (!std::exchange(begun, true)) return header;
        constexpr std::size_t most_rows = 65536;
        const auto ids = std::span(frame.id_order).subspan(first, std::min(most_rows, frame.id_order.size() - first));
        first += ids.size();
        rows.resize(stride * ids.size());
        char* target = rows.data();
        for (const Property& property : properties) {
            const auto gather = [&]<class Target>(Target) {
                gather_component<Target>(*property.column, property.component, ids, target, stride);
            };
            switch (property.type) {
                case PlyType::uint32: gather(std::uint32_t{}); break;
                case PlyType::uint8: gather(std::uint8_t{}); break;
                default: gather(float{}); break;
            }
            target += ply_bytes(property.type);
        }
        return rows;
    });
}

const PlyTable::Column* PlyTable::find(std::string_view name) const {
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
    return found == columns.end() ? nullptr : &*found;
}

Result<PlyTable> read_ply(const std::string& path) {
    const auto file = read_whole_file(path);
    if (!file) return tl::unexpected(file.error());
    const auto refuse = [&](const std::string& reason) {
        return fail(ExitCode::file_failed, "cannot be read: " + reason, path);
    };
    const auto [header, problem] = read_header(*file);
    if (!problem.empty()) return refuse(problem);

    std::size_t stride = 0;
    for (const ReadProperty& property : header.properties) stride += ply_bytes(property.type);
    const std::size_t available = file->size() - header.bytes;
    if (*header.rows > available / stride) {
        return refuse("it is cut short: " + std::to_string(*header.rows) + " vertices of " + std::to_string(stride) +
                      " bytes are announced and " + std::to_string(available) + " bytes are there");
    }
    if (!header.more_elements && available != *header.rows * stride) {
        return refuse("it is longer than its header says");
    }

    PlyTable table{header.frame, header.time, *header.rows, {}};
    const char* first = file->data() + header.bytes;
    for (const ReadProperty& property : header.properties) {
        PlyTable::Column column{property.name, {}, std::vector<double>(table.rows)};
        if (const auto unit = header.units.find(property.name); unit != header.units.end()) column.unit = unit->second;
        const char* from = first;
        for (double& value : column.values) {
            value = load(property.type, from);
            from += stride;
        }
        first += ply_bytes(property.type);
        table.columns.push_back(std::move(column));
    }
    return table;
}

}  // namespace treacle
