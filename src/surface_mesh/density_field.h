#pragma once

#include <span>
#include <vector>

#include "core/parallel.h"
#include "surface_mesh/block_grid.h"
#include "surface_mesh/particle_cells.h"
#include "surface_mesh/surface_mesh.h"

namespace treacle {

/// The amount of fluid at a point, from 0 outside to about 1.5 deep inside:
///
///   field(x) = Σ_j share_j W(x - x_j),   share_j = 1 / min(Σ_k W(x_k - x_j), the same at the face of a lattice).
///
/// Dividing by the particles around a particle (itself included) makes threads, sheets and single drops as dense as a
/// face, so one level holds for all of them. Where there are more particles than at a face, their number is not divided
/// away: some methods crowd particles at the surface, which then lies farther out.
class DensityField {
public:
    DensityField(const ParticleCells& cells, const Parallel& parallel);

    const BlockGrid& grid() const { return grid_; }

    /// Level of the surface: the field of a half space filled with a lattice, half a spacing above its last layer.
    static float flat_level();

    /// For each point (in steps) the mean or the nearest value of the particles' columns.
    std::vector<SurfaceColumn> inherit(std::span<const Vec3f> points, std::span<const SurfaceColumn> columns,
                                       const Parallel& parallel) const;

    /// For each point the number of particles near it, Σ_j W(x - x_j): less at threads and drops than at bodies.
    std::vector<float> crowding(std::span<const Vec3f> points, const Parallel& parallel) const;

private:
    void add(float* block, Vec3f p, std::uint32_t n) const;  ///< the n-th particle; p relative to the block

    const ParticleCells& cells_;
    std::vector<float> share_;  ///< by place in the order of the cells
    BlockGrid grid_;
};

}  // namespace treacle
