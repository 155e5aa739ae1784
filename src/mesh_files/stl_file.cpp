#include <algorithm>
#include <cstring>

#include "mesh_files/mesh_text.h"

namespace treacle::mesh_text {

namespace {

constexpr std::size_t header_bytes = 84, facet_bytes = 50, normal_bytes = 12;

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t n = 0; n < 4; ++n)
        value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + n])) << (8 * n);
    return value;
}

Result<TriangleMesh> read_binary(std::string_view bytes, const std::string& path) {
    const auto broken = [&](std::size_t at, const std::string& what) {
        return fail(ExitCode::wrong_input, "byte " + std::to_string(at) + ": " + what, path);
    };
    if (bytes.size() < header_bytes) return broken(bytes.size(), "the file ends within its header");
    const std::size_t facets = number_at(bytes, header_bytes - 4);
    if ((bytes.size() - header_bytes) / facet_bytes < facets) {
        return broken(bytes.size(), "the file ends before the last of its " + std::to_string(facets) + " triangles");
    }
    if (3 * facets > most_corners) return broken(header_bytes - 4, "there are too many triangles");
    TriangleMesh mesh;
    for (std::size_t n = 0; n < facets; ++n) {
        for (std::size_t corner = 0; corner < 3; ++corner) {
            const std::size_t at = header_bytes + n * facet_bytes + normal_bytes + 12 * corner;
            Vec3d p{};
            for (int axis = 0; axis < 3; ++axis) {
                const std::uint32_t bits = number_at(bytes, at + 4 * static_cast<std::size_t>(axis));
                float value = 0;
                std::memcpy(&value, &bits, sizeof value);
                p[axis] = static_cast<double>(value);
            }
            if (!std::isfinite(p.x + p.y + p.z)) return broken(at, "a corner is not finite");
            mesh.vertices.push_back(p);
        }
        const auto first = static_cast<std::uint32_t>(3 * n);
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
    return mesh;
}

Result<TriangleMesh> read_ascii(std::string_view text, const std::string& path) {
    TriangleMesh mesh;
    std::vector<std::uint32_t> face;
    Lines lines(text);
    for (std::string_view line; lines.next(line);) {
        const std::string_view word = next_word(line);
        if (word == "vertex") {
            const auto p = point_from(line);
            if (!p) return wrong_line(path, lines.number(), "a vertex must have three finite numbers");
            face.push_back(static_cast<std::uint32_t>(mesh.vertices.size()));
            mesh.vertices.push_back(*p);
        } else if (word == "endloop") {
            if (face.size() < 3) return wrong_line(path, lines.number(), "a facet must have three corners or more");
            add_fan(mesh, face);
            face.clear();
        } else if (!word.empty() && word != "solid" && word != "facet" && word != "outer" && word != "endfacet" &&
                   word != "endsolid") {
            return wrong_line(path, lines.number(),
                              "\"" + std::string(word.substr(0, 40)) + "\" does not belong into an STL file");
        }
    }
    if (!face.empty()) return wrong_line(path, lines.number(), "the file ends within a facet");
    return mesh;
}

}  // namespace

/// Many binary files begin with "solid" too, but no text holds zero bytes.
Result<TriangleMesh> read_stl(std::string_view bytes, const std::string& path) {
    const std::size_t begin = std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size());
    const bool text = bytes.substr(begin).starts_with("solid") && bytes.find('\0') == std::string_view::npos;
    return text ? read_ascii(bytes, path) : read_binary(bytes, path);
}

}  // namespace treacle::mesh_text
