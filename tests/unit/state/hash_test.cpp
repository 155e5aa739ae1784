#include "state/state.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

#include "support/random_state.h"

namespace treacle {
namespace {

template <class Real>
class StateHash : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(StateHash, Reals);

TYPED_TEST(StateHash, changes_with_every_bit_of_every_persistent_column) {
    State state = random_state<TypeParam>(20, 1);
    const std::uint64_t before = state_hash(state);
    for (const ColumnTable::Column& column : state.particles.all()) {
        const bool id = column.info.name == "id";  // ids decide the order, so two equal ones have no defined hash
        for (std::size_t bit = 0; bit < (id ? 0 : 8 * column.bytes.size()); ++bit) {
            std::byte& byte = state.particles.bytes(column.info.name)[bit / 8];
            byte ^= std::byte{1} << (bit % 8);
            EXPECT_EQ(state_hash(state) != before, column.info.persistent) << column.info.name << " bit " << bit;
            byte ^= std::byte{1} << (bit % 8);
        }
    }
    state.particles.template get<std::uint32_t>("id")[3] += 1;
    EXPECT_NE(state_hash(state), before);
    state.particles.template get<std::uint32_t>("id")[3] -= 1;
    EXPECT_EQ(state_hash(state), before);
}

TYPED_TEST(StateHash, changes_with_connections_bodies_time_and_step) {
    const State original = random_state<TypeParam>(20, 2);
    std::set<std::uint64_t> hashes{state_hash(original)};
    const auto expect_new = [&](const auto& change) {
        State state = original;
        change(state);
        EXPECT_TRUE(hashes.insert(state_hash(state)).second) << "change number " << hashes.size();
    };
    const std::size_t slot = original.connections.begin(5);
    expect_new([&](State& s) { s.connections.template values<TypeParam>("rest_length")[slot] *= 1 + 1e-6f; });
    const std::size_t anchor = original.anchors.begin(5);
    expect_new([&](State& s) { s.anchors.template values<TypeParam>("rest_length")[anchor] *= 1 + 1e-6f; });
    expect_new([&](State& s) { s.anchors.template values<Row4<TypeParam>>("anchor")[anchor].y += 1; });
    expect_new([&](State& s) { s.connections.template values<TypeParam>("strain")[slot] *= 1 + 1e-6f; });
    expect_new([&](State& s) {
        s.connections.rewrite(Parallel(1), s.particles.get<std::uint32_t>("id"),
                              [&](std::size_t i, ConnectionGraph::RowDraft& row) {
                                  for (std::size_t n = 0; n < s.connections.count(i); ++n) {
                                      const std::size_t kept = s.connections.begin(i) + n;
                                      if (i + s.connections.others()[kept] != 13) row.keep(kept);
                                  }
                              });
    });
    expect_new([](State& s) { s.bodies[1].pose.position.y += 1e-15; });
    expect_new([](State& s) { s.bodies[0].pose.rotation.w = -s.bodies[0].pose.rotation.w; });
    expect_new([](State& s) { s.bodies[0].velocity.z += 1e-15; });
    expect_new([](State& s) { s.bodies[1].angular_velocity.x += 1e-15; });
    expect_new([](State& s) { s.bodies.pop_back(); });
    expect_new([](State& s) { s.time = std::nextafter(s.time, 1.0); });
    expect_new([](State& s) { s.step += 1; });
    expect_new([](State& s) { s.rupture.lower = 0; });
    expect_new([](State& s) { s.rupture.upper = 1; });
    expect_new([](State& s) { s.rupture.start_distance += 1e-15; });
    expect_new([](State& s) { s.rupture.sides_met = 0.1; });
    expect_new([](State& s) { s.rupture.parted = 0.1; });
    expect_new([](State& s) { s.particles.template add<float>("more", "1"); });
}

TYPED_TEST(StateHash, does_not_depend_on_the_storage_order) {
    State state = random_state<TypeParam>(300, 3);
    const std::uint64_t before = state_hash(state);
    for (unsigned seed = 0; seed < 10; ++seed) {
        shuffle_storage(state, seed);
        EXPECT_EQ(state_hash(state), before);
    }
}

TYPED_TEST(StateHash, does_not_depend_on_the_order_within_a_row) {
    State forward = random_state<TypeParam>(10, 4), backward = forward;
    for (State* state : {&forward, &backward}) {
        state->connections = ConnectionGraph(detail::ColumnTraits<TypeParam>::type);
        state->connections.resize(10);
        state->connections.rewrite(Parallel(1), state->particles.get<std::uint32_t>("id"),
                                   [&](std::size_t i, ConnectionGraph::RowDraft& row) {
                                       for (std::uint32_t n = 0; n < 10; ++n) {
                                           const std::uint32_t j = state == &forward ? n : 9 - n;
                                           if (j != i) row.add(j, static_cast<double>(i + j));
                                       }
                                   });
    }
    EXPECT_NE(forward.connections.others()[0], backward.connections.others()[0]);
    EXPECT_EQ(state_hash(forward), state_hash(backward));
}

TEST(Hash, is_the_same_on_every_machine) {
    Hash hash;
    hash.add("treacle", 7);
    hash.add(std::uint32_t{5});
    hash.add(1.5);
    EXPECT_EQ(hash.value(), 0x81d0faa05c2d034eull) << std::hex << hash.value();
    EXPECT_NE(Hash{}.value(), 0u);
}

TEST(Hash, zeros_count) {
    std::set<std::uint64_t> values;
    const char zeros[32] = {};
    for (std::size_t n = 0; n <= sizeof zeros; ++n) {
        Hash hash;
        hash.add(zeros, n);
        EXPECT_TRUE(values.insert(hash.value()).second) << n;
    }
}

}  // namespace
}  // namespace treacle
