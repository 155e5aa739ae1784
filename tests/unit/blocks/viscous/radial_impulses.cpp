#include "blocks/viscous/radial_impulses.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_fluid.h"
#include "support/spaces.h"

namespace treacle {
namespace {

template <class S>
class RadialImpulsesTest : public testing::Test {};
TYPED_TEST_SUITE(RadialImpulsesTest, test::AllSpaces);

template <class S>
RadialImpulses<S> viscosity(double linear, double quadratic) {
    using Real = typename S::Real;
    return {.support_radius = Real(0.3), .materials = {{Real(linear), Real(quadratic)}}};
}

TYPED_TEST(RadialImpulsesTest, ConservesMomentumAndNeverAddsEnergy) {
    using S = TypeParam;
    test::RandomFluid<S> fluid(400, typename S::Real(S::dim == 2 ? 1.5 : 1), typename S::Real(0.3), 7);
    const auto block = viscosity<S>(20, 5);
    std::vector<typename S::Row> result(fluid.velocity.size());
    block.gather(fluid.view(), fluid.context(0.002), typename S::Real(0.002), result);
    const double size = fluid.size_of(fluid.velocity);
    EXPECT_LT(length(fluid.momentum_of(result) - fluid.momentum_of(fluid.velocity)), 1e-5 * size);
    EXPECT_LT(length(fluid.moment_of(result) - fluid.moment_of(fluid.velocity)), 1e-5 * size);
    EXPECT_LT(fluid.energy_of(result), 0.999 * fluid.energy_of(fluid.velocity));
}

// T2: two particles approaching lose relative speed by the formula, a separating pair is untouched.
TYPED_TEST(RadialImpulsesTest, ActsOnApproachingPairsOnly) {
    using S = TypeParam;
    using Real = typename S::Real;
    test::RandomFluid<S> pair(2, 1, Real(0.3), 1, true);
    pair.position = {typename S::Row({Real(0), Real(0), Real(0)}), typename S::Row({Real(0.15), Real(0), Real(0)})};
    pair.neighbors.update(pair.position, 0.3, pair.parallel, no_period);
    const auto block = viscosity<S>(20, 5);
    const auto relative_speed_after = [&](Real u) {
        pair.velocity = {typename S::Row({u / 2, Real(1), Real(0)}), typename S::Row({-u / 2, Real(2), Real(0)})};
        std::vector<typename S::Row> result(2);
        block.gather(pair.view(), pair.context(0.01), Real(0.01), result);
        EXPECT_EQ(result[0].y, Real(1));  // radial only
        return result[0].x - result[1].x;
    };
    // du/dt = -w (σu + βu²) by many small steps.
    double expected = 2;
    for (int n = 0; n < 100000; ++n) expected -= 1e-7 * 0.5 * (20 * expected + 5 * expected * expected);
    EXPECT_NEAR(relative_speed_after(2), expected, 2e-4 * expected);
    EXPECT_NEAR(relative_speed_after(-2), -2, 1e-6);
}

TYPED_TEST(RadialImpulsesTest, NeverTurnsAPairAround) {
    using S = TypeParam;
    using Real = typename S::Real;
    const auto block = viscosity<S>(1e6, 1e4);
    for (const Real u : {Real(1e-3), Real(1), Real(1e3)}) {
        const Real loss = block.speed_loss(u, Real(0.2), block.materials[0], Real(1));
        EXPECT_GE(loss, Real(0.999) * u);
        EXPECT_LE(loss, u);
    }
}

TYPED_TEST(RadialImpulsesTest, TwoHalfStepsAreOneStep) {
    using S = TypeParam;
    using Real = typename S::Real;
    const auto block = viscosity<S>(8, 3);
    const auto c = block.materials[0];
    const Real whole = 2 - block.speed_loss(2, Real(0.4), c, Real(0.02));
    Real half = 2 - block.speed_loss(2, Real(0.4), c, Real(0.01));
    half -= block.speed_loss(half, Real(0.4), c, Real(0.01));
    EXPECT_NEAR(half, whole, 1e-6);
}

TYPED_TEST(RadialImpulsesTest, SweepConservesMomentumToo) {
    using S = TypeParam;
    test::RandomFluid<S> fluid(300, typename S::Real(S::dim == 2 ? 1.5 : 1), typename S::Real(0.3), 3);
    const auto block = viscosity<S>(20, 5);
    const auto before = fluid.velocity;
    block.sweep(fluid.view(), fluid.context(0.002), typename S::Real(0.002));
    EXPECT_LT(length(fluid.momentum_of(fluid.velocity) - fluid.momentum_of(before)), 1e-5 * fluid.size_of(before));
    EXPECT_LT(fluid.energy_of(fluid.velocity), fluid.energy_of(before));
}

TYPED_TEST(RadialImpulsesTest, AStepIsAsManyPassesAsItIsToldTo) {
    using S = TypeParam;
    using Real = typename S::Real;
    for (const bool sequential : {false, true}) {
        const Real box(S::dim == 2 ? 1.3 : 0.9), dt = static_cast<Real>(0.006 / 3);
        test::RandomFluid<S> at_once(200, box, Real(0.3), 3), one_by_one(200, box, Real(0.3), 3);
        auto block = viscosity<S>(20, 5);
        block.sequential = sequential;
        block.apply(at_once.view(), at_once.context(0.006), 3, at_once.displacement);
        const double energy = one_by_one.energy_of(one_by_one.velocity);
        for (int n = 0; n < 3; ++n) {
            if (sequential) {
                block.sweep(one_by_one.view(), one_by_one.context(0.006), dt);
            } else {
                block.gather(one_by_one.view(), one_by_one.context(0.006), dt, one_by_one.displacement);
                one_by_one.velocity = one_by_one.displacement;
            }
        }
        EXPECT_LT(one_by_one.energy_of(one_by_one.velocity), 0.99 * energy);
        for (std::size_t i = 0; i < 200; ++i) EXPECT_EQ(at_once.velocity[i].xyz(), one_by_one.velocity[i].xyz()) << i;
    }
}

TEST(RadialImpulsesPrinted, BrakesSeparatingPairsAsTheFormulaSays) {
    RadialImpulses<Space2d> block{.support_radius = 1, .materials = {{10, 0}}, .as_printed = true};
    EXPECT_DOUBLE_EQ(block.speed_loss(-2, 0.5, block.materials[0], 0.01), 0.01 * 0.5 * 10 * -2);
}

}  // namespace
}  // namespace treacle
