#include "surface_mesh/density_field.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace treacle {

DensityField::DensityField(const ParticleCells& cells, const Parallel& parallel)
    : cells_(cells), share_(cells.crowding(parallel)) {
    const float face = ParticleCells::lattice_crowding(0);
    parallel.for_each(share_.size(), [&](std::size_t n) { share_[n] = 1 / std::min(share_[n], face); });
    grid_.side = cells.side();
    grid_.index = cells.cells().grown();
    grid_.values.assign(grid_.index.size() * grid_.points_per_block(), 0);
    parallel.for_blocks(grid_.index.size(), 16, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t b = begin; b < end; ++b) {
            const BlockPlace place = grid_.index.place(b);
            const auto along = [&](std::size_t axis) { return static_cast<float>(place[axis] * grid_.side); };
            const Vec3f corner{along(0), along(1), along(2)};
            cells.for_each_cell_around(place, [&](std::uint32_t from, std::uint32_t to) {
                for (std::uint32_t j = from; j < to; ++j) add(grid_.block(b), cells.position(j) - corner, j);
            });
        }
    });
}

void DensityField::add(float* block, Vec3f p, std::uint32_t n) const {
    const int side = grid_.side;
    const float radius = cells_.radius(n), share = share_[n];
    std::array<int, 3> low, high;
    for (const int axis : {0, 1, 2}) {
        const auto a = static_cast<std::size_t>(axis);
        low[a] = std::max(0, static_cast<int>(std::ceil(p[axis] - radius)));
        high[a] = std::min(side - 1, static_cast<int>(std::floor(p[axis] + radius)));
    }
    for (int z = low[2]; z <= high[2]; ++z) {
        const float dz = static_cast<float>(z) - p.z;
        for (int y = low[1]; y <= high[1]; ++y) {
            const float dy = static_cast<float>(y) - p.y;
            const float away = dz * dz + dy * dy;
            float* row = block + (z * side + y) * side;
            for (int x = low[0]; x <= high[0]; ++x) {
                const float dx = static_cast<float>(x) - p.x;
                row[x] += share * cells_.weight(n, away + dx * dx);
            }
        }
    }
}

float DensityField::flat_level() {
    static const float level = [] {
        constexpr double square = ParticleCells::radius_in_spacings * ParticleCells::radius_in_spacings;
        constexpr int reach = 3;  // layers and rows beyond this distance do not count
        const auto layer_sum = [&](double height, double x, double y) {
            double sum = 0;
            for (int j = -reach; j <= reach; ++j) {
                for (int i = -reach; i <= reach; ++i) {
                    const double dx = i - x, dy = j - y;
                    const double rest = std::max(0.0, 1 - (dx * dx + dy * dy + height * height) / square);
                    sum += rest * rest * rest;
                }
            }
            return sum;
        };
        // The mean over places above the lattice: over a particle, between two, between four.
        double total = 0;
        for (const auto& [x, y, part] : {std::array{0.0, 0.0, 0.25}, {0.5, 0.0, 0.5}, {0.5, 0.5, 0.25}}) {
            for (int n = 0; n < reach; ++n) total += part * layer_sum(n + 0.5, x, y);
        }
        return static_cast<float>(total / ParticleCells::lattice_crowding(0));
    }();
    return level;
}

std::vector<SurfaceColumn> DensityField::inherit(std::span<const Vec3f> points, std::span<const SurfaceColumn> columns,
                                                 const Parallel& parallel) const {
    std::vector<SurfaceColumn> result;
    for (const SurfaceColumn& column : columns) {
        result.push_back(column);
        result.back().values.assign(points.size(), 0);
    }
    parallel.for_each(points.size(), [&](std::size_t n) {
        float total = 0, largest = -1;
        std::uint32_t nearest = 0;
        cells_.for_each_cell_around(cells_.cell_of(points[n]), [&](std::uint32_t from, std::uint32_t to) {
            for (std::uint32_t j = from; j < to; ++j) {
                const Vec3f d = cells_.position(j) - points[n];
                const float w = share_[j] * cells_.weight(j, dot(d, d));
                if (w == 0) continue;
                total += w;
                if (w > largest) largest = w, nearest = cells_.particle(j);
                for (std::size_t c = 0; c < columns.size(); ++c) {
                    result[c].values[n] += w * columns[c].values[cells_.particle(j)];
                }
            }
        });
        for (std::size_t c = 0; c < columns.size(); ++c) {
            float& value = result[c].values[n];
            value = columns[c].inherit == SurfaceColumn::Inherit::nearest ? columns[c].values[nearest] : value / total;
        }
    });
    return result;
}

std::vector<float> DensityField::crowding(std::span<const Vec3f> points, const Parallel& parallel) const {
    std::vector<float> result(points.size());
    parallel.for_each(points.size(), [&](std::size_t n) {
        cells_.for_each_cell_around(cells_.cell_of(points[n]), [&](std::uint32_t from, std::uint32_t to) {
            for (std::uint32_t j = from; j < to; ++j) {
                const Vec3f d = cells_.position(j) - points[n];
                result[n] += cells_.weight(j, dot(d, d));
            }
        });
    });
    return result;
}

}  // namespace treacle
