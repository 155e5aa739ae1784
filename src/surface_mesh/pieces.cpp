#include "surface_mesh/pieces.h"

#include "core/union_find.h"

namespace treacle {

namespace {

/// Six times the volume of the tetrahedron from an origin to a triangle.
double six_volumes(const std::vector<Vec3f>& points, const std::array<std::uint32_t, 3>& t, Vec3d origin) {
    const auto at = [&](std::size_t k) { return cast<double>(points[t[k]]) - origin; };
    return dot(at(0), cross(at(1), at(2)));
}

}  // namespace

Pieces find_pieces(const GridSurface& surface) {
    UnionFind united(surface.points.size());
    for (const auto& t : surface.triangles) {
        united.unite(t[0], t[1]);
        united.unite(t[0], t[2]);
    }
    const std::vector<std::uint32_t> root = united.sets();
    Pieces pieces;
    pieces.of_point.resize(root.size());
    for (std::uint32_t n = 0; n < root.size(); ++n) {
        const std::uint32_t r = root[n];
        if (r == n) pieces.volume.push_back(0);
        pieces.of_point[n] = r == n ? static_cast<std::uint32_t>(pieces.volume.size() - 1) : pieces.of_point[r];
    }
    std::vector<Vec3d> origin(pieces.volume.size());  // near the piece, so that the volume of a far piece is exact too
    for (std::uint32_t n = 0; n < root.size(); ++n) {
        if (root[n] == n) origin[pieces.of_point[n]] = cast<double>(surface.points[n]);
    }
    for (const auto& t : surface.triangles) {
        const std::uint32_t piece = pieces.of_point[t[0]];
        pieces.volume[piece] += six_volumes(surface.points, t, origin[piece]) / 6;
    }
    return pieces;
}

GridSurface without_pieces(const GridSurface& surface, const Pieces& pieces, double low, double high) {
    const auto stays = [&](std::uint32_t point) {
        const double volume = pieces.volume[pieces.of_point[point]];
        return !(volume > low && volume < high);
    };
    GridSurface rest;
    std::vector<std::uint32_t> number(surface.points.size());
    for (std::uint32_t n = 0; n < surface.points.size(); ++n) {
        number[n] = static_cast<std::uint32_t>(rest.points.size());
        if (stays(n)) rest.points.push_back(surface.points[n]);
    }
    for (const auto& [a, b, c] : surface.triangles) {
        if (stays(a)) rest.triangles.push_back({number[a], number[b], number[c]});
    }
    return rest;
}

double enclosed_volume(const std::vector<Vec3f>& points, const std::vector<std::array<std::uint32_t, 3>>& triangles) {
    if (points.empty()) return 0;
    double sum = 0;
    const Vec3d origin = cast<double>(points[0]);
    for (const auto& t : triangles) sum += six_volumes(points, t, origin);
    return sum / 6;
}

}  // namespace treacle
