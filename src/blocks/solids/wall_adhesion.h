#pragma once

#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "blocks/moving_positions.h"
#include "blocks/solids/walls.h"
#include "math/space.h"

namespace treacle {

/// Solids hold fluid that is drawn away from them, up to a stress. None of the papers has it.
///
///   strength = adhesion (τ + T η max(∂v_n/∂n, v_n/d))   Pa
///   Δv_i = -min(1, strength V_i w(s_i) dt / (m_i v_n)) v_n n                          where v_n > 0
///
/// v_n is the velocity away from the wall, relative to it, and s the distance. The weight w is 1/d up to 3/4 of a
/// spacing d and falls to zero at 5/4. Its integral is 1, so that a layer of fluid at the wall is held with `strength`
/// times its area, however its particles lie; farther away nothing is held.
///
/// The body's `adhesion` is a multiple of the stress by which the fluid itself resists being parted: τ at rest (of
/// surface tension, 2σ/d, and of elasticity, the modulus), and that of viscosity where fluid is stretched at the wall,
/// with Trouton's factor T (3; in 2D 4). Above 1 a fluid parts within rather than at the wall.
///
/// Nothing is pulled: what does not part is not held, so that fluid at rest on a sticky floor feels nothing.
///
/// Reads positions, masses and velocities, changes velocities (and displacements), and adds the reaction to bodies; the
/// momentum of fluid and bodies stays. Bodies that forces move are held at the velocity that they share with the fluid.
template <class S>
class WallAdhesion {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    struct Material {
        Real density = 1000;  ///< kg/m³, at rest
        Real own_stress = 0;  ///< τ, Pa
        Real viscosity = 0;   ///< η, Pa·s
    };
    struct Settings {
        double spacing = 0;  ///< d, m
        std::vector<Material> materials{};
    };
    Settings settings{};

    /// For particles that will be moved by dt times their velocity.
    void hold(const FluidView<S>& fluid, const BlockContext<S>& context);

    /// For particles whose velocities will be made of their displacements.
    void hold(const FluidView<S>& fluid, const BlockContext<S>& context, MovingPositions<S>& moving);

private:
    /// All that the functions above are promised.
    bool ready(const FluidView<S>& fluid, const BlockContext<S>& context) const;
    /// Share of its velocity away from the wall that a particle loses.
    template <class Velocity>
    Real share_lost(const FluidView<S>& fluid, const BlockContext<S>& context, std::size_t i, const Wall& wall,
                    Real leaving, const Velocity& velocity) const;
    /// change(i, Δv) for what is held; velocity(i) is that of particle i.
    template <class Velocity, class Change>
    void hold_with(const FluidView<S>& fluid, const BlockContext<S>& context, const Velocity& velocity,
                   const Change& change);

    WallRows<S> walls_;
};

}  // namespace treacle
