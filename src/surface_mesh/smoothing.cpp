#include "surface_mesh/smoothing.h"

namespace treacle {

Adjacency::Adjacency(std::size_t points, std::span<const Triangle> triangles)
    : first_(points + 1, 0), neighbor_(3 * triangles.size()) {
    // On a closed surface the corners that follow a point in its triangles are all its neighbors, each once.
    for (const Triangle& t : triangles) {
        for (const std::uint32_t corner : t) ++first_[corner + 1];
    }
    for (std::size_t n = 0; n < points; ++n) first_[n + 1] += first_[n];
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (const Triangle& t : triangles) {
        for (std::size_t k = 0; k < 3; ++k) neighbor_[next[t[k]]++] = t[(k + 1) % 3];
    }
}

namespace {

/// In every round, moves the value of each point halfway to the mean of those around it, times its strength.
void soften(std::vector<Vec3f>& values, const Adjacency& adjacency, std::span<const float> strength, int rounds,
            const Parallel& parallel) {
    std::vector<Vec3f> other(values.size());
    for (int round = 0; round < rounds; ++round) {
        parallel.for_each(values.size(), [&](std::size_t n) {
            Vec3f sum{};
            const auto around = adjacency.around(n);
            for (const std::uint32_t m : around) sum += values[m] - values[n];
            other[n] = values[n] + 0.5f * strength[n] / static_cast<float>(around.size()) * sum;
        });
        values.swap(other);
    }
}

Vec3f unit(Vec3f v) {
    const float size = length(v);
    return size > 0 ? v / size : Vec3f{0, 1, 0};
}

}  // namespace

void smooth(std::vector<Vec3f>& points, const Adjacency& adjacency, std::span<const float> strength, int rounds,
            const Parallel& parallel) {
    std::vector<Vec3f> lost = points;
    soften(points, adjacency, strength, rounds, parallel);
    parallel.for_each(points.size(), [&](std::size_t n) { lost[n] -= points[n]; });
    soften(lost, adjacency, strength, rounds, parallel);
    parallel.for_each(points.size(), [&](std::size_t n) { points[n] += lost[n]; });
}

std::vector<Vec3f> point_normals(std::span<const Vec3f> points, std::span<const Triangle> triangles) {
    std::vector<Vec3f> normals(points.size());
    for (const auto& [a, b, c] : triangles) {
        const Vec3f area = cross(points[b] - points[a], points[c] - points[a]);
        for (const std::uint32_t corner : {a, b, c}) normals[corner] += area;
    }
    for (Vec3f& normal : normals) normal = unit(normal);
    return normals;
}

void smooth_normals(std::vector<Vec3f>& normals, const Adjacency& adjacency, std::span<const float> strength,
                    int rounds, const Parallel& parallel) {
    soften(normals, adjacency, strength, rounds, parallel);
    for (Vec3f& normal : normals) normal = unit(normal);
}

void place_mesh(SurfaceMesh& mesh, const GridSurface& surface, Vec3d origin, double step, const Parallel& parallel) {
    mesh.points.resize(surface.points.size());
    parallel.for_each(surface.points.size(), [&](std::size_t n) {
        mesh.points[n] = cast<float>(origin + step * cast<double>(surface.points[n]));
    });
    mesh.triangles = surface.triangles;
}

}  // namespace treacle
