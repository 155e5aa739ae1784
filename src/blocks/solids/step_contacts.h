#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "blocks/moving_positions.h"
#include "blocks/solids/body_contacts.h"
#include "blocks/solids/walls.h"
#include "math/space.h"
#include "math/sym_mat.h"

namespace treacle {

/// Contact with solids as a constraint among others, for solvers that find velocities and then positions by iteration:
/// a particle ends the step at least `contact_distance` from every surface, and slips along it by no more than Coulomb
/// lets it.
///
///   velocities:  n·(u - u_b) >= -(d - c)/dt,   d the distance at the start of the step
///   positions:   n·(x - x_ref) + d - dt n·u_b >= c,   d the distance at x_ref
///   c = contact_distance √(n·Q n)
///   friction:    the slip over the step is taken back, by at most μ dt² times the acceleration by which walls press
///
/// The face of a particle's cell touches the wall, not its center: an elastic particle that is pressed flat lies closer
/// to the wall, as its conformation Q says. (At a fixed distance a cube of ten layers sags 15 % too little.)
///
/// u_b is the velocity that a body which forces move will have at the end of the step, by all forces so far, and zero
/// for others, which are already where they will be. The slip that friction has taken back counts over both stages, as
/// the material's stress does.
///
/// Of what lies between a body that forces move and a particle, the particle moves the share 1/(1 + N m_i w), with w
/// the body's mobility there and N the number of particles that touch it; the reaction moves the body by the rest. So
/// many particles together push no light body too far.
///
/// Reads poses and velocities of bodies, the acceleration by which walls press each particle (`pressed`, wall_load.h)
/// and conformations. Changes velocities or positions, adds the displacement to `wall_displacement` and the reaction,
/// wall by wall, to force and torque of the bodies. Particles that lie inside a solid before the step are put out
/// without a speed.
template <class S>
class StepContacts {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    Real contact_distance = 0;  ///< m, of a particle at rest
    Real grip_distance = 0;     ///< m; closer than this a particle feels friction

    double reach = 0;  ///< m; walls that a particle can come closer to than this are found

    std::vector<std::uint8_t> flows{};     ///< by material, 1: held by viscosity (wall_drag.h) and not by friction
    std::vector<Real> steady_viscosity{};  ///< Pa·s by material, limits friction (own_hold.h); empty: infinite

    /// The start of a step: finds walls, puts out particles that lie inside solids, and sets friction and
    /// `wall_displacement` to zero. The step reads these conformations.
    void begin(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const SymMat<Real>> conformation,
               std::span<Row> wall_displacement);

    void clamp_velocities(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> pressed,
                          std::span<Row> wall_displacement);

    /// For solvers that search along lines: takes out of changes of velocity the part that would press particles into
    /// walls they touch, and all of it for particles that stick. `choose` decides which particles these are: one whose
    /// change leads away from the wall is free.
    ///
    /// What is taken out is what the walls do. follow() adds it up, as far as velocities went along the change that was
    /// restrained last; take_half_back() halves what came together since the last choice. The next choice gives it to
    /// `wall_displacement` and the bodies, and so does press_held() after the last search.
    void restrain(const FluidView<S>& fluid, const BlockContext<S>& context, bool choose, std::span<Row> change,
                  std::span<Row> wall_displacement);
    void follow(const Parallel& parallel, Real step);
    void take_half_back(const Parallel& parallel);
    void press_held(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<Row> wall_displacement);

    /// Finds the walls again, where velocities have led.
    void begin_positions(const FluidView<S>& fluid, const BlockContext<S>& context);

    void clamp_positions(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> pressed,
                         MovingPositions<S>& moving, std::span<Row> wall_displacement);

    const WallRows<S>& walls() const { return walls_; }

private:
    /// What a wall does to a particle in a search, as changes of its velocity.
    struct Hold {
        bool holds = false;
        Vec latest{};  ///< in the change that was restrained last
        Vec sum{};     ///< since the last choice
    };

    void find_motions(const BlockContext<S>& context);
    Vec velocity_to_come(const Wall& wall, const Body& body, Vec x) const;
    Vec slip_of(const Wall& wall, const Body& body, Vec x, Vec v) const;
    Real share_of(const Wall& wall, const Body& body, Vec x, Real mass) const;
    void find_walls(const FluidView<S>& fluid, const BlockContext<S>& context, double within);
    bool rubs(std::uint8_t material) const { return flows.empty() || flows[material] == 0; }
    Real distance_of(std::size_t i, Vec normal) const;
    /// displace(i, wall, body) moves a particle and returns its displacement by that wall; bodies get the reaction.
    template <class Displace>
    void push(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<Row> wall_displacement,
              const Displace& displace);
    Vec friction_change(const FluidView<S>& fluid, std::size_t i, double dt, const Body& body, Real distance,
                        Vec normal, Vec slip, Real pressed);

    WallRows<S> walls_;
    std::vector<int> touching_;                              ///< particles, by body
    std::vector<typename BodyContacts<S>::Motion> to_come_;  ///< by body, with the forces so far
    std::span<const SymMat<Real>> conformation_;
    std::vector<Row> reference_;                        ///< positions at which the walls were found
    std::vector<Row> friction_;                         ///< displacement that friction has taken back
    typename WallRows<S>::template Values<Hold> held_;  ///< of the search
    bool holds_ = false;                                ///< whether held_ belongs to walls_
};

}  // namespace treacle
