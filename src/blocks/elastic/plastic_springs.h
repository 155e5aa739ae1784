#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "state/births.h"
#include "state/connection_graph.h"

namespace treacle {

/// Springs between neighbors whose rest lengths yield and creep (Clavet et al. 2005, sections 5.1 and 5.2; Tang's
/// report, eqs. 4 and 5).
///
///   |r - L| > γ L :   dL/dt = α (r - L ∓ γ L)                       plasticity (eq. 4)
///   D = dt² k_spring (1 - L/h)(L - r) r̂,   x_i -= D/2,  x_j += D/2   (eq. 5)
///
/// Reads position, mass, id, material and the connections; adjust() and renew() write the connections, apply() position
/// and velocity. Conserves linear and angular momentum. Does nothing if no material is elastic.
///
/// Departure: eq. 4 is printed without the plasticity constant α; without it the rest length would follow at 1/s.
/// Departure: eq. 5 is printed with the factor (1 - r/h); it is (1 - L/h), so that a spring keeps its stiffness
///   while it is stretched.
/// Departure: the creep over one step is solved exactly, (1 - exp(-α dt)) of the gap, so dt does not change it.
/// Departure: all springs creep, also those stretched beyond h, which would otherwise pull forever.
/// Departure: springs may start at the current distance (stress free) instead of h. A spring with L = h has
///   factor 0: it does nothing until plasticity has shortened it.
/// Departure: springs between particles that meet later are made only in materials that relax; a material that never
///   relaxes keeps the springs it starts with.
/// Departure: rest lengths stay above a smallest length, against collapse.
/// Departure: all springs pull from the same positions (Jacobi); `sequential` applies them one after the other as the
///   original does.
template <class S>
struct PlasticSprings {
    using Real = typename S::Real;

    struct Material {
        Real stiffness = 0;       ///< k_spring, 1/s²
        Real creep_rate = 0;      ///< α, 1/s
        Real yield_stretch = 0;   ///< γ beyond which a stretched spring creeps
        Real yield_compress = 0;  ///< γ for a compressed one
        bool renews = true;       ///< neighbors that meet get connected; not in a solid, which would weld itself
    };

    Real support_radius = 0;
    Real smallest_length = 0;              ///< m
    Real break_length = 0;                 ///< m; a spring longer than this breaks
    bool start_at_support_radius = false;  ///< new springs have L = h, as in the paper, instead of L = r
    bool as_printed = false;               ///< eqs. 4 and 5 to the letter
    bool sequential = false;               ///< one spring after the other, on one thread
    std::vector<Material> materials{};

    bool active() const;

    /// Plasticity: rest lengths follow the present lengths (eq. 4).
    void adjust(const FluidView<S>& fluid, const BlockContext<S>& context, ConnectionGraph& connections) const;

    /// Removes springs with L > h or r > break length, and connects neighbors within h that have none, if their
    /// materials renew springs or if one of the two is new: see `births`.
    void renew(const FluidView<S>& fluid, const BlockContext<S>& context, const Births& births,
               ConnectionGraph& connections) const;

    /// Displaces every particle by its springs (eq. 5), records the `displacement` and adds it to the velocity.
    void apply(const FluidView<S>& fluid, const BlockContext<S>& context, const ConnectionGraph& connections,
               std::span<typename S::Row> displacement) const;

    /// Displacement of every particle by its springs, which moves nothing yet.
    void gather(const FluidView<S>& fluid, const BlockContext<S>& context, const ConnectionGraph& connections,
                std::span<typename S::Row> displacement) const;

    /// The original: springs one after the other in storage order. Moves positions and records the displacements.
    void sweep(const FluidView<S>& fluid, const BlockContext<S>& context, const ConnectionGraph& connections,
               std::span<typename S::Row> displacement) const;

    Material between(std::uint8_t a, std::uint8_t b) const {
        const Material& m = materials[a];
        const Material& n = materials[b];
        const Real half(0.5);
        return {half * (m.stiffness + n.stiffness), half * (m.creep_rate + n.creep_rate),
                half * (m.yield_stretch + n.yield_stretch), half * (m.yield_compress + n.yield_compress),
                m.renews && n.renews};
    }

    /// Rest length after dt of a spring with rest length L held at length r.
    Real crept(Real rest_length, Real length, Material coefficients, Real dt) const;

private:
    /// crept for one spring or for a pack of them.
    template <class Number>
    Number crept_of(const Number& rest_length, const Number& length, const Number& creep_rate,
                    const Number& yield_stretch, const Number& yield_compress, Real dt) const;
    /// Whether particles of these materials get connected when they are neighbors.
    bool may_connect(std::uint8_t material_i, std::uint8_t material_j, bool one_is_new) const;
    /// Flags of rows that renew() would change.
    std::vector<std::uint8_t> outdated_rows(const FluidView<S>& fluid, const BlockContext<S>& context,
                                            const Births& births, const ConnectionGraph& connections) const;
};

}  // namespace treacle
