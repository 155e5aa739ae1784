#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/discretization/mps_geometry.h"
#include "blocks/fluid_view.h"
#include "math/mat3.h"

namespace treacle {

/// Particles move with the flow, and besides towards where there is room: flow makes them uneven, and the sums of the
/// moving particle method are exact only where they stand evenly. With the crowding C_i = Σ_j w_ij x̂_ij/n0, the rate
/// of strain D, and l0 the spacing of the particle:
///
///   x += dt v + δ,   δ = -min(dt max(r, q √(2 D:D)), 1/2) l0 C_i,   |δ| <= 0.2 l0
///
/// At the surface only the part of δ along it counts.
///
/// Velocities stay with the particles: momentum and kinetic energy are conserved. Were v + ∇v δ taken for them, a layer
/// that spreads away from a wall and flows back would gain momentum with every step, and the gradients of a splash,
/// some of which are extrapolations, would make energy (docs/decisions/spreading-keeps-momentum.md). Angular momentum
/// changes by Σ m δ × v.
///
/// Reads velocity, its gradient and the geometry; changes position.
template <class S>
class ParticleShifting {
public:
    using Real = typename S::Real;
    using Vec = typename S::Vec;

    double rate = 0;                  ///< r, 1/s, at least
    double per_strain = 0;            ///< q
    std::vector<std::uint8_t> fixed;  ///< by material; 1: particles move with the flow and no more

    void advance(const FluidView<S>& fluid, const BlockContext<S>& context, const MpsGeometry<S>& geometry,
                 std::span<const Mat3<Real>> gradient) const;
};

}  // namespace treacle
