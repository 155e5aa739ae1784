#include "blocks/solids/plane_samples.h"

namespace treacle {

PlaneSamples::PlaneSamples(const Shape& plane, double spacing, const std::vector<double>& depths)
    : dimension_(plane.dimension), spacing_(spacing),
      samples_per_tile_(static_cast<std::size_t>(plane.dimension == 2 ? tile_side : tile_side * tile_side)) {
    for (const double depth : depths) lattices_.emplace_back(plane, spacing, depth);
}

PlaneSamples::Range PlaneSamples::range_near(Vec3d place, double radius, std::size_t layer) const {
    constexpr double countable = 1e15;
    const PlaneLattice& lattice = lattices_[layer];
    if (!(std::abs(lattice.distance(place)) < radius)) return {};
    const auto [u, v] = lattice.coordinates(place);
    if (!(std::abs(u) < countable && std::abs(v) < countable)) return {};
    const double reach = radius / spacing_;
    const double reach_v = dimension_ == 2 ? 0 : reach;
    return {{static_cast<std::int64_t>(std::ceil(v - reach_v)), static_cast<std::int64_t>(std::ceil(u - reach))},
            {static_cast<std::int64_t>(std::floor(v + reach_v)), static_cast<std::int64_t>(std::floor(u + reach))}};
}

void PlaneSamples::need(Vec3d place, double radius, std::vector<Tile>& tiles) const {
    for (std::size_t layer = 0; layer < lattices_.size(); ++layer) {
        const Range range = range_near(place, radius, layer);
        if (range.first[0] > range.last[0] || range.first[1] > range.last[1]) continue;
        for (std::int64_t v = range.first[0] >> tile_bits; v <= range.last[0] >> tile_bits; ++v) {
            for (std::int64_t u = range.first[1] >> tile_bits; u <= range.last[1] >> tile_bits; ++u) {
                if (const Tile tile{v, u}; tiles.empty() || tiles.back() != tile) tiles.push_back(tile);
            }
        }
    }
}

bool PlaneSamples::lay(std::vector<Tile> tiles) {
    std::sort(tiles.begin(), tiles.end());
    tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
    if (tiles == tiles_) return false;
    tiles_ = std::move(tiles);
    points_.clear();
    for (const Tile& tile : tiles_) {
        for (const PlaneLattice& lattice : lattices_) {
            for (std::int64_t v = 0; v < (dimension_ == 2 ? 1 : tile_side); ++v) {
                for (std::int64_t u = 0; u < tile_side; ++u) {
                    points_.push_back(lattice.point(static_cast<double>((tile[1] << tile_bits) + u),
                                                    static_cast<double>((tile[0] << tile_bits) + v)));
                }
            }
        }
    }
    return true;
}

std::size_t PlaneSamples::first_of(const Tile& tile) const {
    const auto found = std::lower_bound(tiles_.begin(), tiles_.end(), tile);
    return static_cast<std::size_t>(found - tiles_.begin()) * lattices_.size() * samples_per_tile_;
}

}  // namespace treacle
