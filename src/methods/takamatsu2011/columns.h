#pragma once

#include "blocks/elastic/matched_shapes.h"
#include "blocks/fluid_view.h"
#include "state/column_list.h"

namespace treacle::takamatsu2011 {

/// Columns that the method adds to those of FluidView.
template <class S>
struct Columns : FluidView<S> {
    using typename FluidView<S>::Real;
    using typename FluidView<S>::Row;

    std::span<Real> density_ratio, pressure;
    std::span<Row> wall_displacement;
    std::span<Row> rotation;              ///< of the particle's cluster, a quaternion
    std::span<Real> push;                 ///< of solids, a mean over several steps
    std::span<Real> impact;               ///< the strongest push since the last test
    std::span<Real> pressed;              ///< by walls, a mean over several steps
    std::span<Real> grip;                 ///< share of viscosity's drag that walls can hold
    std::span<std::uint32_t> piece;       ///< the smallest id among those that clusters hold together
    std::span<std::uint32_t> renewals;    ///< of the cluster's reference shape
    std::span<Row> viscous_acceleration;  ///< where the next solve starts

    Columns() = default;
    explicit Columns(Particles& particles) : FluidView<S>(particles) { find_columns(*this, particles); }

    typename MatchedShapes<S>::State shapes() const { return {rotation, impact, piece, renewals}; }

    void list(const auto& column) {
        column(density_ratio, "density_ratio", "1", ColumnUse::scratch);
        column(pressure, "pressure", "Pa", ColumnUse::exported);
        column(rotation, "rotation", "1", ColumnUse::state);
        column(push, "push", "m/s^2", ColumnUse::state);
        column(impact, "impact", "m/s^2", ColumnUse::state);
        column(piece, "piece", "1", ColumnUse::exported);
        column(renewals, "renewals", "1", ColumnUse::exported);
        column(pressed, "pressed", "m/s^2", ColumnUse::state);
        column(grip, "grip", "1", ColumnUse::state, Real(1));
        column(wall_displacement, "wall_displacement", "m", ColumnUse::scratch);
        column(viscous_acceleration, "viscous_acceleration", "m/s^2", ColumnUse::state);
    }
};

}  // namespace treacle::takamatsu2011
