#pragma once

#include <optional>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "blocks/pressure/compression.h"
#include "blocks/solids/half_space.h"
#include "blocks/solids/walls.h"
#include "blocks/surface/cohesion.h"

namespace treacle {

/// Double density relaxation (Clavet et al. 2005, section 4; Tang's report, eq. 6).
///
///   ρ_i = Σ (1-q)²,  ρⁿ_i = Σ (1-q)³             (self excluded)
///   P_i = k (ρ_i - ρ0),  Pⁿ_i = k_near ρⁿ_i
///   D = dt² (P (1-q) + Pⁿ (1-q)²) r̂,  x_i -= D/2,  x_j += D/2, once with P_i and once with P_j
///
/// ρ has no unit, so k and k_near are accelerations (m/s²). One pass is a step of symplectic Euler for the energy
///   E/m = Σ (h/8) k (ρ-ρ0)² + (h/12) k_near (ρⁿ)²
/// evaluated at the predicted positions. Reads position, mass, id, material. measure() writes number density and
/// pressures, gather() displacements; relax() does both, displaces positions and velocities, and adds the reaction to
/// the bodies' force and torque. Conserves linear and angular momentum of fluid and bodies.
///
/// Departure: P_near = k_near · ρ_near; the report prints k_near · P.
/// Departure: all displacements are gathered from the same positions (Jacobi), so the result does not depend on the
///   order of the particles; `sequential` is the original order-dependent form.
/// Departure: P is not allowed below a limit, so that cohesion does not grow without bound with k.
/// Departure: behind walls the sums continue with a half space of resting fluid. The force is the derivative of the
///   same energy, ((P - P_rest) A1 + (Pⁿ - Pⁿ_rest) A2)/2 along the normal with the half-space sums A1, A2: zero on
///   fluid at rest without load. A mirrored neighbor (twice that) would heat the fluid. Where walls meet, the share of
///   space that is left free is the product over the walls.
/// Departure: a wall pulls as well as it pushes. Cutting off the pull breaks the energy balance and makes resting fluid
///   boil (measured, also when it is faded in and out over many steps). Adhesion a makes the pull 1 + a times as
///   strong; where a wall `lets_go` only a times.
template <class S>
class DoubleDensity {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    struct Material {
        Real stiffness = 0;              ///< k, m/s²
        Real near_stiffness = 0;         ///< k_near, m/s²
        Real rest_density = 0;           ///< ρ0
        Real lowest_pressure = 0;        ///< P is at least this (negative), m/s²
        Real pressure_at_rest = 0;       ///< P of fluid at rest (negative) …
        Real near_pressure_at_rest = 0;  ///< … and Pⁿ, which balance each other
        double density = 0;              ///< of the material at rest, kg/m³
    };

    Real support_radius = 0;
    std::vector<Material> materials{};
    double packing_density = 0;                  ///< ρ of the fluid at rest
    bool as_printed = false;                     ///< P_near = k_near · P
    bool sequential = false;                     ///< one particle after the other, on one thread
    std::optional<HalfSpaceTable> half_space{};  ///< none: walls only push out particles that got inside

    struct Pressures {
        Real pressure, near_pressure;
    };
    Pressures pressures(Real density, Real near_density, Material m) const;

    /// Results of measure(), per particle.
    struct Fields {
        std::span<Real> number_density;           ///< ρ
        std::span<Real> pressure, near_pressure;  ///< P and Pⁿ, m/s²
        std::span<const Real> lets_go{};          ///< if given, walls do not pull where this is 1 (wall_release.h)
        std::span<Real> withheld{};               ///< with it: by how much they would have, m along the normal
    };

    /// The whole of eq. 6, with the attraction by `cohesion` at the same positions. Displaces positions and velocities.
    /// `displacement` gets the whole displacement (with `sequential`: without cohesion), `wall_displacement` the part
    /// of it that is by walls.
    void relax(const FluidView<S>& fluid, const BlockContext<S>& context, const Cohesion<S>& cohesion,
               const Fields& fields, std::span<Row> displacement, std::span<Row> wall_displacement);

    /// Finds the walls within reach, ρ and the two pressures.
    void measure(const FluidView<S>& fluid, const BlockContext<S>& context, const Fields& fields);

    /// Displacements by neighbors and walls, where the particles were measured; those by walls also go to
    /// `wall_displacement`.
    void gather(const FluidView<S>& fluid, const BlockContext<S>& context, const Fields& fields,
                std::span<Row> displacement, std::span<Row> wall_displacement) const;

    /// The original: particles one after the other, each seeing where the earlier ones went. Moves positions; writes
    /// the fields as it finds them.
    void sweep(const FluidView<S>& fluid, const BlockContext<S>& context, const Fields& fields,
               std::span<Row> displacement, std::span<Row> wall_displacement);

    /// Bodies get the reaction to the displacements by their walls in gather() or sweep().
    void press_bodies(const FluidView<S>& fluid, const BlockContext<S>& context, const Fields& fields) const;

    /// Writes the density in kg/m³ to the fluid. ρ counts neighbors and has no unit; with the particle itself (weight
    /// 1) it is proportional to the number of particles per volume, which the packing at rest gauges.
    Compression gauge_density(const FluidView<S>& fluid, const BlockContext<S>& context,
                              std::span<const Real> number_density) const;

private:
    struct Densities {
        Real density, near_density;
    };
    Densities densities(std::size_t i, const FluidView<S>& fluid, const Neighbors<S>& neighbors) const;
    void add_walls(std::span<const Wall> walls, Densities& sum) const;
    /// Free shares of space, by density and by near density, that the walls leave together.
    struct FreeShares {
        double density = 1, near_density = 1;
    };
    FreeShares free_shares(std::span<const Wall> walls) const;
    /// visit(wall, push) for the displacement of particle i by each of its walls. Returns what was withheld.
    template <class Visit>
    Real for_each_push(std::size_t i, const FluidView<S>& fluid, const Fields& fields, Real dt,
                       const Visit& visit) const;
    typename S::Vec wall_push(std::size_t i, const FluidView<S>& fluid, const Fields& fields, Real dt) const;

    WallRows<S> walls_;
};

}  // namespace treacle
