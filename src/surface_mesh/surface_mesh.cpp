#include "surface_mesh/surface_mesh.h"

#include <algorithm>

#include "surface_mesh/density_field.h"
#include "surface_mesh/marching_cubes.h"
#include "surface_mesh/pieces.h"
#include "surface_mesh/smoothing.h"

namespace treacle {

namespace {

/// A hole this small inside the fluid (in particles) is a gap of the sampling.
constexpr double smallest_hole = 8;

/// 0 for threads and drops, 1 for the surface of a body.
std::vector<float> smoothing_strength(const DensityField& field, const std::vector<Vec3f>& points,
                                      const Parallel& parallel) {
    constexpr float thin = 1.0f, thick = 2.3f;  // a row of particles has 1.1, a thread of two by two 2, a body 2.5
    std::vector<float> strength = field.crowding(points, parallel);
    for (float& s : strength) s = std::clamp((s - thin) / (thick - thin), 0.0f, 1.0f);
    return strength;
}

}  // namespace

const SurfaceColumn* SurfaceMesh::find(std::string_view name) const {
    const auto named = [&](const SurfaceColumn& column) { return column.name == name; };
    const auto found = std::find_if(columns.begin(), columns.end(), named);
    return found == columns.end() ? nullptr : &*found;
}

Result<SurfaceMesh> reconstruct_surface(const SurfaceParticles& particles, const SurfaceSettings& settings,
                                        const Parallel& parallel) {
    const auto right = ParticleCells::check(particles.positions, settings.spacing);
    if (!right) return tl::unexpected(right.error());
    if (particles.positions.empty()) return SurfaceMesh{};
    const ParticleCells cells(particles.positions, settings.spacing, settings.resolution, parallel, particles.sizes);
    const DensityField field(cells, parallel);
    GridSurface surface = march_cubes(field.grid(), DensityField::flat_level(), parallel);

    const double particle_volume = settings.resolution * settings.resolution * settings.resolution;
    surface = without_pieces(surface, find_pieces(surface), -smallest_hole * particle_volume,
                             settings.keep_drops ? 0 : settings.drop_size * particle_volume);

    SurfaceMesh mesh;
    mesh.columns = field.inherit(surface.points, particles.columns, parallel);
    const std::vector<float> strength = smoothing_strength(field, surface.points, parallel);
    const Adjacency adjacency(surface.points.size(), surface.triangles);
    smooth(surface.points, adjacency, strength, settings.smoothing, parallel);
    mesh.normals = point_normals(surface.points, surface.triangles);
    smooth_normals(mesh.normals, adjacency, strength, settings.smoothing / 2, parallel);
    place_mesh(mesh, surface, {}, cells.step(), parallel);
    return mesh;
}

double enclosed_volume(const SurfaceMesh& mesh) { return enclosed_volume(mesh.points, mesh.triangles); }

double surface_area(const SurfaceMesh& mesh) {
    double sum = 0;
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3d p = cast<double>(mesh.points[a]);
        sum += length(cross(cast<double>(mesh.points[b]) - p, cast<double>(mesh.points[c]) - p));
    }
    return sum / 2;
}

}  // namespace treacle
