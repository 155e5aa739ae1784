#pragma once

#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "blocks/pressure/compression.h"
#include "blocks/pressure/equation_of_state.h"
#include "blocks/pressure/iisph.h"
#include "blocks/pressure/printed_sph.h"

namespace treacle {

/// Pressure of a material that is a fluid by the share α, its fluidity, and a solid for the rest (Takamatsu & Kanai
/// 2011, eqs. 1, 5 and 10), by the scheme that a method chooses. With r the density over the rest density,
///
///   equation_of_state   p_i = α_i c² ρ0_i max(r_i - 1, 0)                              (5)
///   solved              p_i = α_i times the pressure that keeps the density of a fluid (iisph.h)
///   as_printed          eqs. 1 to 4 to the letter (printed_sph.h)
///
/// Reads position, mass, volume and material. measure() writes the density; apply() writes the pressure, changes
/// velocities and adds the reaction to the bodies' force and torque. Conserves momentum and angular momentum of fluid
/// and bodies, unless as printed.
///
/// Departure: α counts with each particle's pressure, where eq. 10 blends velocities: momentum stays also between
///   materials of different fluidity.
/// Departure: pressure is never negative; fluid does not pull.
template <class S>
class BlendedPressure {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    struct Material {
        Real rest_density = 0;  ///< ρ0, kg/m³
        Real fluidity = 1;      ///< α
    };

    struct Settings {
        bool solved = false;
        bool as_printed = false;
        double sound_speed = 0;  ///< c, m/s; of the equation of state
        std::vector<Material> materials{};
    };
    Settings settings{};
    Iisph<S> solver{};
    PrintedSph<S> printed{};

    struct Report {
        int iterations = 0;
        Compression compression{};
    };

    /// Some material has a fluidity.
    bool active() const;

    /// Density in kg/m³, and r.
    void measure(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<Real> density_ratio);

    /// At the positions of the last measure(). `pressure` comes in as that of the step before, where a solve starts.
    /// `wall_displacement` gets the displacement of each particle by the pressure of solids.
    Report apply(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> density_ratio,
                 std::span<Real> pressure, std::span<Row> wall_displacement);

    /// Velocities, from rest, that take particles apart within this step where they are denser than at rest; false if
    /// they are nowhere. Whatever the scheme, the pressure for that is solved for: it has no memory and no sound.
    bool loosen(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<Real> density_ratio,
                std::span<Real> pressure);

private:
    Report solve(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> density_ratio,
                 std::span<Real> pressure);
    Report find_pressure(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> density_ratio,
                         std::span<Real> pressure) const;

    EquationOfState<S> equation_of_state_;
    std::vector<Row> velocity_;  ///< a copy that the solver may change
};

}  // namespace treacle
