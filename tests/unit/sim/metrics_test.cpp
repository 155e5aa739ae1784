#include "sim/metrics.h"
#include "support/numbered.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

namespace treacle {
namespace {

/// The row of metrics.csv by column.
std::map<std::string, double> row_of(const State& state) {
    const std::vector<double> density{1000};
    const auto values = metrics_row({state, state.statistics, density, 1, 0, 0}, Parallel(1));
    std::map<std::string, double> row;
    EXPECT_EQ(values.size(), metrics_names(state.particles).size());
    for (std::size_t n = 0; n < values.size(); ++n) row[metrics_names(state.particles)[n]] = values[n];
    return row;
}

TEST(Metrics, count_connections_by_what_they_connect) {
    State state(ScalarType::f32);
    state.particles.resize(4);
    const auto fluid = state.particles.get<std::uint32_t>("fluid");
    fluid[2] = fluid[3] = 1;
    state.connections.resize(4);
    state.anchors.resize(4);
    EXPECT_EQ(row_of(state).at("connections"), 0);

    const Parallel parallel(1);
    // A chain 0-1-2-3 through both fluids; particles 0 and 1 are connected to a body, 0 twice.
    state.connections.rewrite(parallel, numbered(4), [](std::size_t i, ConnectionGraph::RowDraft& row) {
        if (i > 0) row.add(static_cast<std::uint32_t>(i - 1), 1);
        if (i < 3) row.add(static_cast<std::uint32_t>(i + 1), 1);
    });
    state.anchors.rewrite(parallel, numbered(1), [](std::size_t i, ConnectionGraph::RowDraft& row) {
        if (i < 2) row.add(0, 1, {1, 0, 0});
        if (i < 1) row.add(0, 1, {0, 1, 0});
    });
    EXPECT_EQ(row_of(state).at("connections"), 3);
    EXPECT_EQ(row_of(state).at("connections_between"), 1);
    EXPECT_EQ(row_of(state).at("connections_to_solids"), 3);
}

}  // namespace
}  // namespace treacle
