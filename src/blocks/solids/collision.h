#pragma once

#include <cstdint>
#include <span>
#include <utility>
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
///   the pressure of the wall on the fluid as well. Single particles at a wall are pressed and pulled at random, so the
///   normal impulse is that of a patch of wall (wall_load.h). The report's fraction μ per step would change with dt.
/// Departure: projecting a particle out changes its position only. Were the velocity taken from the positions
///   afterwards, a particle found inside (a body that moved in) would be shot out.
template <class S>
struct Collision {
    using Real = typename S::Real;

    enum class Friction { coulomb, fraction, fraction_as_printed };

    Real contact_distance = 0;  ///< m; centers are kept at least this far from the surface
    Real grip_distance = 0;     ///< m; closer than this a particle feels friction, or moves with a no-slip wall
    Real stick_distance = 0;    ///< d_stick, m
    Real stick_strength = 0;    ///< k_stick of a body with adhesion 1, 1/s²
    Friction friction = Friction::coulomb;

    bool rub_moves = true;  ///< rub() comes after the particles were moved, and moves them by what it changes
    /// Walls must reach at least this far.
    Real reach = 0;

    /// Velocities of bodies as they were before meet().
    using Kept = std::vector<std::pair<Vec3d, Vec3d>>;

    /// Gives every body that forces can move the velocity with which it will leave this step's contacts, so that stop()
    /// and rub() bring particles to a velocity that the body can have. Were it taken for immovable, a light one would
    /// get many times the momentum that stops it and bounce to and fro. The common velocity V solves
    ///   (M + Σ m_i Gᵀ(n nᵀ + s (1 - n nᵀ))G) V = M V_old + Σ m_i Gᵀ(n nᵀ + s (1 - n nᵀ)) v_i + forces so far,
    /// over the particles that approach (n nᵀ) or rub (s is the share of slip they lose), G V being the velocity at i.
    Kept meet(const WallRows<S>& walls, std::span<const Real> mass, std::span<const Real> pressed, Real dt,
              const Parallel& parallel, std::span<const typename S::Row> position,
              std::span<const typename S::Row> velocity, Bodies& bodies) const;

    /// After stop() and rub(): the velocities from which the bodies' forces count.
    static void part(const Kept& kept, Bodies& bodies);

    /// Stops the approach, projects out and sticks. `wall_displacement` comes in as what the walls' pressure moved each
    /// particle in this step and goes out with what stopping took as well.
    void stop(const WallRows<S>& walls, std::span<const Real> mass, Real dt, const Parallel& parallel,
              std::span<typename S::Row> position, std::span<typename S::Row> velocity,
              std::span<typename S::Row> wall_displacement, Bodies& bodies) const;

    /// Friction; `pressed` is the acceleration by which walls press each particle (wall_load.h).
    void rub(const WallRows<S>& walls, std::span<const Real> mass, std::span<const Real> pressed, Real dt,
             const Parallel& parallel, std::span<typename S::Row> position, std::span<typename S::Row> velocity,
             Bodies& bodies) const;

private:
    Real share_lost(const Wall& wall, const Body& body, Real slip, Real pressed) const;
};

}  // namespace treacle
