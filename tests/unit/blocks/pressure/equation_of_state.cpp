#include "blocks/pressure/equation_of_state.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "blocks/pressure/iisph.h"
#include "support/on_every_path.h"
#include "support/random_fluid.h"
#include "support/spaces.h"

namespace treacle {
namespace {

/// A cloud above a floor, with random pressures, and the effect of EquationOfState on it.
template <class S>
struct Cloud : test::RandomFluidOnFloor<S> {
    using Real = typename S::Real;
    using test::RandomFluidOnFloor<S>::ratio, test::RandomFluidOnFloor<S>::pressure, test::RandomFluidOnFloor<S>::walls;

    explicit Cloud(bool equal = false) : test::RandomFluidOnFloor<S>(equal) {
        std::mt19937 random(2);
        std::uniform_real_distribution<Real> number(Real(0.5), Real(1.5));
        for (std::size_t i = 0; i < this->position.size(); ++i) {
            this->volume[i] = equal ? Real(1) : number(random);
            pressure[i] = 100 * number(random);
        }
    }
    void measure() { block.measure(this->view(), this->context(), ratio); }
    void push() {
        block.push(this->view(), this->context(), ratio, pressure);
        block.find_wall_displacement(this->context(), walls);
    }

    EquationOfState<S> block;
};

template <class S>
double tolerance() {
    return sizeof(typename S::Real) == 4 ? 2e-5 : 1e-12;
}

template <class S>
class EquationOfStateTest : public testing::Test {};
TYPED_TEST_SUITE(EquationOfStateTest, test::AllSpaces);

TYPED_TEST(EquationOfStateTest, is_the_force_of_stored_gradients) {
    using S = TypeParam;
    using Real = typename S::Real;
    for (const bool equal : {true, false}) {
        Cloud<S> cloud(equal), other(equal);
        Iisph<S> stored;
        std::vector<Real> ratio(cloud.volume.size());
        const FluidView<S> fluid = other.view();
        const BlockContext<S> context = other.context();
        stored.measure(fluid, context, ratio);
        cloud.measure();
        for (std::size_t i = 0; i < ratio.size(); ++i) EXPECT_NEAR(cloud.ratio[i] / ratio[i], 1, tolerance<S>());
        stored.push(fluid, context, ratio, other.pressure);
        stored.find_wall_displacement(context, other.walls);
        cloud.push();
        const double size = other.size_of(other.velocity) / static_cast<double>(ratio.size());
        double pushed = 0;
        for (std::size_t i = 0; i < ratio.size(); ++i) {
            EXPECT_LT(length(cast<double>(cloud.velocity[i].xyz() - other.velocity[i].xyz())), tolerance<S>() * size);
            EXPECT_LT(length(cast<double>(cloud.walls[i].xyz() - other.walls[i].xyz())),
                      tolerance<S>() * size * cloud.dt);
            pushed = std::max(pushed, length(cast<double>(cloud.walls[i].xyz())));
        }
        EXPECT_GT(pushed, 0);
        EXPECT_NEAR(cloud.bodies[0].force.y / other.bodies[0].force.y, 1, tolerance<S>());
    }
}

TYPED_TEST(EquationOfStateTest, momentum_that_the_fluid_gets_the_floor_loses) {
    using S = TypeParam;
    Cloud<S> cloud;
    cloud.measure();
    const Vec3d before = cloud.momentum_of(cloud.velocity);
    cloud.push();
    const Vec3d change = cloud.momentum_of(cloud.velocity) - before + cloud.dt * cloud.bodies[0].force;
    EXPECT_GT(length(cloud.dt * cloud.bodies[0].force), 1e-3);
    EXPECT_LT(length(change), tolerance<S>() * cloud.size_of(cloud.velocity));
}

TYPED_TEST(EquationOfStateTest, bits_do_not_depend_on_the_path) {
    using S = TypeParam;
    std::vector<typename S::Row> first;
    for (const simd::Choice path : test::paths()) {
        const test::OnPath on(path);
        Cloud<S> cloud;
        cloud.measure();
        cloud.push();
        if (first.empty()) first = cloud.velocity;
        for (std::size_t i = 0; i < first.size(); ++i) {
            ASSERT_EQ(test::bits_of(cloud.velocity[i].x), test::bits_of(first[i].x)) << simd::name(path);
            ASSERT_EQ(test::bits_of(cloud.velocity[i].y), test::bits_of(first[i].y)) << simd::name(path);
        }
    }
}

}  // namespace
}  // namespace treacle
