#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"

namespace treacle {

/// Viscosity as radial impulses between neighbors (Clavet et al. 2005, section 5.3; Tang's report, eq. 2).
///
///   I = dt (1-q) (σ u + β u²) r̂,   u = (v_i - v_j) · r̂,   v_i -= I/2,   v_j += I/2
///
/// Reads position, velocity, mass, id, material; writes velocity. Conserves linear and angular momentum; never
/// increases kinetic energy as long as dt σ Σ(1-q) stays below about 1 (see the method's limits).
///
/// With physical coefficients the linear part is that of viscous/implicit_viscosity.h instead.
///
/// Departure: only approaching pairs (u > 0) exchange impulses. The report does not say so, its code brakes
///   separating pairs instead; independent implementations agree on approaching pairs.
/// Departure: dt (σu + βu²) is the first step of du/dt = -(1-q)(σu + βu²); the exact solution is used, so that the
///   time step does not change the material and a pair never bounces off its own viscosity.
/// Departure: impulses are gathered from the velocities at the start of the pass (Jacobi); `sequential` applies them
///   one by one as the original does.
/// Departure: a thick fluid is swept several times with a part of dt each, because the gathered impulses of all pairs
///   together must not overshoot.
/// Departure: masses may differ; each takes its share of the relative velocity so that momentum is conserved.
template <class S>
struct RadialImpulses {
    using Real = typename S::Real;

    struct Material {
        Real linear = 0;     ///< σ, 1/s
        Real quadratic = 0;  ///< β, 1/m
    };

    Real support_radius = 0;
    std::vector<Material> materials{};
    bool as_printed = false;  ///< eq. 2 to the letter: every pair, explicit in dt
    bool sequential = false;  ///< one pair after the other, on one thread

    bool active() const;

    /// Relative speed that a pair loses within dt when it approaches with speed u.
    Real speed_loss(Real u, Real q, Material coefficients, Real dt) const;

    /// Viscosity over the whole step, in so many passes. `scratch` has room for the velocities of a pass.
    void apply(const FluidView<S>& fluid, const BlockContext<S>& context, int passes,
               std::span<typename S::Row> scratch) const;

    /// One pass over dt with all impulses from the same velocities. Writes the new velocities to `result`.
    void gather(const FluidView<S>& fluid, const BlockContext<S>& context, Real dt,
                std::span<typename S::Row> result) const;

    /// One pass over dt, one pair after the other in storage order, each seeing the velocities the earlier ones left.
    void sweep(const FluidView<S>& fluid, const BlockContext<S>& context, Real dt) const;

    Material between(std::uint8_t a, std::uint8_t b) const {
        return {Real(0.5) * (materials[a].linear + materials[b].linear),
                Real(0.5) * (materials[a].quadratic + materials[b].quadratic)};
    }

private:
    bool has_quadratic() const;

    /// speed_loss for one pair or for a pack of them.
    template <class Number>
    Number loss_of(const Number& u, const Number& q, const Number& linear, const Number& quadratic, bool any_quadratic,
                   Real dt) const;
};

}  // namespace treacle
