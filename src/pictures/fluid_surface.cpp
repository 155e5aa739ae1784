#include "pictures/fluid_surface.h"

#include "surface_mesh/surface_mesh.h"

namespace treacle {

namespace {

/// Three columns, one per component.
void add_columns(SurfaceParticles& particles, const std::vector<Vec3f>& vectors) {
    for (int c = 0; c < 3; ++c) {
        SurfaceColumn& column = particles.columns.emplace_back();
        for (const Vec3f& v : vectors) column.values.push_back(v[c]);
    }
}

std::vector<Vec3f> take_columns(const SurfaceMesh& mesh, std::size_t first) {
    std::vector<Vec3f> vectors;
    for (std::size_t n = 0; n < mesh.points.size(); ++n) {
        vectors.push_back(
            {mesh.columns[first].values[n], mesh.columns[first + 1].values[n], mesh.columns[first + 2].values[n]});
    }
    return vectors;
}

}  // namespace

Result<RenderMesh> fluid_surface(const SurfacedFluid& fluid, double spacing, const Parallel& parallel) {
    SurfaceParticles particles{fluid.positions, {}, fluid.sizes};
    add_columns(particles, fluid.colors);
    if (!fluid.motions.empty()) add_columns(particles, fluid.motions);
    SurfaceSettings settings;
    settings.spacing = spacing;
    auto surface = reconstruct_surface(particles, settings, parallel);
    if (!surface) return tl::unexpected(surface.error());
    RenderMesh mesh;
    mesh.smooth = true;
    mesh.colors = take_columns(*surface, 0);
    if (!fluid.motions.empty()) mesh.motion = take_columns(*surface, 3);
    mesh.vertices = std::move(surface->points);
    mesh.triangles = std::move(surface->triangles);
    return mesh;
}

}  // namespace treacle
