#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>

#include "state/column_table.h"
#include "state/connection_graph.h"
#include "support/numbered.h"

namespace treacle {
namespace {

TEST(Storage, large_columns_start_on_cache_lines_at_different_places_of_a_page) {
    ColumnTable columns;
    for (const char* name : {"a", "b", "c", "d", "e", "f"}) columns.add<float>(name, "");
    columns.resize(50000);
    std::set<std::uintptr_t> places;
    for (const ColumnTable::Column& column : columns.all()) {
        const auto address = reinterpret_cast<std::uintptr_t>(column.bytes.data());
        EXPECT_EQ(address % 64, 0u);
        places.insert(address % 4096);
    }
    EXPECT_EQ(places.size(), columns.all().size());
}

std::vector<std::uint32_t> shuffled(std::size_t count) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), std::mt19937(3));
    return order;
}

TEST(Storage, columns_are_permuted_the_same_on_any_number_of_threads) {
    constexpr std::size_t count = 5000;
    const auto order = shuffled(count);
    const Parallel parallel(3);
    for (const Parallel* threads : {static_cast<const Parallel*>(nullptr), &parallel}) {
        ColumnTable columns;
        columns.add<Row4<float>>("vector", "");
        columns.add<SymMat<double>>("tensor", "");
        columns.add<std::uint8_t>("byte", "");
        columns.add<double>("scalar", "");
        columns.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            columns.get<Row4<float>>("vector")[i].y = static_cast<float>(i);
            columns.get<SymMat<double>>("tensor")[i].yz = static_cast<double>(i);
            columns.get<std::uint8_t>("byte")[i] = static_cast<std::uint8_t>(i);
            columns.get<double>("scalar")[i] = static_cast<double>(i);
        }
        columns.permute(order, threads);
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_EQ(columns.get<Row4<float>>("vector")[i].y, static_cast<float>(order[i]));
            EXPECT_EQ(columns.get<SymMat<double>>("tensor")[i].yz, static_cast<double>(order[i]));
            EXPECT_EQ(columns.get<std::uint8_t>("byte")[i], static_cast<std::uint8_t>(order[i]));
            EXPECT_EQ(columns.get<double>("scalar")[i], static_cast<double>(order[i]));
        }
    }
}

/// Each particle connected to the few that follow it around a ring.
ConnectionGraph ring(std::size_t count, std::uint32_t reach, const Parallel& parallel) {
    ConnectionGraph graph(ScalarType::f32);
    graph.resize(count);
    const auto n = static_cast<std::uint32_t>(count);
    graph.rewrite(parallel, numbered(count), [&](std::size_t i, ConnectionGraph::RowDraft& row) {
        for (std::uint32_t d = 1; d <= reach; ++d) {
            row.add((static_cast<std::uint32_t>(i) + d) % n, d);
            row.add((static_cast<std::uint32_t>(i) + n - d) % n, d);
        }
    });
    return graph;
}

std::uint64_t hash_of(const ConnectionGraph& graph, std::span<const std::uint32_t> id) {
    std::vector<std::uint32_t> order(id.size());
    for (std::uint32_t i = 0; i < id.size(); ++i) order[id[i]] = i;
    Hash hash;
    graph.hash(hash, order);
    return hash.value();
}

TEST(Storage, connections_follow_the_particles_on_any_number_of_threads) {
    constexpr std::size_t count = 3000;
    const Parallel parallel(3);
    std::vector<std::uint32_t> id(count);
    std::iota(id.begin(), id.end(), 0u);
    const auto order = shuffled(count);
    const ConnectionGraph before = ring(count, 4, parallel);
    for (const Parallel* threads : {static_cast<const Parallel*>(nullptr), &parallel}) {
        ConnectionGraph after = before;
        after.permute(order, threads);
        EXPECT_EQ(hash_of(after, order), hash_of(before, id));  // new particle i has the id of old particle order[i]
    }
}

TEST(Storage, only_rows_that_are_named_are_rewritten_and_rows_may_outgrow_their_room) {
    constexpr std::size_t count = 1000;
    const Parallel parallel(2);
    ConnectionGraph graph = ring(count, 1, parallel);
    std::vector<std::uint8_t> named(count, 0);
    named[10] = named[500] = 1;
    graph.rewrite(parallel, numbered(count), named, [&](std::size_t i, ConnectionGraph::RowDraft& row) {
        for (std::size_t n = 0; n < graph.count(i); ++n) row.keep(graph.begin(i) + n);
        for (std::uint32_t d = 2; d < 40; ++d) row.add((static_cast<std::uint32_t>(i) + d) % count, 7);
    });
    for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(graph.count(i), named[i] ? 40u : 2u) << i;
        EXPECT_EQ(graph.others()[graph.begin(i)], (i + 1) % count);
        EXPECT_EQ(graph.values<float>("rest_length")[graph.begin(i) + 1], 1.0f);
        if (named[i]) { EXPECT_EQ(graph.values<float>("rest_length")[graph.begin(i) + 39], 7.0f); }
    }
}

}  // namespace
}  // namespace treacle
