#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/discretization/mps_walls.h"
#include "blocks/discretization/particle_sizes.h"
#include "blocks/fluid_view.h"
#include "blocks/pair_vectors.h"
#include "core/parallel.h"
#include "math/mat3.h"
#include "math/space.h"
#include "neighbors/neighbors.h"

namespace treacle {

/// The arrangement of the particles in a step, as the moving particle semi-implicit method measures it: number
/// densities, which particles make the free surface, and the gradient with the correction of Iribe and Nakaza (2011;
/// eq. 13 of Mukai et al. 2021).
///
///   n_i = Σ_j w_ij                                                      number density, walls included
///   <∇f>_i = [ Σ_j (f_j - f_i) c_ij ] B_i,   c_ij = (d/n0) w/r² x_ij    gradient, exact for linear fields
///   B_i = [ Σ_j x_ij c_ijᵀ ]⁻¹                                          the unit matrix on a lattice
///   surface: n_i < 0.97 n0, and no neighbor within 45° of the outward normal -Σ w x̂_ij; or n_i < 0.3 n0
///   smooth density: Σ_j W_ij with the cubic spline of SPH over that of the lattice, the particle itself included
///   near the surface: Σ_j (1 - h_ij) W_ij, h the height of j above i along the outward normal, in half spacings, from
///     -1 to 1
///
/// The weight w is infinite at r = 0, so n depends more on how evenly the nearest neighbors stand than on their
/// number; volumes are measured by the smooth density. Where neighbors are missing on one side, the other counts twice,
/// as if the fluid were mirrored at the particle. On cylinders cut out of a disturbed lattice this gives 0.94 to 0.98
/// of the density for the outermost layer and 0.99 to 1.01 for the next, down to a radius of 2.5 spacings, where plain
/// sums have 0.61 and 0.86; at 1.5 spacings 0.84 and 0.89.
///
/// Particles may differ in size: see particle_sizes.h. Then rows of neighbors lose those that are farther away than the
/// wide radius of the pair.
///
/// Three radii: `close` for gradients and number densities, `dashpot` for viscosity, `wide` for volumes and the
/// direction of the surface, which should not depend on single neighbors. Where neighbors lie in a plane or on a
/// line, B_i does not exist and is the unit matrix; fallbacks() counts these.
///
/// Reads position, walls; shortens rows of neighbors of unequal size. Gathers only.
template <class S>
class MpsGeometry {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    MpsGeometry() = default;
    /// Radii in meters. `walls_stick`: any friction but 0 holds fluid.
    MpsGeometry(double close_radius, double dashpot_radius, double wide_radius, double spacing,
                bool walls_stick = false)
        : weights_{{close_radius, spacing},
                   {wide_radius, spacing},
                   {dashpot_radius, spacing},
                   CubicSpline<S>(wide_radius),
                   spacing,
                   walls_stick},
          smooth_lattice_sum_(lattice_sum(weights_.smooth, spacing)) {}

    const MpsWeight<S>& close() const { return weights_.close; }
    const DashpotWeight<S>& dashpot() const { return weights_.dashpot; }
    double spacing() const { return weights_.spacing; }
    Vec period() const { return period_; }  ///< of the last update; see nearest_image.h

    /// Rows of neighbors must reach the wide radius, which is the largest. They and the numbers that `sizes` refers to
    /// must stay as long as the geometry is used.
    void update(const FluidView<S>& fluid, const BlockContext<S>& context, ParticleSizes<S> sizes = {});

    std::size_t size() const { return density_.size(); }
    const ParticleSizes<S>& sizes() const { return sizes_; }
    const MpsWalls<S>& walls() const { return walls_; }
    const Neighbors<S>& close_rows() const { return close_rows_; }
    /// Rows that reach the radius of dashpots, and may reach farther.
    const Neighbors<S>& dashpot_rows() const {
        return dashpot().support_radius() > close().support_radius() ? *wide_rows_ : close_rows_;
    }

    std::span<const Real> density() const { return density_; }                  ///< n_i/n0
    std::span<const Real> dashpot_density() const { return dashpot_density_; }  ///< the same of the weight of dashpots
    std::span<const Real> smooth_density() const { return smooth_density_; }    ///< as above
    std::span<const std::uint8_t> surface() const { return surface_; }          ///< 1 at the free surface
    std::span<const std::uint8_t> surrounded() const {
        return surrounded_;
    }                                                        ///< 1: neither it nor any close neighbor is at the surface
    std::span<const Vec> normal() const { return normal_; }  ///< out of the fluid, length 1; zero where there is none
    std::span<const Vec> crowding() const { return crowding_; }  ///< Σ w x̂_ij / n0, away from where there is room
    std::span<const SymMat<Real>> correction() const { return correction_; }  ///< B_i
    std::span<const SymMat<Real>> spread() const { return spread_; }          ///< Σ_j x_ij c_ijᵀ; in 2D its zz is 1
    std::span<const std::uint8_t> fell_back() const {
        return fell_back_;
    }  ///< 1 where neighbors are too few for a correction
    std::size_t fallbacks() const { return fallbacks_; }
    const PairVectors<S>& gradient_pairs() const { return gradient_pairs_; }                   ///< c_ij
    Real gradient_scale() const { return static_cast<Real>(S::dim / close().lattice_sum()); }  ///< d/n0

    /// How much denser than at rest a particle's surroundings are, as a share, by the smooth density; 0 where
    /// neighbors are too few.
    double compression(std::size_t i) const {
        return fell_back_[i] ? 0.0 : std::max(0.0, static_cast<double>(smooth_density_[i]) - 1);
    }

private:
    void sum_wide(const FluidView<S>& fluid, const Parallel& parallel);
    void sum_close(const FluidView<S>& fluid, const Parallel& parallel);
    void find_surface(const FluidView<S>& fluid, const Parallel& parallel);
    void mirror_density(const FluidView<S>& fluid, const Parallel& parallel);

    static double lattice_sum(const CubicSpline<S>& kernel, double spacing);

    MpsWeights<S> weights_;
    Vec period_{};
    ParticleSizes<S> sizes_;
    double smooth_lattice_sum_ = 1;
    const Neighbors<S>* wide_rows_ = nullptr;
    Neighbors<S> close_rows_;
    MpsWalls<S> walls_;
    PairVectors<S> gradient_pairs_;
    std::vector<Real> density_, dashpot_density_, smooth_density_;
    std::vector<std::uint8_t> surface_, surrounded_;
    std::vector<Vec> normal_, crowding_;
    std::vector<SymMat<Real>> correction_, spread_;
    std::vector<std::uint8_t> fell_back_;
    std::size_t fallbacks_ = 0;
};

}  // namespace treacle
