#pragma once

#include "blocks/fluid_view.h"
#include "state/column_list.h"

namespace treacle::barreiro2017 {

/// Columns that the method adds to those of FluidView.
template <class S>
struct Columns : FluidView<S> {
    using typename FluidView<S>::Real;
    using typename FluidView<S>::Row;

    std::span<Real> density_ratio;
    std::span<Row> wall_displacement;
    std::span<Real> pressure;              ///< where the next solve starts
    std::span<Row> viscous_acceleration;   ///< likewise
    std::span<Real> pressed;               ///< by walls, a mean over several steps
    std::span<Real> grip;                  ///< share of viscosity's drag that walls can hold
    std::span<SymMat<Real>> conformation;  ///< Q
    std::span<Real> stress_share;          ///< of the last step; the next one's, where it depends on strain
    std::span<Real> compliance_before;     ///< 1/Pa, of the last step; 0 for new particles

    Columns() = default;
    explicit Columns(Particles& particles) : FluidView<S>(particles) { find_columns(*this, particles); }

    void list(const auto& column) {
        column(density_ratio, "density_ratio", "1", ColumnUse::state);
        column(pressure, "pressure", "Pa", ColumnUse::exported);
        column(pressed, "pressed", "m/s^2", ColumnUse::state);
        column(grip, "grip", "1", ColumnUse::state, Real(1));
        column(viscous_acceleration, "viscous_acceleration", "m/s^2", ColumnUse::state);
        column(wall_displacement, "wall_displacement", "m", ColumnUse::scratch);
        column(conformation, "conformation", "1", ColumnUse::strain, SymMat<Real>::identity());
        column(stress_share, "stress_share", "1", ColumnUse::state, Real(1));
        column(compliance_before, "compliance", "1/Pa", ColumnUse::state);
    }
};

}  // namespace treacle::barreiro2017
