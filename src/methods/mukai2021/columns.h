#pragma once

#include "blocks/fluid_view.h"
#include "blocks/threads/rupture.h"
#include "state/column_list.h"

namespace treacle::mukai2021 {

/// Columns that the method adds to those of FluidView.
template <class S>
struct Columns : FluidView<S> {
    using typename FluidView<S>::Real;
    using typename FluidView<S>::Row;

    std::span<Real> pressure;
    std::span<Real> volume_ratio;          ///< J, near the surface, where densities are uncertain
    std::span<SymMat<Real>> conformation;  ///< c; with the paper's coefficients the distortion ε
    std::span<Real> pressed;               ///< by walls, a mean over several steps
    std::span<Row> wall_displacement;      ///< what they moved it in this step
    std::span<std::uint8_t> part;          ///< which solids it hangs on (rupture.h)
    std::span<std::uint8_t> near_solid;    ///< 1: it must not fly as far in a step as others alone
    std::span<std::uint8_t> side;          ///< S1 to S4 of the fluid at the start, as bits (rupture.h)
    SymMat<Real> conformation_at_rest{};

    Columns() = default;
    explicit Columns(Particles& particles) : FluidView<S>(particles) { find_columns(*this, particles); }

    void list(const auto& column) {
        column(pressure, "pressure", "Pa", ColumnUse::exported);
        column(volume_ratio, "volume_ratio", "1", ColumnUse::state, Real(1));
        column(conformation, "conformation", "1", ColumnUse::strain, conformation_at_rest);
        column(pressed, "pressed", "m/s^2", ColumnUse::state);
        column(wall_displacement, "wall_displacement", "m", ColumnUse::scratch);
        column(part, "part", "", ColumnUse::state, hangs_on::both);
        column(near_solid, "near_solid", "", ColumnUse::state, std::uint8_t{1});
        column(side, "side", "", ColumnUse::exported);
    }
};

}  // namespace treacle::mukai2021
