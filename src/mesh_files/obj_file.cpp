#include "mesh_files/mesh_text.h"

namespace treacle::mesh_text {

namespace {

/// A corner as "7", "7/1", "7//3" or "7/1/3"; negative numbers count back from the last vertex. Faces may come before
/// their vertices, so the range is checked at the end.
std::optional<std::uint32_t> corner_from(std::string_view word, std::size_t vertices) {
    const auto index = number_from<long long>(word.substr(0, word.find('/')));
    if (!index || *index == 0) return std::nullopt;
    const long long from_zero = *index > 0 ? *index - 1 : static_cast<long long>(vertices) + *index;
    if (from_zero < 0 || from_zero >= static_cast<long long>(most_corners)) return std::nullopt;
    return static_cast<std::uint32_t>(from_zero);
}

}  // namespace

Result<TriangleMesh> read_obj(std::string_view text, const std::string& path) {
    TriangleMesh mesh;
    std::vector<std::uint32_t> face;
    std::uint32_t highest = 0;
    int highest_line = 0;
    Lines lines(text);
    for (std::string_view line; lines.next(line);) {
        const std::string_view kind = next_word(line);
        if (kind == "v") {
            const auto p = point_from(line);
            if (!p) return wrong_line(path, lines.number(), "a vertex must have three finite numbers");
            if (mesh.vertices.size() >= most_corners)
                return wrong_line(path, lines.number(), "there are too many vertices");
            mesh.vertices.push_back(*p);
        } else if (kind == "f") {
            face.clear();
            for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
                const auto corner = corner_from(word, mesh.vertices.size());
                if (!corner)
                    return wrong_line(path, lines.number(), "\"" + std::string(word) + "\" is no corner of a face");
                if (*corner >= highest) {
                    highest = *corner;
                    highest_line = lines.number();
                }
                face.push_back(*corner);
            }
            if (face.size() < 3) return wrong_line(path, lines.number(), "a face must have three corners or more");
            add_fan(mesh, face);
        }
    }
    if (!mesh.triangles.empty() && highest >= mesh.vertices.size()) {
        return wrong_line(path, highest_line,
                          "there is no vertex " + std::to_string(highest + 1ull) + "; there are " +
                              std::to_string(mesh.vertices.size()));
    }
    return mesh;
}

}  // namespace treacle::mesh_text
