#include "scene/mesh_hashes.h"

#include <cstdio>

#include "geometry/solid_mesh.h"
#include "state/column_table.h"

namespace treacle {

namespace {

std::string hash_of(const TriangleMesh& mesh) {
    Hash hash;
    hash.add(mesh.vertices.data(), mesh.vertices.size() * sizeof mesh.vertices.front());
    hash.add(mesh.triangles.data(), mesh.triangles.size() * sizeof mesh.triangles.front());
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash.value()));
    return text;
}

}  // namespace

std::map<std::string, std::string> mesh_hashes(const Scene& scene) {
    std::map<std::string, std::string> hashes;
    const auto add = [&](const auto& all) {
        for (const auto& one : all) {
            const auto* mesh = std::get_if<Mesh>(&one.shape.form);
            if (mesh && !hashes.contains(mesh->file)) hashes[mesh->file] = hash_of(mesh->solid->mesh());
        }
    };
    add(scene.fluids);
    add(scene.solids);
    add(scene.sinks);
    return hashes;
}

}  // namespace treacle
