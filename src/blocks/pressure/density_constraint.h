#pragma once

#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "blocks/moving_positions.h"
#include "blocks/pair_pack.h"
#include "blocks/solids/body_contacts.h"
#include "blocks/solids/boundary_particles.h"
#include "core/promises.h"
#include "math/space.h"

namespace treacle {

/// Incompressibility by moving particles (Macklin, Müller 2013: Position Based Fluids), in the form of Macklin, Müller,
/// Chentanez 2016 (XPBD), where every constraint has a multiplier that lives through the step. With V = m/ρ0 and
/// P = dt² p for a pressure p:
///
///   r_i = (Σ_j V_j W_ij + Σ_k V_k W_ik) / r_lattice
///     density / rest density; j includes i, k are samples of solids
///   P_i ← max(0, P_i + ω (r_i - a_i)/A_i),   a_i = max(1, r_i before the step)
///     A_i = (V_i/m_i) |Σ g_ij|² + V_i Σ_j |g_ij|²/m_j,   g_ij = V_j ∇W_ij / r_lattice
///   x_i ← x_i - (V_i/m_i) [Σ_j (ΔP_i + ΔP_j) g_ij + Σ_k ΔP_i g_ik]
///
/// Bodies that forces move are where they will be at the end of the step, by their velocity and all forces so far, also
/// those of P: r_i loses what they yield, and A_i has the sum over all particles that push the same body. Taken for
/// walls, bodies lighter than the fluid that they push aside answer each step's pressure by a greater one.
///
/// Off unless asked for: an artificial pressure (s_corr of the first paper) of k (W_ij/W(0.3 h))⁴ ω/A, with A the mean
/// over particles, is added to ΔP_i + ΔP_j in every iteration and keeps close neighbors apart.
///
/// On velocities likewise, where a step starts, with r_i + dt dr_i/dt, dr_i/dt = -Σ_j g_ij·(u_j - u_i) - Σ_k g_ik·(u_k
/// - u_i), in place of r_i, and with dt u in place of x. Barreiro et al. 2017, section 7, have it as future work.
///
/// Reads volumes and masses, moves positions, writes the density ratio before the move, and in the end density and
/// pressure. Adds the displacement by solids to `wall_displacement`, and the reaction to the bodies' force and torque.
/// Pair displacements are opposite when weighted by mass: momentum stays, converged or not. Velocities are
/// displacements over the step, and angular momentum is Σ m x0 × Δx/dt: it stays as long as pairs are pushed along the
/// line on which they lay when the step began.
///
/// Departure: a_i, where the paper has 1. There an error of density, of a packing or of an iteration that had not
///   ended, is gone at the end of the step, and has become a speed of error · spacing/dt that nothing takes away again.
///   Here P keeps fluid from being pressed together further. What was too dense before, correct_errors() moves apart,
///   without a speed; fluid with stress of its own (which would pull back, again and again) it leaves to come apart
///   within the time T, as the factor 1 - dt/T on its a_i - 1 (docs/decisions/errors-of-density.md).
/// Departure: that line as the direction of g_ij in a displacement (not with `present_lines`). Along the present line a
///   fluid under pressure gains spin in every step. Pairs that have turned about each other by more than 37 degrees
///   within the step, as after an impact, come over to their present line, from 60 degrees on wholly.
/// Departure: the sum P_i may not become negative; its changes may. In the paper an iteration that has pushed too far
///   is never taken back, so every step leaves particles moving apart.
/// Departure: A_i is that of the positions before the last move, where the gradients were computed anyway. It only sets
///   how far an iteration goes. (If A_i stayed the same for the whole step, it would become too small where fluid is
///   compressed in a long step, and the iteration would diverge.)
/// Departure: the pressure starts from that of the last step, so that a few iterations hold a deep pool. It is scaled
///   down where it would move particles far: after an impact in long steps it would shoot them out.
/// Departure: the cubic spline for density and gradient, calibrated on the lattice, in place of poly6 and spiky.
template <class S>
class DensityConstraint {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    struct Report {
        double error_mean = 0, error_max = 0;  ///< compression as a fraction of the rest density
    };

    /// What a step starts with.
    struct Before {
        std::span<const Real> pressure;       ///< Pa, of the last step
        std::span<const Real> density_ratio;  ///< at its end
        std::span<const Real> compliance;     ///< of the fluid's own elasticity; negative: it has none
    };

    double lattice_density = 1;      ///< Σ V_j W_ij within a lattice at rest
    double relaxation = 0.5;         ///< ω
    double longest_start = 0;        ///< m; the last step's pressure moves no particle farther than this
    double artificial_pressure = 0;  ///< k
    bool present_lines = false;      ///< pairs are pushed along these
    double return_time = 0;          ///< T, s; 0: errors of density at the start of a step become velocities
    double warm_start = 1;           ///< share of the last step's pressure that a step starts with
    std::vector<Real> rest_density;  ///< by material, kg/m³

    /// r_i and the density at the fluid's positions.
    void measure(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<Real> density_ratio);

    /// The start of a step on positions: moves them by the pressure of the last step.
    void begin_positions(const FluidView<S>& fluid, const BlockContext<S>& context, const Before& before,
                         MovingPositions<S>& moving, std::span<Row> wall_displacement);

    /// The start of a step on velocities: adds their change by that pressure within the step.
    void begin_velocities(const FluidView<S>& fluid, const BlockContext<S>& context, const Before& before,
                          std::span<Row> wall_displacement);

    /// One iteration on velocities, for r_i + dt dr_i/dt in place of r_i. project_positions() may go on from it without
    /// begin_positions().
    void project_velocities(const FluidView<S>& fluid, const BlockContext<S>& context,
                            std::span<const Real> density_ratio, std::span<Row> wall_displacement);

    /// One iteration on positions.
    void project_positions(const FluidView<S>& fluid, const BlockContext<S>& context, MovingPositions<S>& moving,
                           std::span<Row> wall_displacement, std::span<Real> density_ratio);

    /// After a step's velocities are known: moves fluid without elasticity of its own by what is left of the error of
    /// density, and measures it anew. Solids feel nothing of it.
    void correct_errors(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> compliance,
                        MovingPositions<S>& moving, std::span<Real> density_ratio);

    /// The end of a step: its density and pressure (Pa), and the errors that are left.
    Report end(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> density_ratio,
               std::span<Real> pressure) const;

private:
    using Vec = typename S::Vec;

    /// Pairs of i, eight at a time. Alike: all particles have the same mass and volume, so that these need not be
    /// loaded.
    template <class P, bool alike>
    class PairKernel;

    /// Whether every particle has its values.
    static bool whole(const FluidView<S>& fluid, const BlockContext<S>& context) {
        return promises::sized(fluid.size(), context.neighbors, fluid.velocity, fluid.volume, fluid.mass) &&
               context.boundary && context.boundary->fluid_size() == fluid.size();
    }

    void find_alike(const FluidView<S>& fluid, const Parallel& parallel);
    void measure_ratios(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<Real> density_ratio);
    void set_density(const FluidView<S>& fluid, const BlockContext<S>& context,
                     std::span<const Real> density_ratio) const;
    /// body(true_type) or body(false_type): whether all are alike.
    template <class Body>
    void by_kind(const Body& body) const;
    /// The factor from PairKernel's volumes to V_j.
    Real unit_volume(const FluidView<S>& fluid) const { return alike_ ? fluid.volume[0] : Real(1); }
    /// visit(i, r_i) for all particles at start + displacement; it may write row i only. If nothing has moved,
    /// `displacement` is empty.
    template <class Visit>
    void measure_density(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Row> start,
                         std::span<const Row> displacement, const Visit& visit) const;
    void find_contacts(const BlockContext<S>& context, std::span<const Row> position);
    void find_yielding(const BlockContext<S>& context);
    Real yielding_of(std::size_t i) const { return contacts_.any_dynamic() ? yielding_[i] : Real(0); }
    /// add(i, Δx_i) with the displacement by neighbors that the changes of P in changing_ cause, and then once more for
    /// each contact, with the displacement by that solid; and the sums of A. `add` may write row i only. It may write
    /// positions: those in changing_ are read.
    template <class Add>
    void displace(const FluidView<S>& fluid, const BlockContext<S>& context, Real repulsion, std::span<const Row> start,
                  const Add& add);
    Real diagonal_of(std::size_t i, const FluidView<S>& fluid) const;
    Vec by_solid(const typename BodyContacts<S>::Contact& contact, const FluidView<S>& fluid) const;
    /// The pressure to start with, and the displacement by it.
    void start(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> pressure,
               std::span<const Row> from);
    bool separates_errors() const { return return_time > 0; }
    void set_aim(const FluidView<S>& fluid, const BlockContext<S>& context, const Before& before);
    Real correction(std::size_t i, const FluidView<S>& fluid, Real error) const;
    /// Changes P as a density ratio asks for. Returns the change.
    Real change_pressure(std::size_t i, const FluidView<S>& fluid, Real ratio);
    void change_at(std::size_t i, const Row& position, Real change) {
        changing_[i] = position, changing_[i].w = change;
    }
    /// Adds the displacement by solids that the changes of P in changing_ cause, and the reaction to the bodies.
    void add_walls(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<Row> wall_displacement);

    Real dt_ = 0;
    Real repulsion_ = 0;        ///< k ω/A
    bool alike_ = false;        ///< all particles have the same mass and volume
    BodyContacts<S> contacts_;  ///< Σ_k g_ik by body
    std::vector<Real> p_;
    std::vector<Real> aim_;          ///< the density ratio to which this step may compress
    std::vector<Real> rate_;         ///< dr/dt
    std::vector<Row> gradients_;     ///< before the last displacement: Σ_j g_ij + Σ_k g_ik, and Σ_j |g_ij|²/m_j
    std::vector<Row> changing_;      ///< position and change of P: both come with the same load
    std::vector<Row> displacement_;  ///< by the pressure that a step starts with
    std::vector<Real> at_walls_;     ///< change of P of the particles with contacts
    std::vector<Real> yielding_;     ///< loss of density by bodies that will have moved; unused if none can
};

}  // namespace treacle
