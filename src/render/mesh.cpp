#include "render/mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace treacle {

namespace {

constexpr float smooth_cosine = 0.77f;  // of about 40 degrees

/// Normal times twice the area.
Vec3f face_vector(const RenderMesh& mesh, const std::array<std::uint32_t, 3>& t) {
    return cross(mesh.vertices[t[1]] - mesh.vertices[t[0]], mesh.vertices[t[2]] - mesh.vertices[t[0]]);
}

Vec3f unit_or_zero(Vec3f v) {
    const float norm = length(v);
    return norm > 0 ? v / norm : Vec3f{};
}

}  // namespace

std::vector<Vec3f> tracing::corner_normals(const RenderMesh& mesh) {
    std::vector<Vec3f> faces;
    std::vector<std::vector<std::size_t>> around(mesh.vertices.size());  // triangles at each vertex
    for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
        faces.push_back(face_vector(mesh, mesh.triangles[n]));
        for (const std::uint32_t vertex : mesh.triangles[n]) around[vertex].push_back(n);
    }
    std::vector<Vec3f> normals;
    for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
        const Vec3f own = unit_or_zero(faces[n]);
        for (const std::uint32_t vertex : mesh.triangles[n]) {
            Vec3f sum{};
            for (const std::size_t other : around[vertex]) {
                if (dot(own, unit_or_zero(faces[other])) >= smooth_cosine) sum += faces[other];
            }
            normals.push_back(unit_or_zero(sum));
        }
    }
    return normals;
}

std::vector<Vec3f> tracing::vertex_normals(const RenderMesh& mesh) {
    std::vector<Vec3f> normals(mesh.vertices.size());
    for (const auto& triangle : mesh.triangles) {
        const Vec3f face = face_vector(mesh, triangle);
        for (const std::uint32_t vertex : triangle) normals[vertex] += face;
    }
    for (Vec3f& normal : normals) normal = unit_or_zero(normal);
    return normals;
}

std::vector<Wire> edge_wires(const RenderMesh& mesh, float radius, Color color) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Vec3f>> edges;  // with the normals beside them
    for (const auto& t : mesh.triangles) {
        const Vec3f normal = unit_or_zero(face_vector(mesh, t));
        for (std::size_t n = 0; n < 3; ++n) edges[std::minmax(t[n], t[(n + 1) % 3])].push_back(normal);
    }
    std::vector<Wire> wires;
    for (const auto& [ends, normals] : edges) {
        const bool smooth = normals.size() == 2 && dot(normals[0], normals[1]) >= smooth_cosine;
        if (!smooth) wires.push_back({mesh.vertices[ends.first], mesh.vertices[ends.second], radius, color});
    }
    return wires;
}

}  // namespace treacle
