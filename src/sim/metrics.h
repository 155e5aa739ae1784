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

/// What goes into a row. The last three are not part of the state.
struct MetricsInput {
    const State& state;
    const FrameStatistics& statistics;
    std::span<const double> material_density;   ///< kg/m³, by material
    std::size_t components;                     ///< pieces of fluid
    double wall_seconds;
    double neighbors_mean;                      ///< per particle, within the method's support radius
};

/// One row of metrics.csv; as many values as metrics_names() of its particles.
std::vector<double> metrics_row(const MetricsInput& input, const Parallel& parallel);

/// Pieces of fluid: groups of particles connected through neighbors. `row(i)` gives the neighbors of i.
template <class RowOf>
std::size_t count_components(std::size_t count, const RowOf& row) {
    std::vector<std::uint32_t> parent(count);
    for (std::size_t i = 0; i < count; ++i) parent[i] = static_cast<std::uint32_t>(i);
    const auto root = [&](std::uint32_t i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return i;
    };
    std::size_t components = count;
    for (std::uint32_t i = 0; i < count; ++i) {
        for (const std::uint32_t j : row(i)) {
            const std::uint32_t a = root(i), b = root(j);
            if (a == b) continue;
            parent[a < b ? b : a] = a < b ? a : b;
            --components;
        }
    }
    return components;
}

}  // namespace treacle
