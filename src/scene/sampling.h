#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/parallel.h"
#include "scene/scene.h"

namespace treacle {

/// More particles than this are refused: their ids and links are 32-bit numbers.
inline constexpr double max_particles = 1e9;

/// The particles of one fluid at the start, in the order of their sample numbers (x fastest, then y, then z, on a
/// lattice of the shape as drawn).
struct FluidSamples {
    std::vector<Vec3d> positions;   ///< m
    std::vector<Vec3d> velocities;  ///< m/s
    double particle_mass = 0;       ///< kg (in 2D kg per meter of depth)
    double spacing = 0;             ///< m; on a lattice the smallest edge of a cell
    std::size_t removed = 0;        ///< points left out because they stand inside a solid
};

/// Fills the shape of a fluid with a lattice, or with as many points packed without order (relaxed_packing.h).
///
/// A box holds round(size / spacing) points along each axis, at least one, at the centers of equal cells. A sphere gets
/// a lattice with one point at the center, and the points inside are kept; points on the surface are not inside. In all
/// other shapes the same is done along the axes in which they are drawn, with a point or the middle between two in the
/// middle of the shape's bounds, whichever gives the number of points closest to the volume in cells. With `count` the
/// lattice is made coarser or finer until it holds that many points. In a box, the product of the numbers along the
/// axes comes as close to the count as possible while the cells stay within a quarter of a cube's edge. In a sphere the
/// points come in shells, so the nearest sum of shells is taken. In other shapes the edge is corrected several times by
/// the result. A relaxed packing holds exactly the count.
///
/// Every particle weighs density × volume of the shape / points. Points closer to a solid (in its pose at time 0)
/// than a quarter of the lattice spacing are left out, which keeps a lattice that lies flush against a wall; the
/// mass of the others stays.
///
/// The predicted_count must be at most max_particles.
FluidSamples sample_fluid(const Fluid& fluid, const Scene& scene, const Parallel& parallel = Parallel(1));

/// Number of points before any are left out, at next to no cost: exact up to 1e8, above it from the volume.
double predicted_count(const Fluid& fluid, const Scene& scene);

/// How many places sample_fluid would search for the `count` of a fluid, if that is too many to finish soon; else
/// nothing. It happens for shapes that are thin and oblique to the axes: hardly any place in their bounds is inside.
std::optional<double> endless_search(const Fluid& fluid);

/// Whether sample_fluid would give any particle. Stops at the first, and assumes so after a million points. Uses the
/// lattice even for a relaxed packing, which is slow and fills the same places.
bool has_particles(const Fluid& fluid, const Scene& scene);

}  // namespace treacle
