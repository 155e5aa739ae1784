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
    std::span<Real> number_density, pressure, near_pressure, withheld;
    std::span<Real> pressed;  ///< by walls, a mean over several steps
    std::span<Real> load;     ///< the same as a mean over more of the wall, for friction
    std::span<Real> support;  ///< the net load of a patch of wall
    std::span<Real> lets_go;  ///< 1 where walls must not pull
    std::span<Real> grip;     ///< share of viscosity's drag that walls can hold

    Columns() = default;
    explicit Columns(Particles& particles) : FluidView<S>(particles) { find_columns(*this, particles); }

    typename DoubleDensity<S>::Fields pressures() const {
        return {number_density, pressure, near_pressure, lets_go, withheld};
    }

    void list(const auto& column) {
        column(displacement, "displacement", "m", ColumnUse::scratch);
        column(wall_displacement, "wall_displacement", "m", ColumnUse::scratch);
        column(number_density, "number_density", "1", ColumnUse::scratch);
        column(pressed, "pressed", "m/s^2", ColumnUse::state);
        column(load, "load", "m/s^2", ColumnUse::state);
        column(support, "support", "m/s^2", ColumnUse::state);
        column(lets_go, "lets_go", "1", ColumnUse::state);
        column(grip, "grip", "1", ColumnUse::state, Real(1));
        column(pressure, "pressure", "m/s^2", ColumnUse::scratch);
        column(near_pressure, "near_pressure", "m/s^2", ColumnUse::scratch);
        column(withheld, "withheld", "m", ColumnUse::scratch);
    }
};

}  // namespace treacle::clavet2005
