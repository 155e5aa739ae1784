#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "surface_mesh/block_grid.h"
#include "surface_mesh/surface_mesh.h"

namespace treacle {

/// Particles sorted into cells for sums over those near a point, weighted by W(r) = (1 - r²/R²)³ within R.
///
/// R is proportional to the size of a particle, but at least two steps of the grid; a smaller particle is then weighted
/// by its volume.
///
/// Lengths are in steps of a grid, and a cell is a block of it at least as wide as R, so that only the 27 cells around
/// a point count for it. The grid is fixed in space: fluid at rest does not flicker from frame to frame.
class ParticleCells {
public:
    static constexpr double radius_in_spacings = 2.0;  ///< R

    /// `positions` must have passed check().
    ParticleCells(std::span<const Vec3f> positions, double spacing, double resolution, const Parallel& parallel,
                  std::span<const float> sizes = {});

    /// An error if a position is NaN or does not fit into the grid.
    static Result<void> check(std::span<const Vec3f> positions, double spacing);

    double step() const { return step_; }  ///< m
    int side() const { return side_; }     ///< steps of a cell along an axis
    const BlockIndex& cells() const { return cells_; }

    // n counts particles in the order of the cells.
    Vec3f position(std::size_t n) const { return position_[n]; }           ///< in steps
    std::uint32_t particle(std::size_t n) const { return particle_[n]; }   ///< number in the input
    std::size_t first_of(std::size_t cell) const { return first_[cell]; }  ///< where a cell begins

    /// W of the n-th for a squared distance in steps.
    float weight(std::size_t n, float square) const {
        const Reach& reach = reach_.empty() ? whole_ : reach_[n];
        const float rest = std::max(0.0f, 1 - square * reach.per_square);
        return reach.share * (rest * rest * rest);
    }
    /// R of the n-th in steps.
    float radius(std::size_t n) const { return reach_.empty() ? whole_.radius : reach_[n].radius; }

    BlockPlace cell_of(Vec3f point) const {
        const auto width = static_cast<float>(side_);
        const auto along = [&](float x) { return static_cast<std::int32_t>(std::floor(x / width)); };
        return {along(point.x), along(point.y), along(point.z)};
    }

    /// visit(first, last) for the places of the particles in each of the cells around one, in a fixed order.
    template <class Visit>
    void for_each_cell_around(const BlockPlace& place, const Visit& visit) const {
        for (int z = -1; z <= 1; ++z) {
            for (int y = -1; y <= 1; ++y) {
                for (int x = -1; x <= 1; ++x) {
                    const std::uint32_t cell = cells_.find({place[0] + x, place[1] + y, place[2] + z});
                    if (cell != BlockIndex::none) visit(first_[cell], first_[cell + 1]);
                }
            }
        }
    }

    /// Σ_k W(x_k - x_n) for every particle, itself included, by place.
    std::vector<float> crowding(const Parallel& parallel) const;

    /// The same for a particle of a lattice that fills all space below it, and these layers above; 2 are deep inside.
    static float lattice_crowding(int layers_above);

private:
    /// Range of a particle.
    struct Reach {
        float radius;      ///< R, steps
        float per_square;  ///< 1/R²
        float share = 1;   ///< its volume over that of a particle with this R
    };
    static Reach reach_of(double resolution, double size);

    double step_;
    Reach whole_;
    std::vector<Reach> reach_;  ///< by place; empty: all are whole
    int side_;
    BlockIndex cells_;
    std::vector<std::uint32_t> first_;  ///< one more at the end
    std::vector<std::uint32_t> particle_;
    std::vector<Vec3f> position_;
};

}  // namespace treacle
