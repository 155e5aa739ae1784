#pragma once

#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"

namespace treacle {

/// Friction between neighbors that only motion at the scale of particles feels:
///
///   (L v)_i = 1/2 Σ_j m_j/ρ_ij W_ij e e·(v_j - v_i),   e = x_ij/|x_ij|,   ρ_ij = (ρ_i + ρ_j)/2,   ρ = m/V
///   v -= (1 - exp(-rate dt)) L L v
///
/// An explicit equation of state lets every jolt ring on as sound, and sound ends as random motion of particles: a thin
/// fluid never rests. L is a friction along the line between two particles, with eigenvalues from -1 to 0 in fluid of
/// one density. Once applied it is a viscosity; twice, it goes with the fourth power of the wave number. On a lattice,
/// with a support radius of 2.2 spacings, what moves to and fro from particle to particle dies at 0.10 (3D 0.06) times
/// the rate, a wave of ten spacings at 0.0009 (0.0006) times; waves across their direction at a twentieth of that.
///
/// Reads position, mass, volume; changes velocities. Both factors are symmetric sums of central forces: momentum and
/// angular momentum stay, energy never rises, and neither translation nor rotation of a whole body is damped, surfaces
/// included.
///
/// Limits: solids take no part.
template <class S>
class NoiseDamping {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    double support_radius = 0;  ///< m
    double rate = 0;            ///< 1/s; 0: nothing is damped

    void apply(const FluidView<S>& fluid, const BlockContext<S>& context);

private:
    /// L of `values`, whose w is the density ρ.
    void smooth(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Row> values,
                std::span<Row> result) const;

    std::vector<Row> velocity_, once_, twice_;
};

}  // namespace treacle
