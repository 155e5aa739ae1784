#include "claims/lumps.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <map>

#include "core/union_find.h"

namespace treacle {

namespace {

using Cell = std::array<std::int64_t, 3>;

/// Points by cell; two connected points lie in the same cell or in neighboring ones.
std::map<Cell, std::vector<std::uint32_t>> cells_of(std::span<const Vec3d> points, double side) {
    std::map<Cell, std::vector<std::uint32_t>> cells;
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const auto place = [&](double x) { return static_cast<std::int64_t>(std::floor(x / side)); };
        cells[{place(points[i].x), place(points[i].y), place(points[i].z)}].push_back(i);
    }
    return cells;
}

}  // namespace

std::vector<std::size_t> lump_sizes(std::span<const Vec3d> points, double link_distance) {
    UnionFind lumps(points.size());
    const auto cells = cells_of(points, link_distance);
    for (const auto& [cell, members] : cells) {
        for (int n = 0; n < 27; ++n) {
            const auto other = cells.find({cell[0] + n % 3 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n / 9 - 1});
            if (other == cells.end()) continue;
            for (const std::uint32_t i : members) {
                for (const std::uint32_t j : other->second) {
                    if (length(points[j] - points[i]) < link_distance) lumps.unite(i, j);
                }
            }
        }
    }
    std::map<std::uint32_t, std::size_t> sizes;
    for (const std::uint32_t lump : lumps.sets()) ++sizes[lump];
    std::vector<std::size_t> result;
    for (const auto& entry : sizes) result.push_back(entry.second);
    return result;
}

}  // namespace treacle
