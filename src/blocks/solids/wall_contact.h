#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "blocks/solids/shared_velocity.h"
#include "blocks/solids/wall_load.h"
#include "blocks/solids/walls.h"
#include "math/space.h"

namespace treacle {

/// Stops particles at walls, and slows those that slide along them (Clavet et al. 2005, section 6; Tang's report,
/// section 4.2.7 and eq. 7).
///
///   v̄ = v_i - v_body = v_n + v_t;   I = v_n + friction;   x_i -= dt I;   if still inside: projected out
///   stickiness: Δv = -dt k_stick d (1 - d/d_stick) n  for 0 < d < d_stick
///
/// Three parts have files of their own: which walls a particle is near (walls.h), how strongly they press it
/// (wall_load.h), and the velocity with which a body that can move leaves the contact (shared_velocity.h).
///
/// Reads and writes position and velocity; adds the opposite impulses to the bodies' force and torque.
///
/// Departure: eq. 7 prints v_n - μ v_t. Subtracted, that cancels the approach but speeds up the tangent; added, it
///   brakes the tangent but doubles the penetration. The sum v_n + μ v_t is right.
/// Departure: μ is Coulomb's coefficient: the tangential velocity loses at most μ times the normal impulse, counting
///   the pressure of the wall on the fluid as well. Single particles at a wall are pressed and pulled at random, so the
///   normal impulse is that of a patch of wall (wall_load.h). The report's fraction μ per step would change with dt.
/// Departure: a Newtonian fluid does not rub: its own stress, viscosity, is all that a wall can hold it by
///   (viscous/wall_drag.h). Rubbed like a solid, a thin one would hang on the walls of its vessel.
/// Departure: fluid that relaxes is rubbed by no more than its own stress (own_hold.h).
/// Departure: projecting a particle out changes its position only. Were the velocity taken from the positions
///   afterwards, a particle found inside (a body that moved in) would be shot out.
template <class S>
class WallContact {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    enum class Friction { coulomb, fraction, fraction_as_printed };

    struct Settings {
        Real contact_distance = 0;  ///< m; centers are kept at least this far from the surface
        Real grip_distance = 0;     ///< m; closer than this a particle feels friction, or moves with a no-slip wall
        Real stick_distance = 0;    ///< d_stick, m
        Real stick_strength = 0;    ///< k_stick of a body with adhesion 1, 1/s²
        Friction friction = Friction::coulomb;
        std::vector<std::uint8_t> flows{};     ///< by material, 1: held by viscosity and not rubbed; empty: none
        std::vector<Real> steady_viscosity{};  ///< Pa·s by material, limits friction (own_hold.h); empty: infinite
        bool friction_moves = true;    ///< friction comes after particles were moved, and moves them by what it changes
        double reach = 0;              ///< m, at least the distances above; walls further away are not looked for
        const char* stage = "solids";  ///< of the timer
    };
    Settings settings{};
    WallLoad<S> load{};

    /// Finds the walls within reach of every particle; the functions below do so themselves.
    void find_walls(const FluidView<S>& fluid, const BlockContext<S>& context, double reach);
    const WallRows<S>& walls() const { return walls_; }

    /// Stops what approaches a wall, puts out what is inside, and lets walls stick. `wall_displacement` comes in as
    /// what the walls' pressure moved each particle in this step and goes out with what stopping took as well; from it
    /// follows `pressed`, the load of the wall on each particle as an acceleration, a mean over several steps.
    void keep_out(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<Row> wall_displacement,
                  std::span<Real> pressed);

    /// The same for methods that have no friction, and so need no load.
    void keep_out(const FluidView<S>& fluid, const BlockContext<S>& context);

    /// keep_out(), and then friction in the same contact.
    void keep_out_with_friction(const FluidView<S>& fluid, const BlockContext<S>& context,
                                std::span<Row> wall_displacement, std::span<Real> pressed);

    /// Friction alone, with the load of the steps before.
    void apply_friction(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> pressed);

private:
    class BodiesInContact;

    void stop(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<Row> wall_displacement) const;
    void slow_slip(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> pressed) const;
    bool rubs(std::uint8_t material) const { return settings.flows.empty() || settings.flows[material] == 0; }
    void join(const FluidView<S>& fluid, const BlockContext<S>& context, std::size_t i, Real pressed,
              std::span<SharedVelocity> shared) const;
    Real share_lost(const FluidView<S>& fluid, std::size_t i, Real dt, const Wall& wall, const Body& body, Real slip,
                    Real pressed) const;

    WallRows<S> walls_;
    std::vector<Real> no_load_;    ///< zeros
    std::vector<Row> by_contact_;  ///< where a method does not ask for it
};

}  // namespace treacle
