#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "surface_mesh/block_grid.h"
#include "surface_mesh/surface_mesh.h"

namespace treacle {

/// How much fluid there is at a point, from 0 outside to about 1 deep inside:
///
///   field(x) = Σ_j share_j W(x - x_j),   share_j = 1 / Σ_k W(x_k - x_j),   W(r) = (1 - r²/R²)³ for r < R.
///
/// Dividing by the particles around each particle (itself included) makes threads, sheets and single drops as dense as
/// the inside, so one level holds for all of them.
///
/// Lengths are in steps of the grid from here on; the grid is fixed in space, so that what stands still does not flicker
/// from frame to frame.
class DensityField {
public:
    static constexpr double radius_in_spacings = 2.0;   ///< R

    /// `positions` must be finite and fit into the grid (checked by the caller).
    DensityField(std::span<const Vec3f> positions, double spacing, double resolution, const Parallel& parallel);

    double step() const { return step_; }           ///< m between points of the grid
    const BlockGrid& grid() const { return grid_; }

    /// Level of the surface: the field of a half space filled with a lattice, half a spacing above its last layer.
    static float flat_level();

    /// For each point the means and the nearest values of columns of the particles.
    std::vector<SurfaceColumn> inherit(std::span<const Vec3f> points, std::span<const SurfaceColumn> columns,
                                       const Parallel& parallel) const;

    /// For each point how many particles are near it, Σ_j W(x - x_j): less at threads and drops than at bodies.
    std::vector<float> crowding(std::span<const Vec3f> points, const Parallel& parallel) const;

private:
    void sort_particles(std::span<const Vec3f> positions, const Parallel& parallel);
    void find_shares(const Parallel& parallel);
    void fill(const Parallel& parallel);

    template <class Visit>
    void for_each_cell_around(const Place& place, const Visit& visit) const;
    Place cell_of(Vec3f point) const;

    double step_;
    float radius_;                           ///< R in steps
    BlockIndex cells_;                       ///< that hold particles, as large as the blocks of the grid
    std::vector<std::uint32_t> first_;       ///< particle of each cell, one more at the end
    std::vector<std::uint32_t> particle_;    ///< number, in the order of the cells
    std::vector<Vec3f> position_;            ///< in steps
    std::vector<float> share_;
    BlockGrid grid_;
};

}  // namespace treacle
