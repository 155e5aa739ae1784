#pragma once

#include "blocks/fluid_view.h"
#include "blocks/pressure/double_density.h"
#include "state/column_list.h"

namespace treacle::clavet2005 {

/// Columns that the method adds to those of FluidView.
template <class S>
struct Columns : FluidView<S> {
    using typename FluidView<S>::Real;
    using typename FluidView<S>::Row;

    std::span<Row> displacement, wall_displacement;
    std::span<Real> number_density, pressure, near_pressure;
    std::span<Real> pressed;  ///< by walls, a mean over several steps

    Columns() = default;
    explicit Columns(Particles& particles) : FluidView<S>(particles) { find_columns(*this, particles); }

    typename DoubleDensity<S>::Fields pressures() const { return {number_density, pressure, near_pressure}; }

    void list(const auto& column) {
        column(displacement, "displacement", "m", ColumnUse::scratch);
        column(wall_displacement, "wall_displacement", "m", ColumnUse::scratch);
        column(number_density, "number_density", "1", ColumnUse::scratch);
        column(pressed, "pressed", "m/s^2", ColumnUse::state);
        column(pressure, "pressure", "m/s^2", ColumnUse::scratch);
        column(near_pressure, "near_pressure", "m/s^2", ColumnUse::scratch);
    }
};

}  // namespace treacle::clavet2005
