#include "surface_mesh/mesh_file.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

#include "core/file.h"
#include "core/text.h"

namespace treacle {

namespace {

template <class Value>
void put(char*& to, Value value) {
    std::memcpy(to, &value, sizeof value);
    to += sizeof value;
}

std::string ply_header(const SurfaceMesh& mesh, int frame, double time) {
    std::string text = "ply\nformat binary_little_endian 1.0\ncomment generator treacle\ncomment frame " +
                       std::to_string(frame) + "\ncomment time " + number_text(time) + "\n";
    for (const char* name : {"x", "y", "z"}) text += std::string("comment unit ") + name + " m\n";
    for (const SurfaceColumn& column : mesh.columns) {
        if (!column.unit.empty()) text += "comment unit " + column.name + " " + column.unit + "\n";
    }
    text += "element vertex " + std::to_string(mesh.points.size()) + "\n";
    for (const char* name : {"x", "y", "z", "nx", "ny", "nz"}) text += std::string("property float ") + name + "\n";
    for (const SurfaceColumn& column : mesh.columns) {
        text += std::string("property ") + (column.byte ? "uchar " : "float ") + column.name + "\n";
    }
    return text + "element face " + std::to_string(mesh.triangles.size()) +
           "\nproperty list uchar int vertex_indices\nend_header\n";
}

}  // namespace

Result<void> write_mesh_ply(const std::string& path, const SurfaceMesh& mesh, int frame, double time) {
    std::size_t stride = 6 * sizeof(float);
    for (const SurfaceColumn& column : mesh.columns) stride += column.byte ? 1 : sizeof(float);
    std::string vertices(stride * mesh.points.size(), '\0');
    char* to = vertices.data();
    for (std::size_t n = 0; n < mesh.points.size(); ++n) {
        put(to, mesh.points[n]);
        put(to, mesh.normals[n]);
        for (const SurfaceColumn& column : mesh.columns) {
            const float value = column.values[n];
            if (column.byte) put(to, static_cast<std::uint8_t>(std::clamp(value + 0.5f, 0.0f, 255.0f)));
            else put(to, value);
        }
    }
    std::string faces((1 + 3 * sizeof(std::uint32_t)) * mesh.triangles.size(), '\0');
    to = faces.data();
    for (const auto& triangle : mesh.triangles) {
        put(to, std::uint8_t{3});
        put(to, triangle);
    }
    const std::string header = ply_header(mesh, frame, time);
    return write_file_atomically(path, std::array<std::string_view, 3>{header, vertices, faces});
}

Result<void> write_mesh_obj(const std::string& path, const SurfaceMesh& mesh, int frame, double time) {
    std::string text = "# generator treacle\n# frame " + std::to_string(frame) + "\n# time " + number_text(time) + "\n";
    std::array<char, 128> line{};
    const auto add = [&](const char* format, auto... values) {
        text.append(line.data(), static_cast<std::size_t>(std::snprintf(line.data(), line.size(), format, values...)));
    };
    const SurfaceColumn *red = mesh.find("red"), *green = mesh.find("green"), *blue = mesh.find("blue");
    for (std::size_t n = 0; n < mesh.points.size(); ++n) {
        const Vec3f p = mesh.points[n];
        add("v %.9g %.9g %.9g", p.x, p.y, p.z);
        if (red && green && blue) add(" %.4g %.4g %.4g", red->values[n] / 255, green->values[n] / 255, blue->values[n] / 255);
        text += '\n';
    }
    for (const Vec3f& v : mesh.normals) add("vn %.5g %.5g %.5g\n", v.x, v.y, v.z);
    for (const auto& [a, b, c] : mesh.triangles) add("f %u//%u %u//%u %u//%u\n", a + 1, a + 1, b + 1, b + 1, c + 1, c + 1);
    return write_file_atomically(path, text);
}

}  // namespace treacle
