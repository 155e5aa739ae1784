#include "blocks/pressure/double_density.h"

#include <gtest/gtest.h>

#include <cmath>

#include "blocks/motion.h"
#include "support/random_fluid.h"
#include "support/spaces.h"

namespace treacle {
namespace {

template <class S>
class DoubleDensityTest : public testing::Test {};
TYPED_TEST_SUITE(DoubleDensityTest, test::AllSpaces);

template <class S>
struct Case {
    using Real = typename S::Real;

    explicit Case(std::uint32_t seed, std::size_t count = 300)
        : fluid(count, Real(S::dim == 2 ? 1.3 : 0.9), Real(0.3), seed), density(count), pressure(count),
          near_pressure(count) {
        block.support_radius = Real(0.3);
        block.materials = {{Real(2), Real(0.5), Real(4), Real(-3)}};
    }
    typename DoubleDensity<S>::Fields fields() { return {density, pressure, near_pressure}; }
    void gather(double dt) {
        block.measure(fluid.view(), fluid.context(dt), fields());
        block.gather(fluid.view(), fluid.context(dt), fields(), fluid.displacement, fluid.wall_displacement);
    }
    void sweep(double dt) {
        block.sweep(fluid.view(), fluid.context(dt), fields(), fluid.displacement, fluid.wall_displacement);
    }
    static Cohesion<S> no_cohesion() { return {.support_radius = Real(0.3), .strength = {Real(0)}}; }
    void relax(double dt, const Cohesion<S>& cohesion = no_cohesion()) {
        block.relax(fluid.view(), fluid.context(dt), cohesion, fields(), fluid.displacement, fluid.wall_displacement);
    }
    void press(double dt) { block.press_bodies(fluid.view(), fluid.context(dt), fields()); }

    test::RandomFluid<S> fluid;
    DoubleDensity<S> block;
    std::vector<Real> density, pressure, near_pressure;
};

TYPED_TEST(DoubleDensityTest, ConservesMomentum) {
    using S = TypeParam;
    Case<S> c(21);
    c.gather(0.01);
    const double size = c.fluid.size_of(c.fluid.displacement);
    EXPECT_GT(size, 0);
    EXPECT_LT(length(c.fluid.momentum_of(c.fluid.displacement)), 1e-5 * size);
    EXPECT_LT(length(c.fluid.moment_of(c.fluid.displacement)), 1e-5 * size);
}

TYPED_TEST(DoubleDensityTest, SweepConservesMomentum) {
    using S = TypeParam;
    Case<S> c(22);
    c.sweep(0.01);
    EXPECT_LT(length(c.fluid.momentum_of(c.fluid.displacement)), 1e-5 * c.fluid.size_of(c.fluid.displacement));
}

/// A floor and a lid with fluid between them, some of which feels both.
template <class S>
Bodies gap(double height) {
    Body floor, lid;
    floor.shape.form = Plane{{0, 1, 0}, 0};
    lid.pose.position = {0.2, 0.1, 0};
    lid.shape.form = Plane{{0, -1, 0}, 0.1 - height};
    floor.shape.dimension = lid.shape.dimension = S::dim;
    return {floor, lid};
}

TYPED_TEST(DoubleDensityTest, GivesBodiesWhatTheirOwnWallsTookFromTheFluid) {
    using S = TypeParam;
    using Real = typename S::Real;
    const double dt = 0.01;
    for (const bool swept : {false, true}) {
        Case<S> c(23);
        c.block.half_space.emplace(S::dim, 0.1, 0.3);
        c.fluid.bodies = gap<S>(0.4);
        if (swept) c.sweep(dt);
        else c.gather(dt);
        c.press(dt);
        const double unit = 1 / dt / dt;
        const double size = unit * c.fluid.size_of(c.fluid.wall_displacement);
        const double rounding = sizeof(Real) == 4 ? 1e-5 : 1e-12;
        ASSERT_GT(size, 0);
        const Vec3d given = c.fluid.bodies[0].force + c.fluid.bodies[1].force;
        EXPECT_LT(length(given + unit * c.fluid.momentum_of(c.fluid.wall_displacement)), rounding * size);
        Vec3d moment{};
        for (const Body& body : c.fluid.bodies) moment += body.torque + cross(body.pose.position, body.force);
        EXPECT_LT(length(moment + unit * c.fluid.moment_of(c.fluid.wall_displacement)), rounding * size);
    }
}

/// A particle under pressure in the middle of a gap presses on both sides; the forces of the walls on it cancel.
TYPED_TEST(DoubleDensityTest, PressesApartWhatItLiesBetween) {
    using S = TypeParam;
    using Real = typename S::Real;
    using Row = typename S::Row;
    Case<S> c(1, 1);
    c.fluid.position = {Row({Real(0), Real(0.1), Real(0)})};
    c.fluid.neighbors.update(c.fluid.position, 0.3, c.fluid.parallel, no_period);
    c.block.materials = {{Real(2), Real(5), Real(0), Real(-3)}};
    c.block.half_space.emplace(S::dim, 0.1, 0.3);
    c.fluid.bodies = gap<S>(0.2);
    c.gather(0.01);
    c.press(0.01);
    EXPECT_LT(c.fluid.bodies[0].force.y, 0);
    EXPECT_NEAR(c.fluid.bodies[1].force.y / -c.fluid.bodies[0].force.y, 1, 1e-5);
}

/// relax() is the passes together: particles end where the displacements lead, with the velocities that go with them.
TYPED_TEST(DoubleDensityTest, RelaxationMovesBothPositionsAndVelocities) {
    using S = TypeParam;
    using Real = typename S::Real;
    const Cohesion<S> cohesion{.support_radius = Real(0.3), .strength = {Real(10)}};
    for (const bool sequential : {false, true}) {
        Case<S> c(24), passes(24);
        c.block.half_space.emplace(S::dim, 0.1, 0.3);
        c.block.sequential = sequential;
        c.fluid.bodies = gap<S>(0.4);
        passes.block = c.block;
        passes.fluid.bodies = gap<S>(0.4);
        const auto started = c.fluid.velocity;
        c.relax(0.01, cohesion);
        if (sequential) {
            cohesion.gather(passes.fluid.view(), passes.fluid.context(0.01), passes.fluid.displacement);
            displace<S>(passes.fluid.view(), passes.fluid.context(0.01), passes.fluid.displacement);
            passes.sweep(0.01);
            displace_velocity<S>(passes.fluid.view(), passes.fluid.context(0.01), passes.fluid.displacement);
        } else {
            passes.gather(0.01);
            cohesion.gather(passes.fluid.view(), passes.fluid.context(0.01), passes.fluid.displacement);
            displace<S>(passes.fluid.view(), passes.fluid.context(0.01), passes.fluid.displacement);
        }
        passes.press(0.01);
        EXPECT_GT(length(c.fluid.bodies[0].force), 0);
        for (std::size_t i = 0; i < c.fluid.size(); ++i) {
            ASSERT_EQ(c.fluid.position[i].xyz(), passes.fluid.position[i].xyz());
            ASSERT_EQ(c.fluid.velocity[i].xyz(), passes.fluid.velocity[i].xyz());
            ASSERT_NE(c.fluid.velocity[i].xyz(), started[i].xyz());
        }
    }
}

/// Surface tension is no matter of the order in which particles are treated.
TYPED_TEST(DoubleDensityTest, CohesionActsInBothOrders) {
    using S = TypeParam;
    using Real = typename S::Real;
    const Cohesion<S> cohesion{.support_radius = Real(0.3), .strength = {Real(10)}};
    for (const bool sequential : {false, true}) {
        const auto virial = [&](const Cohesion<S>& by) {  // Σ m x·Δv, the lower the more is drawn together
            Case<S> c(25);
            c.block.sequential = sequential;
            const auto x = c.fluid.position, v = c.fluid.velocity;
            c.relax(0.01, by);
            double sum = 0;
            for (std::size_t i = 0; i < x.size(); ++i)
                sum += static_cast<double>(c.fluid.mass[i]) *
                       dot(cast<double>(x[i].xyz()), cast<double>(c.fluid.velocity[i].xyz() - v[i].xyz()));
            return sum;
        };
        EXPECT_LT(virial(cohesion), virial(Case<S>::no_cohesion()) - 1) << sequential;
    }
}

TYPED_TEST(DoubleDensityTest, GaugesTheDensityByThePackingAtRest) {
    using S = TypeParam;
    using Real = typename S::Real;
    Case<S> c(26, 2);
    c.block.materials[0].density = 800;
    c.block.packing_density = 3;
    const std::vector<Real> number_density = {Real(3), Real(3.4)};
    const Compression compression = c.block.gauge_density(c.fluid.view(), c.fluid.context(0), number_density);
    EXPECT_NEAR(c.fluid.density[0], 800, 1e-3);
    EXPECT_NEAR(c.fluid.density[1], 880, 1e-3);
    EXPECT_NEAR(compression.max, 0.1, 1e-6);
    EXPECT_NEAR(compression.mean, 0.05, 1e-6);
}

TYPED_TEST(DoubleDensityTest, MatchesThePaperForAPair) {
    using S = TypeParam;
    using Real = typename S::Real;
    using Row = typename S::Row;
    Case<S> c(1, 2);
    c.fluid.mass = {1, 1};
    c.fluid.position = {Row({Real(0), Real(0), Real(0)}), Row({Real(0), Real(0.12), Real(0)})};
    c.fluid.neighbors.update(c.fluid.position, 0.3, c.fluid.parallel, no_period);
    c.gather(0.1);
    const double w = 1 - 0.12 / 0.3;
    const double p = std::max(2 * (w * w - 4), -3.0), p_near = 0.5 * w * w * w;
    // Visited twice, D/2 each time: the whole D for equal pressures.
    EXPECT_NEAR(c.fluid.displacement[1].y, 0.01 * (p * w + p_near * w * w), 1e-6);
    EXPECT_NEAR(c.density[0], w * w, 1e-6);
}

TYPED_TEST(DoubleDensityTest, PushesCoincidentParticlesApart) {
    using S = TypeParam;
    using Real = typename S::Real;
    using Row = typename S::Row;
    Case<S> c(1, 2);
    c.fluid.mass = {1, 1};
    c.fluid.position = {Row({Real(0.5), Real(0.5), Real(0)}), Row({Real(0.5), Real(0.5), Real(0)})};
    c.fluid.neighbors.update(c.fluid.position, 0.3, c.fluid.parallel, no_period);
    c.block.materials = {{Real(2), Real(5), Real(0), Real(-3)}};
    c.gather(0.1);
    EXPECT_GT(length(c.fluid.displacement[0].xyz()), Real(0.01));
    EXPECT_EQ(c.fluid.displacement[0].x, -c.fluid.displacement[1].x);
    EXPECT_EQ(c.fluid.displacement[0].y, -c.fluid.displacement[1].y);
    if (S::dim == 2) { EXPECT_EQ(c.fluid.displacement[0].z, Real(0)); }
}

/// E/m = Σ (h/8) k (ρ-ρ0)² + (h/12) k_near ρn²: the forces are its derivative, walls included. This makes the method
/// stable at rest; a wall force of another size would pump energy in.
TEST(DoubleDensityEnergy, ForcesAreTheDerivativeOfTheEnergyWallsIncluded) {
    using S = Space2d;
    Case<S> c(5);
    for (double& m : c.fluid.mass) m = 1;
    c.block.materials = {{2, 0.5, 4, -1e9}};  // no limit on tension: the energy has no kink
    c.block.half_space.emplace(2, 0.1, 0.3);
    Body floor;
    floor.shape.form = Plane{{0, 1, 0}, -0.05};
    floor.shape.dimension = 2;
    c.fluid.bodies = {floor};
    const auto energy = [&] {
        c.fluid.neighbors.update(c.fluid.position, 0.3, c.fluid.parallel, no_period);
        c.gather(1);
        double sum = 0;
        for (std::size_t i = 0; i < c.density.size(); ++i) {
            const double near_density = c.near_pressure[i] / 0.5;
            sum += 0.3 / 8 * 2 * (c.density[i] - 4) * (c.density[i] - 4) + 0.3 / 12 * 0.5 * near_density * near_density;
        }
        return sum;
    };
    energy();
    const auto force = c.fluid.displacement;  // dt = 1
    for (const std::size_t i : {3u, 77u, 150u, 299u}) {
        for (int axis = 0; axis < 2; ++axis) {
            const auto saved = c.fluid.position[i];
            const double step = 1e-6;
            auto x = saved.xyz();
            x[axis] += step;
            c.fluid.position[i] = x;
            const double above = energy();
            x[axis] -= 2 * step;
            c.fluid.position[i] = x;
            const double below = energy();
            c.fluid.position[i] = saved;
            EXPECT_NEAR(force[i].xyz()[axis], -(above - below) / (2 * step),
                        2e-2 + 1e-3 * std::abs(force[i].xyz()[axis]));
        }
    }
}

TEST(DoubleDensityPrinted, NearPressureFollowsThePressure) {
    DoubleDensity<Space2d> block;
    block.materials = {{2, 0.5, 4, -100}};
    block.as_printed = true;
    EXPECT_DOUBLE_EQ(block.pressures(7, 3, block.materials[0]).near_pressure, 0.5 * 2 * (7 - 4));
}

}  // namespace
}  // namespace treacle
