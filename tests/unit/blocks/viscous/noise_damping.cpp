#include "blocks/viscous/noise_damping.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/random_fluid.h"
#include "support/spaces.h"

namespace treacle {
namespace {

template <class S>
class NoiseDampingTest : public testing::Test {};
TYPED_TEST_SUITE(NoiseDampingTest, test::AllSpaces);

/// Blocks have a support radius of 2.2 spacings and damp for a time in which they could damp all.
template <class S>
void damp(test::RandomFluid<S>& fluid, double spacing) {
    NoiseDamping<S> block;
    block.support_radius = 2.2 * spacing;
    block.rate = 1e6;
    block.apply(fluid.view(), fluid.context(1));
}

/// 13 particles along each axis on a lattice of spacing 1.
template <class S>
struct Lattice : test::RandomFluid<S> {
    using Real = typename S::Real;

    Lattice() : test::RandomFluid<S>(S::dim == 3 ? 2197 : 169, 13, Real(2.2), 1, true) {
        for (std::size_t i = 0; i < this->size(); ++i) {
            const auto at = [](std::size_t n) { return static_cast<Real>(n % 13) - 6; };
            this->position[i] = typename S::Row({at(i), at(i / 13), S::dim == 3 ? at(i / 169) : 0});
            this->volume[i] = 1;
        }
        this->neighbors.update(this->position, Real(2.2), this->parallel, no_period);
    }
};

TYPED_TEST(NoiseDampingTest, KeepsMomentumAndAngularMomentumAndTakesEnergy) {
    using S = TypeParam;
    using Real = typename S::Real;
    test::RandomFluid<S> fluid(400, Real(S::dim == 2 ? 20 : 7.4), Real(2.2), 7);
    for (std::size_t i = 0; i < fluid.size(); ++i) fluid.volume[i] = i % 2 == 0 ? 1 : Real(0.5);  // four densities
    const auto before = fluid.velocity;
    damp(fluid, 1);
    const double size = fluid.size_of(before);
    EXPECT_LT(length(fluid.momentum_of(fluid.velocity) - fluid.momentum_of(before)), 1e-5 * size);
    EXPECT_LT(length(fluid.moment_of(fluid.velocity) - fluid.moment_of(before)), 1e-4 * size);
    EXPECT_LT(fluid.energy_of(fluid.velocity), 0.99 * fluid.energy_of(before));
}

TYPED_TEST(NoiseDampingTest, LeavesRigidMotion) {
    using S = TypeParam;
    using Real = typename S::Real;
    test::RandomFluid<S> fluid(400, Real(S::dim == 2 ? 20 : 7.4), Real(2.2), 7);
    std::ranges::fill(fluid.volume, Real(1));
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        const auto x = fluid.position[i];
        fluid.velocity[i] = typename S::Row({1 - Real(0.3) * x.y, 2 + Real(0.3) * x.x, 0});
    }
    const auto before = fluid.velocity;
    damp(fluid, 1);
    for (std::size_t i = 0; i < fluid.size(); ++i)
        EXPECT_LT(length(fluid.velocity[i].xyz() - before[i].xyz()), Real(1e-5) * length(before[i].xyz()));
}

/// What the middle of a lattice loses of a wave along x with particles that move along it, or across.
template <class S>
double lost_of_wave(double length_of_wave, bool along) {
    using Real = typename S::Real;
    Lattice<S> fluid;
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        const double phase = 2 * M_PI * static_cast<double>(fluid.position[i].x) / length_of_wave;
        const Real v = static_cast<Real>(std::cos(phase));
        fluid.velocity[i] = typename S::Row({along ? v : Real(0), along ? Real(0) : v, 0});
    }
    damp(fluid, 1);
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        const auto v = fluid.velocity[i];
        if (length(fluid.position[i].xyz()) == 0) return 1 - static_cast<double>(along ? v.x : v.y);
    }
    return 0;
}

TYPED_TEST(NoiseDampingTest, TakesTheNoiseOfParticlesAndLeavesWaves) {
    for (const bool along : {true, false})
        EXPECT_LT(lost_of_wave<TypeParam>(10, along), 0.01 * lost_of_wave<TypeParam>(2, along)) << along;
    EXPECT_NEAR(lost_of_wave<TypeParam>(2, true), TypeParam::dim == 2 ? 0.097 : 0.065, 0.001);
}

}  // namespace
}  // namespace treacle
