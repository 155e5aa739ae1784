#include "blocks/pressure/blended_pressure.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/random_fluid.h"
#include "support/spaces.h"

namespace treacle {
namespace {

/// A dense cloud of two materials above a floor.
template <class S>
struct Cloud : test::RandomFluidOnFloor<S> {
    using Real = typename S::Real;
    using Row = typename S::Row;

    explicit Cloud(bool solved = false, Real fluidity = Real(0.3)) {
        std::ranges::fill(this->walls, Row({Real(1), Real(1), Real(0)}));  // the block must write all of them
        for (std::size_t i = 0; i < this->size(); ++i) {
            this->material[i] = static_cast<std::uint8_t>(i % 2);
            this->volume[i] = this->mass[i] / (i % 2 == 0 ? 1 : 2);
        }
        block.settings = {.solved = solved, .sound_speed = 3, .materials = {{1, 1}, {2, fluidity}}};
    }
    auto apply() {
        block.measure(this->view(), this->context(), this->ratio);
        return block.apply(this->view(), this->context(), this->ratio, this->pressure, this->walls);
    }

    BlendedPressure<S> block;
};

template <class S>
class BlendedPressureTest : public testing::Test {};
TYPED_TEST_SUITE(BlendedPressureTest, test::AllSpaces);

TYPED_TEST(BlendedPressureTest, counts_by_fluidity_and_is_never_negative) {
    using S = TypeParam;
    Cloud<S> cloud;
    const auto report = cloud.apply();
    double largest = 0;
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        const double r = static_cast<double>(cloud.ratio[i]), rest = i % 2 == 0 ? 1 : 2, share = i % 2 == 0 ? 1 : 0.3;
        EXPECT_NEAR(cloud.density[i], r * rest, 1e-5 * r);
        EXPECT_NEAR(cloud.pressure[i], share * 9 * rest * std::max(0.0, r - 1), 1e-5 * (1 + r));
        largest = std::max(largest, r - 1);
    }
    EXPECT_EQ(report.iterations, 0);
    EXPECT_EQ(report.compression.max, largest);
    EXPECT_GT(report.compression.mean, 0);
    EXPECT_LT(report.compression.mean, largest);
}

TYPED_TEST(BlendedPressureTest, keeps_momentum_of_fluid_and_floor) {
    using S = TypeParam;
    for (const bool solved : {false, true}) {
        Cloud<S> cloud(solved);
        const Vec3d before = cloud.momentum_of(cloud.velocity);
        cloud.apply();
        const Vec3d given = cloud.dt * cloud.bodies[0].force;
        const double size = cloud.size_of(cloud.velocity), rounding = sizeof(typename S::Real) == 4 ? 2e-5 : 1e-12;
        EXPECT_GT(length(given), 0);
        EXPECT_LT(length(cloud.momentum_of(cloud.velocity) - before + given), rounding * (size + length(given)));
        // Where no solid is near, nothing but zero is left of what was there before.
        const auto untouched = [](const auto& d) { return d.xyz() == typename S::Vec{}; };
        const auto count = std::count_if(cloud.walls.begin(), cloud.walls.end(), untouched);
        EXPECT_GT(count, 0);
        EXPECT_LT(count, static_cast<std::ptrdiff_t>(cloud.size()));
    }
}

/// With all fluid it is what the solver alone would do; and nothing of a solve is left in a body but the push.
TYPED_TEST(BlendedPressureTest, solved_for_a_fluid_is_the_solution) {
    using S = TypeParam;
    using Real = typename S::Real;
    Cloud<S> cloud(true, 1), alone(true, 1);
    const auto report = cloud.apply();
    alone.block.solver.measure(alone.view(), alone.context(), alone.ratio);
    const auto expected = alone.block.solver.solve(alone.view(), alone.context(), alone.ratio, alone.pressure);
    EXPECT_EQ(report.iterations, expected.iterations);
    EXPECT_EQ(report.compression.mean, expected.error_mean);
    EXPECT_GT(report.iterations, 0);
    const double rounding = sizeof(Real) == 4 ? 1e-4 : 1e-10;
    double fastest = 0;
    for (const auto& v : alone.velocity) fastest = std::max(fastest, length(cast<double>(v.xyz())));
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        EXPECT_EQ(cloud.pressure[i], alone.pressure[i]);
        EXPECT_LT(length(cast<double>(cloud.velocity[i].xyz() - alone.velocity[i].xyz())), rounding * fastest);
    }
    EXPECT_NEAR(cloud.bodies[0].force.y / alone.bodies[0].force.y, 1, rounding);
}

TYPED_TEST(BlendedPressureTest, of_a_solid_does_nothing) {
    using S = TypeParam;
    Cloud<S> cloud;
    for (auto& material : cloud.block.settings.materials) material.fluidity = 0;
    EXPECT_FALSE(cloud.block.active());
    const auto before = cloud.velocity;
    const auto report = cloud.apply();
    EXPECT_EQ(report.compression.max, 0);
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        EXPECT_EQ(cloud.velocity[i].xyz(), before[i].xyz());
        EXPECT_EQ(cloud.walls[i].xyz(), typename S::Vec{});
    }
}

TYPED_TEST(BlendedPressureTest, as_printed_is_the_printed_block) {
    using S = TypeParam;
    Cloud<S> cloud, alone;
    for (Cloud<S>* c : {&cloud, &alone}) {
        c->block.settings.as_printed = true;
        c->block.printed.support_radius = Cloud<S>::reach;
        c->block.printed.stiffness = 3;
        c->block.printed.materials = {{1, 1, 0}, {2, typename S::Real(0.3), 1}};
    }
    cloud.apply();
    alone.block.printed.apply(alone.view(), alone.context());
    for (std::size_t i = 0; i < cloud.size(); ++i) EXPECT_EQ(cloud.velocity[i].xyz(), alone.velocity[i].xyz());
    EXPECT_EQ(cloud.bodies[0].force, Vec3d{});
}

}  // namespace
}  // namespace treacle
