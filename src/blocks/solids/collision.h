#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "blocks/solids/walls.h"
#include "core/parallel.h"
#include "math/space.h"

namespace treacle {

/// Contact of particles with solids (Clavet et al. 2005, section 6; Tang's report, section 4.2.7 and eq. 7).
///
///   v̄ = v_i - v_body = v_n + v_t;   I = v_n + friction;   x_i -= dt I;   if still inside: projected out
///   stickiness: Δv = -dt k_stick d (1 - d/d_stick) n  for 0 < d < d_stick
///
/// Reads and writes position and velocity; adds the opposite impulses to the bodies' force and torque (in blocks,
/// so that the sum has the same bits for any number of threads).
///
/// Departure: eq. 7 prints v_n - μ v_t. Subtracted, that cancels the approach but speeds up the tangent; added, it
///   brakes the tangent but doubles the penetration. The sum v_n + μ v_t is right.
/// Departure: μ is Coulomb's coefficient: the tangential velocity loses at most μ times the normal impulse, counting
///   the pressure of the wall on the particle as well. The report's fraction μ per step would change with dt.
/// Departure: projecting a particle out changes its position only. Were the velocity taken from the positions
///   afterwards, a particle found inside (a body that moved in) would be shot out.
template <class S>
struct Collision {
    using Real = typename S::Real;

    enum class Friction { coulomb, fraction, fraction_as_printed };

    Real contact_distance = 0;    ///< m; centers are kept at least this far from the surface
    Real grip_distance = 0;       ///< m; closer than this a particle moves with a no-slip wall
    Real stick_distance = 0;      ///< d_stick, m
    Real stick_strength = 0;      ///< k_stick of a body with adhesion 1, 1/s²
    Friction friction = Friction::coulomb;

    /// Walls must reach at least this far.
    Real reach() const { return contact_distance > stick_distance ? contact_distance : stick_distance; }

    /// `wall_displacement` is what the walls' pressure moved each particle in this step.
    void resolve(const WallRows<S>& walls, std::span<const Real> mass,
                 std::span<const typename S::Row> wall_displacement, Real dt, const Parallel& parallel,
                 std::span<typename S::Row> position, std::span<typename S::Row> velocity, Bodies& bodies) const;

private:
    struct Contact {
        typename S::Vec shift;      ///< of the position
        typename S::Vec change;     ///< of the velocity
    };
    Contact against(const Wall& wall, const Body& body, typename S::Vec position, typename S::Vec velocity,
                    typename S::Vec wall_displacement, Real dt) const;
};

}  // namespace treacle
