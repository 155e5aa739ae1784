#include "blocks/elastic/plastic_springs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "support/random_fluid.h"
#include "support/spaces.h"

namespace treacle {
namespace {

template <class S>
class PlasticSpringsTest : public testing::Test {};
TYPED_TEST_SUITE(PlasticSpringsTest, test::AllSpaces);

template <class S>
constexpr ScalarType real_type = sizeof(typename S::Real) == 4 ? ScalarType::f32 : ScalarType::f64;

template <class S>
PlasticSprings<S> springs(double stiffness, double creep_rate, double yield) {
    using Real = typename S::Real;
    return {.support_radius = Real(0.3),
            .smallest_length = Real(0.03),
            .break_length = Real(0.6),
            .materials = {{Real(stiffness), Real(creep_rate), Real(yield), Real(yield)}}};
}

TYPED_TEST(PlasticSpringsTest, ConservesMomentum) {
    using S = TypeParam;
    using Real = typename S::Real;
    test::RandomFluid<S> fluid(300, Real(S::dim == 2 ? 1.3 : 0.9), Real(0.3), 11);
    const auto block = springs<S>(100, 5, 0.1);
    ConnectionGraph graph(real_type<S>);
    graph.resize(fluid.position.size());
    block.renew(fluid.view(), fluid.context(0.01), Births::all(), graph);
    for (std::size_t i = 0; i < fluid.position.size(); ++i) {  // deform, so that springs pull
        fluid.position[i] = fluid.position[i].xyz() + Real(0.02) * fluid.velocity[i].xyz();
    }
    block.gather(fluid.view(), fluid.context(0.01), graph, fluid.displacement);
    const double size = fluid.size_of(fluid.displacement);
    EXPECT_GT(size, 0);
    EXPECT_LT(length(fluid.momentum_of(fluid.displacement)), 1e-5 * size);
    EXPECT_LT(length(fluid.moment_of(fluid.displacement)), 1e-5 * size);
}

TYPED_TEST(PlasticSpringsTest, ConnectsEveryPairWithinReachOnceAndSymmetrically) {
    using S = TypeParam;
    using Real = typename S::Real;
    test::RandomFluid<S> fluid(200, Real(1), Real(0.35), 5);  // rows reach further than the support radius
    const auto block = springs<S>(100, 5, 0.1);
    ConnectionGraph graph(real_type<S>);
    graph.resize(200);
    block.renew(fluid.view(), fluid.context(0.01), Births::all(), graph);
    std::size_t expected = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Real> rest;
    for (std::uint32_t i = 0; i < 200; ++i) {
        for (std::uint32_t j = 0; j < i; ++j) {
            expected += length(fluid.position[j].xyz() - fluid.position[i].xyz()) < Real(0.3) ? 1 : 0;
        }
        for (std::size_t slot = graph.begin(i); slot < graph.begin(i) + graph.count(i); ++slot) {
            const auto key = std::pair{i, graph.others()[slot]};
            EXPECT_TRUE(rest.emplace(key, graph.values<Real>("rest_length")[slot]).second);
        }
    }
    EXPECT_EQ(graph.connection_count(), expected);
    for (const auto& [key, length] : rest) EXPECT_EQ(rest.at({key.second, key.first}), length);
    block.renew(fluid.view(), fluid.context(0.01), Births::all(), graph);
    EXPECT_EQ(graph.connection_count(), expected);  // a second call adds none
}

// T3: held at 1.5 L, the rest length follows dL/dt = α (r - L - γL).
TYPED_TEST(PlasticSpringsTest, CreepFollowsItsEquationForAnyTimeStep) {
    using S = TypeParam;
    using Real = typename S::Real;
    const auto block = springs<S>(100, 4, 0);
    for (const double dt : {0.001, 0.01, 0.1}) {
        Real rest(0.1);
        for (int n = 0; n < static_cast<int>(0.5 / dt + 0.5); ++n)
            rest = block.crept(rest, Real(0.15), block.materials[0], Real(dt));
        EXPECT_NEAR(rest, 0.15 - 0.05 * std::exp(-4 * 0.5), 0.01 * 0.05) << dt;
    }
    // With yield the threshold moves along: dL/dt = α (r - (1+γ) L).
    const auto yielding = springs<S>(100, 4, 0.2);
    Real rest(0.1);
    for (int n = 0; n < 5000; ++n) rest = yielding.crept(rest, Real(0.15), yielding.materials[0], Real(1e-4));
    const double end = 0.15 / 1.2;
    EXPECT_NEAR(rest, end + (0.1 - end) * std::exp(-4 * 1.2 * 0.5), 0.01 * 0.025);
}

TYPED_TEST(PlasticSpringsTest, BelowYieldNothingCreeps) {
    using S = TypeParam;
    using Real = typename S::Real;
    const auto block = springs<S>(100, 50, 0.2);
    EXPECT_EQ(block.crept(Real(0.1), Real(0.119), block.materials[0], Real(0.01)), Real(0.1));
    EXPECT_EQ(block.crept(Real(0.1), Real(0.081), block.materials[0], Real(0.01)), Real(0.1));
    EXPECT_GT(block.crept(Real(0.1), Real(0.125), block.materials[0], Real(0.01)), Real(0.1));
    EXPECT_LT(block.crept(Real(0.1), Real(0.075), block.materials[0], Real(0.01)), Real(0.1));
}

TYPED_TEST(PlasticSpringsTest, StretchAndCompressionMayYieldDifferently) {
    using S = TypeParam;
    using Real = typename S::Real;
    auto block = springs<S>(100, 50, 0.2);
    block.materials[0].yield_compress = Real(0.05);
    EXPECT_EQ(block.crept(Real(0.1), Real(0.115), block.materials[0], Real(0.01)), Real(0.1));
    EXPECT_LT(block.crept(Real(0.1), Real(0.085), block.materials[0], Real(0.01)), Real(0.1));
}

TYPED_TEST(PlasticSpringsTest, RestLengthStaysAboveTheSmallest) {
    using S = TypeParam;
    using Real = typename S::Real;
    const auto block = springs<S>(100, 1e6, 0);
    EXPECT_EQ(block.crept(Real(0.1), Real(0.001), block.materials[0], Real(1)), Real(0.03));
}

// T4: two particles on a spring swing with period 2π / sqrt(k_spring (1 - L/h)).
template <class S>
void expect_swing(bool sequential) {
    using Real = typename S::Real;
    test::RandomFluid<S> pair(2, 1, Real(0.3), 1, true);
    pair.position = {typename S::Row({Real(0), Real(0), Real(0)}), typename S::Row({Real(0.15), Real(0), Real(0)})};
    pair.velocity = {typename S::Row({Real(-0.01), Real(0), Real(0)}), typename S::Row({Real(0.01), Real(0), Real(0)})};
    pair.neighbors.update(pair.position, 0.3, pair.parallel, no_period);
    auto block = springs<S>(400, 0, 0);
    block.sequential = sequential;
    ConnectionGraph graph(real_type<S>);
    graph.resize(2);
    block.renew(pair.view(), pair.context(0.01), Births::all(), graph);
    const double period = 2 * M_PI / std::sqrt(400 * 0.5);
    const Real dt(1e-3);
    double first = -1, last = -1;
    int crossings = 0;
    Real before = 0;
    for (int n = 1; n < 4000; ++n) {
        for (int i = 0; i < 2; ++i) pair.position[i] = pair.position[i].xyz() + dt * pair.velocity[i].xyz();
        block.apply(pair.view(), pair.context(1e-3), graph, pair.displacement);
        const Real stretch = length(pair.position[1].xyz() - pair.position[0].xyz()) - Real(0.15);
        if (before < 0 && stretch >= 0) {
            if (first < 0) first = n;
            last = n;
            ++crossings;
        }
        before = stretch;
    }
    ASSERT_GE(crossings, 4);
    EXPECT_NEAR((last - first) / (crossings - 1) * static_cast<double>(dt), period, 0.02 * period);
}

TYPED_TEST(PlasticSpringsTest, TwoParticlesSwingWithTheRightPeriod) {
    expect_swing<TypeParam>(false);
    expect_swing<TypeParam>(true);
}

TYPED_TEST(PlasticSpringsTest, SpringsStartedAtTheSupportRadiusAreInertUntilTheyCreep) {
    using S = TypeParam;
    using Real = typename S::Real;
    test::RandomFluid<S> fluid(100, Real(0.6), Real(0.3), 9);
    auto block = springs<S>(100, 2, 0.1);
    block.start_at_support_radius = true;
    ConnectionGraph graph(real_type<S>);
    graph.resize(100);
    block.renew(fluid.view(), fluid.context(0.01), Births::all(), graph);
    block.gather(fluid.view(), fluid.context(0.01), graph, fluid.displacement);
    EXPECT_EQ(fluid.size_of(fluid.displacement), 0);
    block.adjust(fluid.view(), fluid.context(0.1), graph);
    block.gather(fluid.view(), fluid.context(0.01), graph, fluid.displacement);
    EXPECT_GT(fluid.size_of(fluid.displacement), 0);
}

TYPED_TEST(PlasticSpringsTest, LongSpringsBreakButCreepBeyondTheSupportRadiusBefore) {
    using S = TypeParam;
    using Real = typename S::Real;
    using Row = typename S::Row;
    test::RandomFluid<S> pair(2, 1, Real(0.3), 1, true);
    pair.position = {Row({Real(0), Real(0), Real(0)}), Row({Real(0.2), Real(0), Real(0)})};
    pair.neighbors.update(pair.position, 0.3, pair.parallel, no_period);
    const auto block = springs<S>(100, 1, 0);
    ConnectionGraph graph(real_type<S>);
    graph.resize(2);
    block.renew(pair.view(), pair.context(0.01), Births::all(), graph);
    pair.position[1] = Row({Real(0.4), Real(0), Real(0)});  // beyond h: no neighbor any more
    pair.neighbors.update(pair.position, 0.3, pair.parallel, no_period);
    block.adjust(pair.view(), pair.context(0.1), graph);
    block.renew(pair.view(), pair.context(0.01), Births::all(), graph);
    ASSERT_EQ(graph.connection_count(), 1u);
    EXPECT_GT(graph.values<Real>("rest_length")[graph.begin(0)], Real(0.2));
    pair.position[1] = Row({Real(0.7), Real(0), Real(0)});
    block.renew(pair.view(), pair.context(0.01), Births::all(), graph);
    EXPECT_EQ(graph.connection_count(), 0u);
}

TEST(PlasticSpringsPrinted, UsesThePresentLengthInTheFactor) {
    test::RandomFluid<Space2d> pair(2, 1, 0.3, 1, true);
    pair.position = {Row4<double>({0, 0, 0}), Row4<double>({0.1, 0, 0})};
    pair.neighbors.update(pair.position, 0.3, pair.parallel, no_period);
    auto block = springs<Space2d>(100, 0, 0);
    ConnectionGraph graph(ScalarType::f64);
    graph.resize(2);
    block.renew(pair.view(), pair.context(0.01), Births::all(), graph);
    pair.position[1] = Row4<double>({0.2, 0, 0});
    const auto pull = [&] {
        block.gather(pair.view(), pair.context(0.01), graph, pair.displacement);
        return pair.displacement[0].x;
    };
    EXPECT_NEAR(pull(), 0.5 * 1e-4 * 100 * (1 - 0.1 / 0.3) * 0.1, 1e-12);
    block.as_printed = true;
    EXPECT_NEAR(pull(), 0.5 * 1e-4 * 100 * (1 - 0.2 / 0.3) * 0.1, 1e-12);
}

}  // namespace
}  // namespace treacle
