#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "geometry/tessellation.h"

/// Helpers shared by the readers of mesh files.

namespace treacle::mesh_text {

/// Corners are counted with 32 bits.
inline constexpr std::size_t most_corners = 0xfffffff0u;

/// The lines of a text, without their ends.
class Lines {
public:
    explicit Lines(std::string_view text) : text_(text) {}

    bool next(std::string_view& line) {
        if (at_ >= text_.size()) return false;
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        line = text_.substr(at_, end - at_);
        if (line.ends_with('\r')) line.remove_suffix(1);
        at_ = end + 1;
        ++number_;
        return true;
    }
    int number() const { return number_; }        ///< of the line given last, from 1
    std::size_t position() const { return at_; }  ///< where the next one begins

private:
    std::string_view text_;
    std::size_t at_ = 0;
    int number_ = 0;
};

/// Takes the next word off a line; empty at its end.
inline std::string_view next_word(std::string_view& line) {
    const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
    const std::string_view word = line.substr(begin, end - begin);
    line.remove_prefix(end);
    return word;
}

template <class Number>
std::optional<Number> number_from(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);
    Number value{};
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (problem != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return value;
}

/// Three numbers that are finite.
inline std::optional<Vec3d> point_from(std::string_view line) {
    Vec3d p{};
    for (int axis = 0; axis < 3; ++axis) {
        const auto number = number_from<double>(next_word(line));
        if (!number || !std::isfinite(*number)) return std::nullopt;
        p[axis] = *number;
    }
    return p;
}

/// Triangles between the first corner of a face and all its other edges.
inline void add_fan(TriangleMesh& mesh, const std::vector<std::uint32_t>& face) {
    for (std::size_t n = 2; n < face.size(); ++n) mesh.triangles.push_back({face[0], face[n - 1], face[n]});
}

inline tl::unexpected<Error> wrong_line(const std::string& path, int line, std::string message) {
    return fail({Problem{std::move(message), path, {}, line}});
}

Result<TriangleMesh> read_obj(std::string_view text, const std::string& path);
Result<TriangleMesh> read_ply(std::string_view bytes, const std::string& path);
Result<TriangleMesh> read_stl(std::string_view bytes, const std::string& path);

}  // namespace treacle::mesh_text
