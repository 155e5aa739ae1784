#include "surface_mesh/density_field.h"

#include <algorithm>
#include <cmath>

namespace treacle {

namespace {

/// (1 - r²/R²)³ for r² = square · R².
float weight(float square) {
    const float rest = std::max(0.0f, 1 - square);
    return rest * rest * rest;
}

}  // namespace

DensityField::DensityField(std::span<const Vec3f> positions, double spacing, double resolution, const Parallel& parallel)
    : step_(spacing / resolution), radius_(static_cast<float>(radius_in_spacings * resolution)) {
    grid_.side = static_cast<int>(std::ceil(radius_));   // so that only the 27 blocks around a point count for it
    sort_particles(positions, parallel);
    find_shares(parallel);
    fill(parallel);
}

Place DensityField::cell_of(Vec3f point) const {
    const auto along = [&](float x) { return static_cast<std::int32_t>(std::floor(x / static_cast<float>(grid_.side))); };
    return {along(point.x), along(point.y), along(point.z)};
}

void DensityField::sort_particles(std::span<const Vec3f> positions, const Parallel& parallel) {
    struct Keyed {
        std::uint64_t key;
        std::uint32_t particle;
    };
    const std::size_t count = positions.size();
    std::vector<Vec3f> scaled(count);
    std::vector<Keyed> order(count);
    parallel.for_each(count, [&](std::size_t i) {
        scaled[i] = cast<float>(cast<double>(positions[i]) / step_);
        order[i] = {BlockIndex::key(cell_of(scaled[i])), static_cast<std::uint32_t>(i)};
    });
    std::sort(order.begin(), order.end(), [](const Keyed& a, const Keyed& b) {
        return a.key != b.key ? a.key < b.key : a.particle < b.particle;
    });
    std::vector<std::uint64_t> keys(count);
    particle_.resize(count);
    position_.resize(count);
    for (std::size_t n = 0; n < count; ++n) {
        keys[n] = order[n].key;
        particle_[n] = order[n].particle;
        position_[n] = scaled[order[n].particle];
        if (n == 0 || keys[n] != keys[n - 1]) first_.push_back(static_cast<std::uint32_t>(n));
    }
    first_.push_back(static_cast<std::uint32_t>(count));
    cells_ = BlockIndex(std::move(keys));
}

template <class Visit>
void DensityField::for_each_cell_around(const Place& place, const Visit& visit) const {
    for (int z = -1; z <= 1; ++z) {
        for (int y = -1; y <= 1; ++y) {
            for (int x = -1; x <= 1; ++x) {
                const std::uint32_t cell = cells_.find({place[0] + x, place[1] + y, place[2] + z});
                if (cell != BlockIndex::none) visit(first_[cell], first_[cell + 1]);
            }
        }
    }
}

void DensityField::find_shares(const Parallel& parallel) {
    share_.resize(position_.size());
    const float scale = 1 / (radius_ * radius_);
    parallel.for_blocks(cells_.size(), 16, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t cell = begin; cell < end; ++cell) {
            std::fill(&share_[first_[cell]], &share_[first_[cell]] + (first_[cell + 1] - first_[cell]), 0.0f);
            for_each_cell_around(cells_.place(cell), [&](std::uint32_t from, std::uint32_t to) {
                for (std::uint32_t i = first_[cell]; i < first_[cell + 1]; ++i) {
                    float sum = 0;
                    for (std::uint32_t j = from; j < to; ++j) {
                        const Vec3f d = position_[j] - position_[i];
                        sum += weight(dot(d, d) * scale);
                    }
                    share_[i] += sum;
                }
            });
            for (std::uint32_t i = first_[cell]; i < first_[cell + 1]; ++i) share_[i] = 1 / share_[i];
        }
    });
}

void DensityField::fill(const Parallel& parallel) {
    grid_.index = cells_.grown();
    grid_.values.assign(grid_.index.size() * grid_.points_per_block(), 0);
    const int side = grid_.side;
    const float scale = 1 / (radius_ * radius_);
    const auto add = [&](float* block, const Vec3f& p, float share) {   // p relative to the block
        std::array<int, 3> low, high;
        for (const int axis : {0, 1, 2}) {
            const auto a = static_cast<std::size_t>(axis);
            low[a] = std::max(0, static_cast<int>(std::ceil(p[axis] - radius_)));
            high[a] = std::min(side - 1, static_cast<int>(std::floor(p[axis] + radius_)));
        }
        for (int z = low[2]; z <= high[2]; ++z) {
            const float dz = static_cast<float>(z) - p.z;
            for (int y = low[1]; y <= high[1]; ++y) {
                const float dy = static_cast<float>(y) - p.y;
                const float away = dz * dz + dy * dy;
                float* row = block + (z * side + y) * side;
                for (int x = low[0]; x <= high[0]; ++x) {
                    const float dx = static_cast<float>(x) - p.x;
                    row[x] += share * weight((away + dx * dx) * scale);
                }
            }
        }
    };
    parallel.for_blocks(grid_.index.size(), 16, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t b = begin; b < end; ++b) {
            const Place place = grid_.index.place(b);
            const Vec3f corner = static_cast<float>(side) * Vec3f{static_cast<float>(place[0]),
                static_cast<float>(place[1]), static_cast<float>(place[2])};
            for_each_cell_around(place, [&](std::uint32_t from, std::uint32_t to) {
                for (std::uint32_t j = from; j < to; ++j) add(grid_.block(b), position_[j] - corner, share_[j]);
            });
        }
    });
}

float DensityField::flat_level() {
    static const float level = [] {
        constexpr double square = radius_in_spacings * radius_in_spacings;
        constexpr int reach = 3;   // layers and rows beyond this distance do not count
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
        std::array<double, reach> share;   // layers at heights -0.5, -1.5, -2.5
        for (int n = 0; n < reach; ++n) {
            double sum = 0;
            for (int m = 0; m < 3 * reach; ++m) sum += layer_sum(m - n, 0, 0);
            share[static_cast<std::size_t>(n)] = 1 / sum;
        }
        // The mean over places above the lattice: over a particle, between two, between four.
        double total = 0;
        for (const auto& [x, y, part] : {std::array{0.0, 0.0, 0.25}, {0.5, 0.0, 0.5}, {0.5, 0.5, 0.25}}) {
            for (int n = 0; n < reach; ++n) total += part * share[static_cast<std::size_t>(n)] * layer_sum(n + 0.5, x, y);
        }
        return static_cast<float>(total);
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
    const float scale = 1 / (radius_ * radius_);
    parallel.for_each(points.size(), [&](std::size_t n) {
        float total = 0, largest = -1;
        std::uint32_t nearest = 0;
        for_each_cell_around(cell_of(points[n]), [&](std::uint32_t from, std::uint32_t to) {
            for (std::uint32_t j = from; j < to; ++j) {
                const Vec3f d = position_[j] - points[n];
                const float w = share_[j] * weight(dot(d, d) * scale);
                if (w == 0) continue;
                total += w;
                if (w > largest) largest = w, nearest = particle_[j];
                for (std::size_t c = 0; c < columns.size(); ++c) {
                    result[c].values[n] += w * columns[c].values[particle_[j]];
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
    const float scale = 1 / (radius_ * radius_);
    parallel.for_each(points.size(), [&](std::size_t n) {
        for_each_cell_around(cell_of(points[n]), [&](std::uint32_t from, std::uint32_t to) {
            for (std::uint32_t j = from; j < to; ++j) {
                const Vec3f d = position_[j] - points[n];
                result[n] += weight(dot(d, d) * scale);
            }
        });
    });
    return result;
}

}  // namespace treacle
