#pragma once

#include <vector>

#include "state/state.h"

namespace treacle::ordinary {

/// Particles as plain numbers, in no order that lasts longer than a step.
struct FluidRows {
    std::vector<Vec3d> position;  ///< m
    std::vector<Vec3d> velocity;  ///< m/s
    std::vector<double> mass;     ///< kg
};

FluidRows rows_of(const State& state);

/// Sums over all particles of a moment.
struct FluidSums {
    std::size_t particles = 0;
    double mass = 0;
    Vec3d center{};          ///< of mass, m
    Vec3d velocity{};        ///< of the center
    double kinetic = 0;      ///< J (2D: J/m)
    double own_kinetic = 0;  ///< the same, as seen from the center of mass
    double fastest = 0;      ///< m/s
    double own_fastest = 0;  ///< as seen from the center of mass
    double gyration2 = 0;    ///< mean square of the distance from the center, m²
    Vec3d spin{};            ///< angular momentum about the center
    Vec3d low{}, high{};     ///< corners of the box around all

    /// Height of the center times weight, J: the potential energy under gravity along -y.
    double potential(double g) const { return mass * g * center.y; }

    /// Root of the mean square speed.
    double rms_speed() const;
};

FluidSums sums_of(const FluidRows& rows);

inline FluidSums sums_of(const State& state) { return sums_of(rows_of(state)); }

}  // namespace treacle::ordinary
