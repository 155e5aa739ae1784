#pragma once

#include "surface_mesh/surface_mesh.h"

namespace treacle {

/// Takamatsu & Kanai 2011, section 3.4, for comparison with their Table 1: particles whose density is low lie on the
/// surface; the distance to them is put on a dense grid around all particles; marching cubes draw the surface where it
/// is `distance`.
///
/// Departures: the paper does not say how to distinguish points inside from points outside, which are both far from the
/// surface particles; here a point is inside if a particle that is not on the surface is within `distance`. The density
/// is counted with our own weight function and compared with that of a lattice. Steps of the grid are the same along
/// all axes, the smallest with which the particles fit.
struct DensityThreshold {
    double spacing = 0;                      ///< m between particles at rest
    std::array<int, 3> grid{128, 128, 128};  ///< points, at least 8 along each axis
    double threshold = 0.9;                  ///< ρ_s, in densities of a lattice; a face of it has 0.8
    double distance = 0.9;                   ///< in spacings; balls of this radius leave no gaps in a lattice

    /// Whether each particle lies on the surface.
    std::vector<std::uint8_t> surface_particles(const std::vector<Vec3f>& positions, const Parallel& parallel) const;

    /// Points inherit the columns of the particles as in reconstruct_surface().
    Result<SurfaceMesh> reconstruct(const SurfaceParticles& particles, const Parallel& parallel) const;
};

}  // namespace treacle
