#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "state/state.h"

namespace treacle {

/// Names of metrics.csv, in its order. What particles have a column for comes last.
std::vector<std::string> metrics_names(const Particles& particles);

/// Sources of one row of metrics.csv. The last three are not part of the state.
struct MetricsInput {
    const State& state;
    const FrameStatistics& statistics;
    std::span<const double> material_density;  ///< kg/m³, by material
    std::size_t components;                    ///< pieces of fluid
    double wall_seconds;
    double neighbors_mean;  ///< per particle, within the method's support radius
};

/// One row of metrics.csv; as many values as metrics_names() of its particles.
std::vector<double> metrics_row(const MetricsInput& input, const Parallel& parallel);

}  // namespace treacle
