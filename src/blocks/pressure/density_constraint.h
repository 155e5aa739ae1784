#pragma once

#include <span>
#include <vector>

#include "blocks/moving_positions.h"
#include "blocks/pair_pack.h"
#include "blocks/solids/body_contacts.h"
#include "blocks/solids/boundary_particles.h"
#include "core/parallel.h"
#include "math/space.h"
#include "neighbors/neighbors.h"
#include "state/bodies.h"

namespace treacle {

/// Incompressibility by moving particles (Macklin, Müller 2013: Position Based Fluids), in the form of Macklin, Müller,
/// Chentanez 2016 (XPBD), where every constraint has a multiplier that lives through the step. With V = m/ρ0 and
/// P = dt² p for a pressure p:
///
///   r_i = (Σ_j V_j W_ij + Σ_k V_k W_ik) / r_lattice
///     density / rest density; j includes i, k are samples of solids
///   P_i ← max(0, P_i + ω (r_i - 1)/A_i),   A_i = (V_i/m_i) |Σ g_ij|² + V_i Σ_j |g_ij|²/m_j,
///     g_ij = V_j ∇W_ij / r_lattice
///   x_i ← x_i - (V_i/m_i) [Σ_j (ΔP_i + ΔP_j) g_ij + Σ_k ΔP_i g_ik]
///
/// Off unless asked for: an artificial pressure (s_corr of the first paper) of k (W_ij/W(0.3 h))⁴ ω/A, with A the mean
/// over particles, is added to ΔP_i + ΔP_j in every iteration and keeps close neighbors apart.
///
/// On velocities likewise, where a step starts, with r_i + dt dr_i/dt, dr_i/dt = -Σ_j g_ij·(u_j - u_i) - Σ_k g_ik·(u_k
/// - u_i), in place of r_i, and with dt u in place of x. The paper leaves that for later (its section 7).
///
/// Reads volumes and masses, moves positions, writes the density ratio it found before it moved them. Adds what solids
/// moved particles to `wall_displacement`, and the reaction to force and torque of each of the bodies. Pair
/// displacements are opposite when weighted by mass and along the line of the two: momentum and angular momentum stay,
/// converged or not.
///
/// Departure: P_i as a whole is kept from becoming negative, and not each of its changes. In the paper an iteration
///   that has pushed too far is never taken back, so every step leaves particles moving apart.
/// Departure: A_i is that of the positions before the last move, where the gradients were computed anyway. It only says
///   how far an iteration goes. (Frozen for a step it is too little: what is pressed together in a long step diverges.)
/// Departure: the pressure starts from that of the last step, so that a few iterations hold a deep pool. It is scaled
///   down where it would move something far: after an impact in long steps it would shoot particles out.
/// Departure: the cubic spline for density and gradient, calibrated on the lattice, in place of poly6 and spiky.
template <class S>
class DensityConstraint {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    struct Report {
        double error_mean = 0, error_max = 0;  ///< compression as a fraction of the rest density
    };

    double lattice_density = 1;      ///< Σ V_j W_ij within a lattice at rest
    double relaxation = 0.5;         ///< ω
    double longest_start = 0;        ///< m, that the last step's pressure may move anything
    double artificial_pressure = 0;  ///< k

    struct Fluid {
        std::span<const Real> volume, mass;
    };

    /// r_i at these positions.
    void measure(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary, const Fluid& fluid,
                 std::span<const Row> position, const Parallel& parallel, std::span<Real> density_ratio);
    void measure(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary, const Fluid& fluid,
                 const MovingPositions<S>& moving, const Parallel& parallel, std::span<Real> density_ratio);

    /// The first move of a step: by the pressure (Pa) given.
    void begin(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary, Bodies& bodies, const Fluid& fluid,
               std::span<const Real> pressure, double dt, const Parallel& parallel, MovingPositions<S>& moving,
               std::span<Row> wall_displacement);

    /// The same with velocities: they get what the pressure gives within the step, from where it starts. Measures on
    /// the way.
    void begin_velocities(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary, Bodies& bodies,
                          const Fluid& fluid, std::span<const Real> pressure, double dt, const Parallel& parallel,
                          std::span<const Row> position, std::span<Row> velocity, std::span<Row> wall_displacement,
                          std::span<Real> density_ratio);

    /// One iteration on velocities, for r_i + dt dr_i/dt in place of r_i. project() may go on from them without a
    /// begin().
    void project_velocities(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary, Bodies& bodies,
                            const Fluid& fluid, const Parallel& parallel, std::span<const Row> position,
                            std::span<const Real> density_ratio, std::span<Row> velocity,
                            std::span<Row> wall_displacement);

    /// One iteration.
    void project(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary, Bodies& bodies,
                 const Fluid& fluid, const Parallel& parallel, MovingPositions<S>& moving,
                 std::span<Row> wall_displacement, std::span<Real> density_ratio);

    /// Of what the last iteration found.
    static Report report(std::span<const Real> density_ratio, const Parallel& parallel);

    /// The pressure (Pa) that has come of it.
    void end(double dt, const Parallel& parallel, std::span<Real> pressure) const;

private:
    using Vec = typename S::Vec;

    /// Pairs of i, eight at a time. Alike: all particles have the same mass and volume, so that these need not be
    /// loaded.
    template <class P, bool alike>
    class PairKernel;

    void find_alike(const Fluid& fluid, const Parallel& parallel);
    /// body(true_type) or body(false_type): whether all are alike.
    template <class Body>
    void by_kind(const Body& body) const;
    /// V_j over what PairKernel takes for it.
    Real unit_volume(const Fluid& fluid) const { return alike_ ? fluid.volume[0] : Real(1); }
    /// visit(i, r_i) for all particles; it may write row i only. Of those that have not moved `displacement` is empty.
    template <class Visit>
    void measure_density(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary, const Fluid& fluid,
                         std::span<const Row> start, std::span<const Row> displacement, const Parallel& parallel,
                         const Visit& visit) const;
    void find_contacts(const BoundaryParticles<S>& boundary, const Bodies& bodies, std::span<const Row> position,
                       const Parallel& parallel);
    /// add(i, Δx_i) for what the changes in changing_ move, and what A is made of. It may write row i only, and the
    /// positions: those in changing_ are read. Solids come after, with calls of their own.
    template <class Add>
    void displace(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary, const Fluid& fluid,
                  const Parallel& parallel, Real repulsion, const Add& add);
    Real diagonal_of(std::size_t i, const Fluid& fluid) const;
    Vec by_solid(const typename BodyContacts<S>::Contact& contact, const Fluid& fluid) const;
    /// The pressure to start with and what it moves.
    void start(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary, const Bodies& bodies,
               const Fluid& fluid, std::span<const Real> pressure, double dt, const Parallel& parallel,
               std::span<const Row> position);
    /// Changes P by what a density ratio asks for. Returns the change.
    Real press(std::size_t i, const Fluid& fluid, Real ratio);
    void change_at(std::size_t i, const Row& position, Real change) {
        changing_[i] = position, changing_[i].w = change;
    }
    /// Adds what the changes in changing_ move by solids, and what the bodies get for it.
    void add_walls(const Fluid& fluid, const Parallel& parallel, std::span<Row> wall_displacement, Bodies& bodies);

    Real dt_ = 0;
    Real repulsion_ = 0;        ///< k ω/A
    bool alike_ = false;        ///< all particles have the same mass and volume
    BodyContacts<S> contacts_;  ///< Σ_k g_ik by body
    std::vector<Real> p_;
    std::vector<Real> rate_;         ///< dr/dt
    std::vector<Row> gradients_;     ///< where it was last displaced from: Σ_j g_ij + Σ_k g_ik, and Σ_j |g_ij|²/m_j
    std::vector<Row> changing_;      ///< position and change of P: both come with the same load
    std::vector<Row> displacement_;  ///< by the pressure that a step starts with
    std::vector<Real> at_walls_;     ///< change of P of the particles with contacts
};

}  // namespace treacle
