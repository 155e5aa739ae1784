#include "mesh_files/mesh_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "core/file.h"
#include "mesh_files/mesh_text.h"

namespace treacle {

Result<TriangleMesh> read_mesh_file(const std::string& path) {
    std::string ending = std::filesystem::path(path).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
    if (ending != ".obj" && ending != ".ply" && ending != ".stl") {
        return fail(ExitCode::wrong_input, "is no mesh that this program can read; use .obj, .ply or .stl", path);
    }
    const auto bytes = read_whole_file(path);
    if (!bytes) return tl::unexpected(bytes.error());
    if (ending == ".obj") return mesh_text::read_obj(*bytes, path);
    if (ending == ".ply") return mesh_text::read_ply(*bytes, path);
    return mesh_text::read_stl(*bytes, path);
}

}  // namespace treacle
