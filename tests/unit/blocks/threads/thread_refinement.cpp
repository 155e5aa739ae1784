#include "blocks/threads/thread_refinement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <set>

#include "laws/halved_size.h"
#include "support/spaces.h"

namespace treacle {
namespace {

template <class S>
class ThreadRefinementTest : public testing::Test {};
TYPED_TEST_SUITE(ThreadRefinementTest, test::DoubleSpaces);

constexpr double spacing = 0.01;

/// Fluid where `inside` holds, in spacings, on a disturbed lattice whose particles were halved `halvings` times.
template <class S>
struct Fluid {
    using Row = typename S::Row;

    Fluid(double extent, const std::function<bool(Vec3d)>& inside, int most, int halvings = 0)
        : refinement(most, spacing) {
        ThreadRefinement<S>::add_columns(particles);
        particles.add<double>("pressure", "Pa");
        particles.add<SymMat<double>>("conformation", "1");
        const double size = halved_size(S::dim, halvings);
        std::mt19937 random(1);
        std::uniform_real_distribution<double> any(-1, 1);
        const int reach = static_cast<int>(extent / size);
        std::vector<Vec3d> places;
        for (int z = S::dim == 3 ? -reach : 0; z <= (S::dim == 3 ? reach : 0); ++z) {
            for (int y = -reach; y <= reach; ++y) {
                for (int x = -reach; x <= reach; ++x) {
                    const Vec3d at{size * (x + 0.15 * any(random)), size * (y + 0.15 * any(random)),
                                   S::dim == 3 ? size * (z + 0.15 * any(random)) : 0};
                    if (inside(at)) places.push_back(at);
                }
            }
        }
        particles.resize(places.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            position()[i] = spacing * places[i];
            velocity()[i] = Vec3d{any(random), any(random), S::dim == 3 ? any(random) : 0};
            mass()[i] = std::ldexp(1.0, -halvings);
            conformation()[i] = {1 + any(random), any(random), 0, 2, 0, 1};
            particles.template get<std::uint32_t>("id")[i] = static_cast<std::uint32_t>(i);
            particles.template get<std::uint8_t>("halvings")[i] = static_cast<std::uint8_t>(halvings);
            particles.template get<double>("size")[i] = size;
        }
        connections.resize(places.size());
        anchors.resize(places.size());
        rate.assign(places.size(), Mat3<double>{{-1, 0, 0}, {0, 2, 0}, {0, 0, -1}});
    }

    bool refine() {
        const std::vector<double> size = ThreadRefinement<S>::sizes(particles);
        const ParticleSizes<S> sizes(size);
        neighbors.update(position(), 3.1 * spacing, parallel, no_period);
        if (!sizes.equal()) {
            neighbors.keep_only(parallel, [&](std::size_t i, std::size_t j) {
                return length(position()[j].xyz() - position()[i].xyz()) < 3.1 * spacing * sizes.mean(i, j);
            });
        }
        const BlockContext<S> context{0, 1e-3, {}, {}, neighbors, bodies, parallel, timer};
        const std::vector<std::uint8_t> all_driven(driven ? particles.size() : 0, 1);
        refinement.choose(FluidView<S>(particles), context, particles.template get<std::uint8_t>("halvings"), sizes,
                          all_driven, [&](std::size_t) { return at_wall; });
        rate.resize(particles.size());
        return refinement.apply(context, rate, particles, connections, anchors);
    }

    /// Mass, momentum, center of mass times mass, and conformation times mass, in a row.
    std::vector<double> sums() {
        std::vector<double> sum(9);
        for (std::size_t i = 0; i < particles.size(); ++i) {
            const double m = mass()[i];
            const Vec3d x = position()[i].xyz(), v = velocity()[i].xyz();
            const double values[] = {1, v.x, v.y, v.z, x.x, x.y, x.z, conformation()[i].xx, conformation()[i].xy};
            for (std::size_t n = 0; n < sum.size(); ++n) sum[n] += m * values[n];
        }
        return sum;
    }
    std::size_t halved() {
        const auto halvings = particles.template get<std::uint8_t>("halvings");
        return static_cast<std::size_t>(
            std::count_if(halvings.begin(), halvings.end(), [](std::uint8_t n) { return n > 0; }));
    }

    std::span<Row> position() { return particles.template get<Row>("position"); }
    std::span<Row> velocity() { return particles.template get<Row>("velocity"); }
    std::span<double> mass() { return particles.template get<double>("mass"); }
    std::span<SymMat<double>> conformation() { return particles.template get<SymMat<double>>("conformation"); }

    Parallel parallel{1};
    Particles particles{ScalarType::f64};
    ConnectionGraph connections{ScalarType::f64}, anchors{ScalarType::f64, ConnectionGraph::Ends::bodies};
    Neighbors<S> neighbors;
    ThreadRefinement<S> refinement;
    std::vector<Mat3<double>> rate;
    Bodies bodies;
    StageTimer timer;
    bool at_wall = false, driven = false;
};

template <class S>
Fluid<S> thread(double radius, int most, int halvings = 0) {
    return Fluid<S>(
        20, [=](Vec3d x) { return std::hypot(x.x, x.z) < radius && std::abs(x.y) < 20; }, most, halvings);
}

TYPED_TEST(ThreadRefinementTest, ThinThreadsAreHalvedAndThickOnesAreNot) {
    auto thin = thread<TypeParam>(1.7, 1), thick = thread<TypeParam>(5, 1);
    const std::size_t before = thin.particles.size();
    EXPECT_TRUE(thin.refine());
    EXPECT_GT(static_cast<double>(thin.halved()), 0.8 * 2 * static_cast<double>(before));  // all but its ends
    EXPECT_FALSE(thick.refine());
}

TYPED_TEST(ThreadRefinementTest, EdgesAndDropsAreLeftAlone) {
    Fluid<TypeParam> cube(
        9, [](Vec3d) { return true; }, 1);
    Fluid<TypeParam> drop(
        9, [](Vec3d x) { return length(x) < 2.2; }, 1);
    EXPECT_FALSE(cube.refine());
    EXPECT_FALSE(drop.refine());
}

TEST(ThreadRefinement, SheetsAreLeftAlone) {
    Fluid<Space3d> sheet(
        9, [](Vec3d x) { return std::abs(x.z) < 1.2; }, 1);
    EXPECT_LT(static_cast<double>(sheet.refine() ? sheet.halved() : 0),
              0.02 * static_cast<double>(sheet.particles.size()));
}

TYPED_TEST(ThreadRefinementTest, HalvingConservesMassMomentumAndConformation) {
    auto fluid = thread<TypeParam>(1.2, 4);
    const auto before = fluid.sums();
    for (int n = 0; n < 4; ++n) {
        if (!fluid.refine()) break;
        const auto after = fluid.sums();
        EXPECT_EQ(after[0], before[0]);
        for (std::size_t k = 1; k < after.size(); ++k) EXPECT_NEAR(after[k], before[k], 1e-10 * before[0]) << k;
    }
    EXPECT_GT(fluid.halved(), fluid.particles.size() / 2);
    const auto id = fluid.particles.template get<std::uint32_t>("id");
    EXPECT_EQ(std::set<std::uint32_t>(id.begin(), id.end()).size(), id.size());
    EXPECT_EQ(fluid.connections.particle_count(), id.size());
    EXPECT_EQ(fluid.anchors.particle_count(), id.size());
}

TYPED_TEST(ThreadRefinementTest, HalvesThatStandInThickFluidAreJoined) {
    Fluid<TypeParam> fluid(
        TypeParam::dim == 3 ? 5 : 12, [](Vec3d) { return true; }, 2, 1);
    const auto before = fluid.sums();
    const std::size_t many = fluid.particles.size();
    for (int n = 0; n < 30 && fluid.refine(); ++n) {
        const auto after = fluid.sums();
        EXPECT_EQ(after[0], before[0]);
        for (std::size_t k = 1; k < after.size(); ++k) EXPECT_NEAR(after[k], before[k], 1e-10 * before[0]) << k;
    }
    EXPECT_LT(static_cast<double>(fluid.particles.size()), 0.75 * static_cast<double>(many));
    const auto halvings = fluid.particles.template get<std::uint8_t>("halvings");
    for (std::size_t i = 0; i < halvings.size(); ++i) EXPECT_EQ(fluid.mass()[i], std::ldexp(1.0, -halvings[i]));
}

TYPED_TEST(ThreadRefinementTest, NeighborsDifferByOneHalvingAtMost) {
    // A cone that gets thinner and thinner.
    Fluid<TypeParam> fluid(
        20, [](Vec3d x) { return std::hypot(x.x, x.z) < 0.12 * (x.y + 22); }, 6);
    for (int n = 0; n < 8; ++n) fluid.refine();
    const std::vector<double> size = ThreadRefinement<TypeParam>::sizes(fluid.particles);
    const ParticleSizes<TypeParam> sizes(size);
    const auto halvings = fluid.particles.template get<std::uint8_t>("halvings");
    EXPECT_GE(*std::max_element(halvings.begin(), halvings.end()), 2);
    fluid.neighbors.update(fluid.position(), 3.1 * spacing, fluid.parallel, no_period);
    int most = 0;
    for (std::size_t i = 0; i < halvings.size(); ++i) {
        for (const std::uint32_t j : fluid.neighbors.row(i)) {
            if (length(fluid.position()[j].xyz() - fluid.position()[i].xyz()) > 2.1 * spacing * sizes.mean(i, j))
                continue;
            most = std::max(most, std::abs(int{halvings[i]} - int{halvings[j]}));
        }
    }
    EXPECT_LE(most, 2);  // two that differ by one halving may be halved and joined in one step
}

TYPED_TEST(ThreadRefinementTest, FluidAtAWallIsNotHalved) {
    auto thin = thread<TypeParam>(1.7, 1);
    thin.at_wall = true;
    EXPECT_FALSE(thin.refine());
}

TYPED_TEST(ThreadRefinementTest, WhatOthersMoveIsNeitherHalvedNorJoined) {
    auto thin = thread<TypeParam>(1.7, 1);
    thin.driven = true;
    EXPECT_FALSE(thin.refine());
    Fluid<TypeParam> thick(
        TypeParam::dim == 3 ? 5 : 12, [](Vec3d) { return true; }, 2, 1);
    thick.driven = true;
    EXPECT_FALSE(thick.refine());
}

}  // namespace
}  // namespace treacle
