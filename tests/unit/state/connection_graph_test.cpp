#include "state/connection_graph.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "state/particles.h"
#include "support/numbered.h"

namespace treacle {
namespace {

struct Values {
    double rest_length;
    double strain;
    friend bool operator==(const Values&, const Values&) = default;
};

/// The expected content of the graph, kept as simply as possible: connections by the ids of their ends, lower one
/// first.
using Oracle = std::map<std::pair<std::uint32_t, std::uint32_t>, Values>;

template <class Real>
class GraphUnderTest {
public:
    explicit GraphUnderTest(unsigned seed) : random_(seed), particles_(real_), graph_(real_) {
        graph_.add_value<Real>("strain", "1");
    }

    void append(std::size_t more) {
        const std::size_t before = particles_.size();
        particles_.resize(before + more);
        for (std::size_t i = before; i < particles_.size(); ++i) id()[i] = next_id_++;
        graph_.resize(particles_.size());
    }

    /// Breaks some connections and makes others; a high `growth` forces rows out of their room.
    void rewrite(double breaking, double growth) {
        Oracle next;
        for (const auto& [ends, values] : oracle_) {
            if (chance(breaking)) continue;
            next.emplace(ends, values);
        }
        const std::size_t count = particles_.size();
        const auto tries = static_cast<std::size_t>(growth * static_cast<double>(count));
        for (std::size_t n = 0; n < tries && count > 1; ++n) {
            const std::uint32_t a = id()[random_() % count], b = id()[random_() % count];
            const auto ends = std::minmax(a, b);
            if (a == b || next.count(ends) || oracle_.count(ends)) continue;
            next.emplace(ends, Values{static_cast<double>(static_cast<Real>(0.001 * static_cast<double>(a + b))), 0});
        }
        graph_.rewrite(parallel_, id(), [&](std::size_t i, ConnectionGraph::RowDraft& row) { draft(i, row, next); });
        oracle_ = next;
    }

    /// Changes values like a method between rewrites: both ends compute the same new value.
    void change_values() {
        const auto strain = graph_.template values<Real>("strain");
        for (std::size_t i = 0; i < particles_.size(); ++i) {
            for (std::size_t slot = graph_.begin(i); slot < graph_.begin(i) + graph_.count(i); ++slot) {
                strain[slot] += static_cast<Real>(1.0 / static_cast<double>(1 + id()[i] + id()[graph_.others()[slot]]));
            }
        }
        for (auto& [ends, values] : oracle_) {
            const Real added = static_cast<Real>(1.0 / static_cast<double>(1 + ends.first + ends.second));
            values.strain = static_cast<double>(static_cast<Real>(values.strain) + added);
        }
    }

    void permute() {
        std::vector<std::uint32_t> source(particles_.size());
        std::iota(source.begin(), source.end(), 0u);
        std::shuffle(source.begin(), source.end(), random_);
        particles_.permute(source);
        graph_.permute(source);
    }

    void remove(double share) {
        std::vector<std::uint8_t> doomed(particles_.size());
        for (std::size_t i = 0; i < doomed.size(); ++i) doomed[i] = chance(share);
        std::set<std::uint32_t> lost;
        for (std::size_t i = 0; i < doomed.size(); ++i) {
            if (doomed[i]) lost.insert(id()[i]);
        }
        const auto new_index = particles_.remove(doomed);
        graph_.remap(new_index, particles_.size());
        std::erase_if(oracle_, [&](const auto& entry) {
            return lost.count(entry.first.first) + lost.count(entry.first.second) > 0;
        });
    }

    void pack_and_restore() {
        ConnectionGraph fresh(real_);
        fresh.restore(graph_.packed(), id());
        graph_ = fresh;
    }

    void check() {
        ASSERT_EQ(graph_.particle_count(), particles_.size());
        Oracle from_lower, from_upper;  // as seen from the end with the lower and with the higher id
        for (std::size_t i = 0; i < particles_.size(); ++i) {
            for (std::size_t slot = graph_.begin(i); slot < graph_.begin(i) + graph_.count(i); ++slot) {
                const std::uint32_t other = graph_.others()[slot];
                ASSERT_LT(other, particles_.size());
                EXPECT_EQ(graph_.other_ids()[slot], id()[other]);
                const Values values{static_cast<double>(graph_.template values<Real>("rest_length")[slot]),
                                    static_cast<double>(graph_.template values<Real>("strain")[slot])};
                const std::uint32_t a = id()[i], b = id()[other];
                const bool is_new = (a < b ? from_lower : from_upper).emplace(std::minmax(a, b), values).second;
                EXPECT_TRUE(is_new) << "twice in one row";
            }
        }
        EXPECT_EQ(from_lower, oracle_);
        EXPECT_EQ(from_upper, oracle_);
        EXPECT_EQ(graph_.connection_count(), oracle_.size());
    }

    bool chance(double share) { return std::uniform_real_distribution<double>(0, 1)(random_) < share; }
    std::mt19937& random() { return random_; }
    std::size_t size() const { return particles_.size(); }
    std::size_t connections() const { return oracle_.size(); }

private:
    std::span<std::uint32_t> id() { return particles_.get<std::uint32_t>("id"); }

    void draft(std::size_t i, ConnectionGraph::RowDraft& row, const Oracle& next) {
        const std::uint32_t own = id()[i];
        std::vector<std::uint32_t> there;
        for (std::size_t slot = graph_.begin(i); slot < graph_.begin(i) + graph_.count(i); ++slot) {
            const std::uint32_t other = id()[graph_.others()[slot]];
            there.push_back(other);
            if (next.count(std::minmax(own, other))) row.keep(slot);
        }
        for (std::size_t j = 0; j < particles_.size(); ++j) {
            const auto found = next.find(std::minmax(own, id()[j]));
            if (j == i || found == next.end() || std::count(there.begin(), there.end(), id()[j])) continue;
            row.add(static_cast<std::uint32_t>(j), found->second.rest_length);
        }
    }

    static constexpr ScalarType real_ = detail::ColumnTraits<Real>::type;
    std::mt19937 random_;
    Parallel parallel_{2};
    Particles particles_;
    ConnectionGraph graph_;
    Oracle oracle_;
    std::uint32_t next_id_ = 0;
};

template <class Real>
class ConnectionGraphTest : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ConnectionGraphTest, Reals);

TYPED_TEST(ConnectionGraphTest, random_operations_agree_with_a_plain_map) {
    for (unsigned seed = 0; seed < 8; ++seed) {
        GraphUnderTest<TypeParam> graph(seed);
        graph.append(20);
        std::size_t most = 0;
        for (int n = 0; n < 60; ++n) {
            switch (graph.random()() % 6) {
                case 0: graph.rewrite(0.3, 0.5); break;
                case 1: graph.rewrite(0.05, 4); break;
                case 2: graph.permute(); break;
                case 3: graph.remove(0.1); break;
                case 4: graph.append(graph.size() < 60 ? 5 : 0); break;
                default: graph.pack_and_restore(); break;
            }
            graph.change_values();
            graph.check();
            if (::testing::Test::HasFatalFailure()) return;
            most = std::max(most, graph.connections());
        }
        EXPECT_GT(most, 50u);
    }
}

TYPED_TEST(ConnectionGraphTest, empty_graphs_are_fine) {
    GraphUnderTest<TypeParam> graph(1);
    graph.check();
    graph.rewrite(0.5, 1);
    graph.permute();
    graph.remove(0.5);
    graph.pack_and_restore();
    graph.check();
    graph.append(1);
    graph.rewrite(0.5, 1);
    graph.check();
    graph.remove(1);
    graph.check();
    EXPECT_EQ(graph.size(), 0u);
}

// More particles than one block of a parallel loop, so that rows are written by several threads.
TYPED_TEST(ConnectionGraphTest, many_rows_in_parallel) {
    constexpr std::uint32_t count = 5000;
    constexpr ScalarType real = detail::ColumnTraits<TypeParam>::type;
    ConnectionGraph one(real), four(real);
    for (ConnectionGraph* graph : {&one, &four}) {
        const Parallel parallel(graph == &one ? 1 : 4);
        graph->resize(count);
        for (std::uint32_t reach = 1; reach <= 9; reach += 4) {
            graph->rewrite(parallel, numbered(count), [&](std::size_t i, ConnectionGraph::RowDraft& row) {
                const auto own = static_cast<std::uint32_t>(i);
                for (std::size_t slot = graph->begin(i); slot < graph->begin(i) + graph->count(i); ++slot) {
                    if ((own + graph->others()[slot]) % 3 != 0) row.keep(slot);
                }
                const std::uint32_t d = reach;
                if (own >= d) row.add(own - d, d);
                if (own + d < count) row.add(own + d, d);
            });
        }
    }
    const auto a = one.packed(), b = four.packed();
    EXPECT_EQ(a.counts, b.counts);
    ASSERT_EQ(a.slots.size(), b.slots.size());
    EXPECT_GT(a.slots.size(), 15000u);
    for (std::size_t c = 0; c < a.slots.all().size(); ++c) EXPECT_EQ(a.slots.all()[c].bytes, b.slots.all()[c].bytes);
}

}  // namespace
}  // namespace treacle
