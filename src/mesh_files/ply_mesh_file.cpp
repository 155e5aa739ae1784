#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "mesh_files/mesh_text.h"

namespace treacle::mesh_text {

namespace {

enum class Type { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

std::optional<Type> type_from(std::string_view word) {
    constexpr std::array<std::pair<std::string_view, Type>, 16> names{{{"char", Type::int8},
                                                                       {"uchar", Type::uint8},
                                                                       {"short", Type::int16},
                                                                       {"ushort", Type::uint16},
                                                                       {"int", Type::int32},
                                                                       {"uint", Type::uint32},
                                                                       {"float", Type::float32},
                                                                       {"double", Type::float64},
                                                                       {"int8", Type::int8},
                                                                       {"uint8", Type::uint8},
                                                                       {"int16", Type::int16},
                                                                       {"uint16", Type::uint16},
                                                                       {"int32", Type::int32},
                                                                       {"uint32", Type::uint32},
                                                                       {"float32", Type::float32},
                                                                       {"float64", Type::float64}}};
    for (const auto& [name, type] : names) {
        if (name == word) return type;
    }
    return std::nullopt;
}

struct Property {
    std::string name;
    Type type;
    std::optional<Type> count_type{};  ///< of a list
};

struct Element {
    std::string name;
    std::size_t rows;
    std::vector<Property> properties{};
};

enum class Encoding { ascii, little_endian, big_endian };

struct Header {
    Encoding encoding = Encoding::ascii;
    std::vector<Element> elements;
    std::size_t size = 0;  ///< bytes
    int lines = 0;
};

Result<Header> read_header(std::string_view bytes, const std::string& path) {
    Header header;
    Lines lines(bytes);
    std::string_view line;
    const auto wrong = [&](const std::string& what) { return wrong_line(path, lines.number(), what); };
    if (!lines.next(line) || line != "ply") return wrong("a PLY file must begin with a line \"ply\"");
    bool format_known = false;
    while (lines.next(line)) {
        const std::string_view word = next_word(line);
        if (word == "end_header") {
            if (!format_known) return wrong("the header does not tell the format");
            header.size = std::min(lines.position(), bytes.size());
            header.lines = lines.number();
            return header;
        }
        if (word == "format") {
            const std::string_view format = next_word(line);
            format_known = format == "ascii" || format == "binary_little_endian" || format == "binary_big_endian";
            if (!format_known) return wrong("the format must be ascii, binary_little_endian or binary_big_endian");
            header.encoding = format == "ascii"                  ? Encoding::ascii
                              : format == "binary_little_endian" ? Encoding::little_endian
                                                                 : Encoding::big_endian;
        } else if (word == "element") {
            const std::string name(next_word(line));
            const auto rows = number_from<std::size_t>(next_word(line));
            // A row takes a byte at least: more rows than bytes are a damaged number.
            if (!rows || *rows > bytes.size())
                return wrong("an element must have a name and a number of rows that the file can hold");
            header.elements.push_back({name, *rows});
        } else if (word == "property") {
            if (header.elements.empty()) return wrong("a property must belong to an element");
            std::string_view type = next_word(line);
            Property property{{}, Type::int8, {}};
            if (type == "list") {
                property.count_type = type_from(next_word(line));
                if (!property.count_type) return wrong("the count of a list must have a type");
                type = next_word(line);
            }
            const auto known = type_from(type);
            property.name = next_word(line);
            if (!known || property.name.empty()) return wrong("a property must have a type and a name");
            property.type = *known;
            header.elements.back().properties.push_back(property);
        }
    }
    return wrong("the file ends within its header");
}

/// The numbers after the header, one by one.
class Values {
public:
    Values(std::string_view bytes, const Header& header)
        : bytes_(bytes), encoding_(header.encoding), at_(header.size), line_(header.lines + 1) {}

    std::optional<double> next(Type type) {
        return encoding_ == Encoding::ascii ? next_word_number() : next_binary(type);
    }
    std::string place() const {
        return encoding_ == Encoding::ascii ? "line " + std::to_string(line_) : "byte " + std::to_string(at_);
    }
    std::size_t left() const { return bytes_.size() - at_; }

private:
    std::optional<double> next_word_number() {
        while (at_ < bytes_.size() && std::string_view(" \t\r\n").find(bytes_[at_]) != std::string_view::npos) {
            if (bytes_[at_++] == '\n') ++line_;
        }
        const std::size_t end = std::min(bytes_.find_first_of(" \t\r\n", at_), bytes_.size());
        const auto number = number_from<double>(bytes_.substr(at_, end - at_));
        if (number) at_ = end;
        return number;
    }

    template <class Number>
    std::optional<double> number() {
        if (left() < sizeof(Number)) return std::nullopt;
        std::array<char, sizeof(Number)> raw;
        std::memcpy(raw.data(), bytes_.data() + at_, sizeof(Number));
        if (encoding_ == Encoding::big_endian) std::reverse(raw.begin(), raw.end());
        Number value{};
        std::memcpy(&value, raw.data(), sizeof(Number));
        at_ += sizeof(Number);
        return static_cast<double>(value);
    }

    std::optional<double> next_binary(Type type) {
        switch (type) {
            case Type::int8: return number<std::int8_t>();
            case Type::uint8: return number<std::uint8_t>();
            case Type::int16: return number<std::int16_t>();
            case Type::uint16: return number<std::uint16_t>();
            case Type::int32: return number<std::int32_t>();
            case Type::uint32: return number<std::uint32_t>();
            case Type::float32: return number<float>();
            case Type::float64: return number<double>();
        }
        return std::nullopt;
    }

    std::string_view bytes_;
    Encoding encoding_;
    std::size_t at_;
    int line_;
};

/// Reads one row and adds its corners and faces to the mesh. Returns an error message, or nothing.
std::string read_row(const Element& element, std::size_t vertices, Values& values, TriangleMesh& mesh,
                     std::vector<std::uint32_t>& face) {
    Vec3d point{};
    for (const Property& property : element.properties) {
        const bool corners =
            element.name == "face" && (property.name == "vertex_indices" || property.name == "vertex_index");
        const auto count = property.count_type ? values.next(*property.count_type) : 1.0;
        if (!count || !(*count >= 0) || *count > static_cast<double>(values.left()))
            return "the file ends too early or holds no number";
        face.clear();
        for (double n = 0; n < *count; ++n) {
            const auto value = values.next(property.type);
            if (!value) return "the file ends too early or holds no number";
            const int axis = property.name == "x" ? 0 : property.name == "y" ? 1 : property.name == "z" ? 2 : 3;
            if (element.name == "vertex" && axis < 3) {
                if (!std::isfinite(*value)) return "a vertex is not finite";
                point[axis] = *value;
            } else if (corners) {
                if (!(*value >= 0) || *value >= static_cast<double>(vertices)) {
                    return "a face names a vertex that is not there; there are " + std::to_string(vertices);
                }
                face.push_back(static_cast<std::uint32_t>(*value));
            }
        }
        if (corners) add_fan(mesh, face);
    }
    if (element.name == "vertex") mesh.vertices.push_back(point);
    return {};
}

}  // namespace

Result<TriangleMesh> read_ply(std::string_view bytes, const std::string& path) {
    const auto header = read_header(bytes, path);
    if (!header) return tl::unexpected(header.error());
    std::size_t vertices = 0;
    for (const Element& element : header->elements) {
        if (element.name == "vertex") vertices = element.rows;
    }
    if (vertices > most_corners) return wrong_line(path, 1, "there are too many vertices");
    TriangleMesh mesh;
    std::vector<std::uint32_t> face;
    Values values(bytes, *header);
    for (const Element& element : header->elements) {
        if (element.properties.empty()) continue;
        for (std::size_t row = 0; row < element.rows; ++row) {
            const std::string wrong = read_row(element, vertices, values, mesh, face);
            if (!wrong.empty()) return fail(ExitCode::wrong_input, values.place() + ": " + wrong, path);
        }
    }
    if (mesh.vertices.size() != vertices) return wrong_line(path, 1, "the vertices have no coordinates");
    return mesh;
}

}  // namespace treacle::mesh_text
