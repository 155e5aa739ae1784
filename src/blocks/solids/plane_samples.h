#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "blocks/solids/surface_samples.h"

namespace treacle {

/// Samples of an infinite plane, laid in tiles where they are needed. What is laid, and in which order, depends on the
/// present need alone, not on what was laid before: a resumed run has the same bits.
class PlaneSamples {
public:
    using Tile = std::array<std::int64_t, 2>;  ///< v, then u: in the order of storage

    /// A layer at each of these depths below the plane.
    PlaneSamples(const Shape& plane, double spacing, const std::vector<double>& depths);

    /// Adds the tiles that hold samples within the radius of a place, perhaps several times.
    void need(Vec3d place, double radius, std::vector<Tile>& tiles) const;

    /// Lays exactly these tiles, in any order and number. Returns whether anything has changed.
    bool lay(std::vector<Tile> tiles);

    const std::vector<Vec3d>& points() const { return points_; }
    std::size_t layer_of(std::size_t sample) const { return sample / samples_per_tile_ % lattices_.size(); }

    /// visit(first, last) for runs of samples that hold all within the radius of a place; layer by layer, u fastest.
    /// The tiles must have been laid.
    template <class Visit>
    void for_each_run(Vec3d place, double radius, const Visit& visit) const {
        for (std::size_t layer = 0; layer < lattices_.size(); ++layer) {
            const Range range = range_near(place, radius, layer);
            for (std::int64_t v = range.first[0]; v <= range.last[0]; ++v) {
                for (std::int64_t u = range.first[1]; u <= range.last[1];) {
                    const Tile tile{v >> tile_bits, u >> tile_bits};
                    const std::size_t row = first_of(tile) + layer * samples_per_tile_ + row_in_tile(v);
                    const std::int64_t last = std::min(range.last[1], (tile[1] << tile_bits) | tile_mask);
                    visit(row + static_cast<std::size_t>(u & tile_mask),
                          row + static_cast<std::size_t>(last & tile_mask) + 1);
                    u = last + 1;
                }
            }
        }
    }

private:
    static constexpr int tile_bits = 4;
    static constexpr std::int64_t tile_side = 1 << tile_bits;
    static constexpr std::int64_t tile_mask = tile_side - 1;

    struct Range {
        Tile first{0, 0}, last{-1, -1};  ///< of lattice points, v and u
    };
    Range range_near(Vec3d place, double radius, std::size_t layer) const;
    std::size_t first_of(const Tile& tile) const;  ///< sample of a laid tile
    std::size_t row_in_tile(std::int64_t v) const { return static_cast<std::size_t>((v & tile_mask) << tile_bits); }

    int dimension_;
    double spacing_;
    std::vector<PlaneLattice> lattices_;  ///< per layer
    std::size_t samples_per_tile_;        ///< and layer
    std::vector<Tile> tiles_;             ///< sorted
    std::vector<Vec3d> points_;
};

}  // namespace treacle
