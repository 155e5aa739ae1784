#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "blocks/viscous/wall_drag.h"
#include "math/space.h"
#include "simd/load.h"

namespace treacle {

/// By how much the pairs of a particle must resist more, or less, than viscous_pair.h says, so that the flow around it
/// dissipates what a fluid of its volume does.
///
///   s_i = (V_i (2 D:D + (tr D)²) - Σ_b y_b·A_ib y_b) / ½ Σ_j w_ij (x_ij·D x_ij)²,     1/2 to 2;   y_b = (∇v - Ω_b) n_b
///
/// with w_ij and A_ib for a viscosity of one, n_b from the surface of body b to the particle, Ω_b the turning of the
/// body (as a matrix) and D the symmetric part of ∇v: of the linear flow that fits the velocities of the neighbors, and
/// those of solids at their surfaces, best (least squares with the weights of the pairs). A pair then counts with
/// (s_i + s_j)/2, which leaves the forces opposite, along x_ij, and the system symmetric and positive; drag of walls
/// stays.
///
/// The sum alone is right for many neighbors all around. With a dozen of them it depends on how these lie: layers that
/// slide over each other, as shear makes them, show 0.65 of the viscosity, fluid under tension along the diagonals of
/// its lattice 1.3, and a free surface a half. The direction of D is all that matters, so the factor is of the order
/// one for any speed, and one where nothing moves.
///
/// Limits: two is what a flat free surface needs; in spray, with fewer neighbors, viscosity stays too low.
template <class S>
class ViscousStrength {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    /// `walls` have the drag that samples and viscosity give, `motions` those of the bodies.
    void measure(const FluidView<S>& fluid, const BlockContext<S>& context, double support_radius,
                 std::span<const Real> viscosity, const WallDrag<S>& walls, std::span<const double> motions);

    std::span<const Real> by_particle() const { return by_particle_; }

    /// With which eight pairs of particle i count.
    template <class P>
    static TREACLE_SIMD_INLINE P mean(std::span<const Real> strength, std::size_t i, const std::uint32_t* j) {
        return P(Real(0.5)) * (P(strength[i]) + simd::load_lanes<P>(strength.data(), j));
    }

private:
    std::vector<Real> by_particle_;
};

}  // namespace treacle
