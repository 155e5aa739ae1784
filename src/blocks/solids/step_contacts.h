#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "blocks/moving_positions.h"
#include "blocks/solids/walls.h"
#include "core/parallel.h"
#include "math/space.h"
#include "math/sym_mat.h"
#include "state/bodies.h"

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
/// It is the face of a particle's cell that touches, and not its center: an elastic particle that is pressed flat lies
/// closer to the wall, as its conformation Q says. (At a fixed distance a cube of ten layers sags 15 % too little.)
///
/// u_b is the velocity of a body that forces will move after the step, and zero for others, which are already where
/// they will be at its end. Both stages share what friction has taken back so far, as they share the stress of the
/// material.
///
/// Reads poses and velocities of bodies, changes velocities or positions, adds the displacement to `wall_displacement`
/// and the reaction, wall by wall, to force and torque of the bodies. What lay inside a solid before the step is put
/// out without a speed.
template <class S>
class StepContacts {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    Real contact_distance = 0;  ///< m, of a particle at rest
    Real grip_distance = 0;     ///< m; closer than this a particle feels friction

    /// Finds the walls within reach, puts out what lies inside, and forgets friction.
    void begin(const Bodies& bodies, std::span<const SymMat<Real>> conformation, double reach, double dt,
               const Parallel& parallel, std::span<Row> position);

    void clamp_velocities(std::span<const Real> mass, std::span<const Real> pressed, std::span<const Row> position,
                          const Parallel& parallel, std::span<Row> velocity, std::span<Row> wall_displacement,
                          Bodies& bodies);

    /// Takes out of changes of velocity what would press particles into walls they touch; those that stick get none at
    /// all. With `choose` it decides which: a particle that is drawn away from a wall is let go. For solvers that
    /// search along lines.
    void hold(const Bodies& bodies, std::span<const Row> velocity, bool choose, const Parallel& parallel,
              std::span<Row> change);

    /// Finds the walls again, near the positions that velocities lead to.
    void begin_positions(const Bodies& bodies, double reach, std::span<const Row> position, const Parallel& parallel);

    void clamp_positions(std::span<const Real> mass, std::span<const Real> pressed, const Parallel& parallel,
                         MovingPositions<S>& moving, std::span<Row> wall_displacement, Bodies& bodies);

    const WallRows<S>& walls() const { return walls_; }

private:
    Real distance_of(std::size_t i, Vec normal) const;
    /// displace(i, wall, body), the displacement that a wall gives to a particle, for all of them; bodies get the
    /// reaction.
    template <class Displace>
    void push(std::span<const Real> mass, std::span<const Row> position, const Parallel& parallel,
              std::span<Row> wall_displacement, Bodies& bodies, const Displace& displace);
    Vec rub(std::size_t i, const Body& body, Real distance, Vec normal, Vec slip, Real pressed);

    WallRows<S> walls_;
    std::span<const SymMat<Real>> conformation_;
    std::vector<Row> reference_;      ///< positions at which the walls were found
    std::vector<Row> friction_;       ///< displacement that friction has taken back
    std::vector<std::uint8_t> held_;  ///< bit n: by the n-th wall of the particle
    double dt_ = 0;
};

}  // namespace treacle
