#pragma once

#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/discretization/particle_sizes.h"
#include "blocks/fluid_view.h"
#include "math/space.h"

namespace treacle {

/// Surface tension of the moving particle semi-implicit method by a potential between particles (Kondo, Koshizuka,
/// Suzuki, Takimoto 2007: Surface Tension Model Using Inter-Particle Force in Particle Method), in N/m:
///
///   F_ij = -C (r - l0)(r - r_e) x̂_ij,  r < r_e         towards j beyond a spacing, away from it within
///   φ(r) = (r - 3/2 l0 + r_e/2)(r - r_e)²/3            the energy of a pair is -C φ
///   2 σ l0² = C Σ_(i in A, j in B) φ(r_ij)             A a column of the lattice below a plane, B all above it
///
/// Parting a fluid along a plane takes 2σ per area, whence C (2D: 2 σ l0 = C Σ φ). Solids pull with `adhesion` times C;
/// with 1 they are wet, with 0 fluid meets them as it meets air. Between particles of unequal size (particle_sizes.h)
/// the energy of a pair is (s_i s_j/s_ij²)^d s_ij^(d-1) times that of whole ones at the distance r/s_ij.
///
/// Reads position, mass, material; adds to acceleration, and the reaction to force and torque of bodies. Conserves
/// linear and angular momentum: forces are along x_ij and opposite.
///
/// Limits: within the fluid the pulls of all around are balanced by pressure, so that this pressure is not zero in a
/// fluid at rest. Explicit: capillary waves limit the step.
template <class S>
class PotentialTension {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    PotentialTension() = default;
    /// `tension` is by material, N/m; a pair has the mean.
    PotentialTension(double radius, double spacing, std::vector<Real> tension);

    /// Whether any material has a tension.
    bool active() const;

    /// Rows of neighbors must reach the radius.
    void apply(const FluidView<S>& fluid, const BlockContext<S>& context, const ParticleSizes<S>& sizes,
               std::span<Row> acceleration) const;

private:
    Real strength(Real r) const { return r < radius_ ? -(r - spacing_) * (r - radius_) : Real(0); }

    /// Force between two of unequal size over that of whole ones at the distance r/s_ij.
    static Real of_pair(const PairSize<Real>& size) {
        return size.share * (size.share * size.other) * (S::dim == 3 ? 1 / size.shrink : Real(1));
    }

    Real radius_ = 0, spacing_ = 0;
    std::vector<Real> tension_;
    Real per_tension_ = 0;  ///< C/σ
};

}  // namespace treacle
