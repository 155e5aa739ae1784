#pragma once

#include "blocks/fluid_view.h"
#include "state/column_list.h"

namespace treacle::takahashi2014 {

/// Columns that the method adds to those of FluidView.
template <class S>
struct Columns : FluidView<S> {
    using typename FluidView<S>::Real;
    using typename FluidView<S>::Row;

    std::span<Real> density_ratio;
    std::span<Row> wall_displacement;
    std::span<Real> pressure;              ///< where the next solve starts
    std::span<Row> viscous_acceleration;   ///< likewise
    std::span<Real> mean_pressure;         ///< over several steps
    std::span<Row> pressure_acceleration;  ///< of the last step
    std::span<Real> pressed;               ///< by walls, a mean over several steps
    std::span<Real> grip;                  ///< share of viscosity's drag that walls can hold
    std::span<Real> correction;            ///< c
    bool as_in_paper = false;              ///< c is of interest

    Columns() = default;
    explicit Columns(Particles& particles) : FluidView<S>(particles) { find_columns(*this, particles); }

    void list(const auto& column) {
        column(density_ratio, "density_ratio", "1", ColumnUse::scratch);
        column(pressure, "pressure", "Pa", ColumnUse::exported);
        column(mean_pressure, "mean_pressure", "Pa", ColumnUse::state);
        column(pressed, "pressed", "m/s^2", ColumnUse::state);
        column(grip, "grip", "1", ColumnUse::state, Real(1));
        column(pressure_acceleration, "pressure_acceleration", "m/s^2", ColumnUse::state);
        column(viscous_acceleration, "viscous_acceleration", "m/s^2", ColumnUse::state);
        column(wall_displacement, "wall_displacement", "m", ColumnUse::scratch);
        column(correction, "correction", "1", as_in_paper ? ColumnUse::exported : ColumnUse::state);
    }
};

}  // namespace treacle::takahashi2014
