#include "claims/lumps.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>

namespace treacle {

namespace {

using Cell = std::array<std::int64_t, 3>;

/// Points by cell; two that hang together stand in the same cell or in neighboring ones.
std::map<Cell, std::vector<std::size_t>> cells_of(std::span<const Vec3d> points, double side) {
    std::map<Cell, std::vector<std::size_t>> cells;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto place = [&](double x) { return static_cast<std::int64_t>(std::floor(x / side)); };
        cells[{place(points[i].x), place(points[i].y), place(points[i].z)}].push_back(i);
    }
    return cells;
}

}  // namespace

std::vector<std::size_t> lump_sizes(std::span<const Vec3d> points, double link_distance) {
    std::vector<std::size_t> parent(points.size());
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    const auto root = [&](std::size_t i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return i;
    };
    const auto cells = cells_of(points, link_distance);
    for (const auto& [cell, members] : cells) {
        for (int n = 0; n < 27; ++n) {
            const auto other = cells.find({cell[0] + n % 3 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n / 9 - 1});
            if (other == cells.end()) continue;
            for (const std::size_t i : members) {
                for (const std::size_t j : other->second) {
                    if (length(points[j] - points[i]) < link_distance) parent[root(i)] = root(j);
                }
            }
        }
    }
    std::map<std::size_t, std::size_t> sizes;
    for (std::size_t i = 0; i < points.size(); ++i) ++sizes[root(i)];
    std::vector<std::size_t> result;
    for (const auto& entry : sizes) result.push_back(entry.second);
    return result;
}

}  // namespace treacle
