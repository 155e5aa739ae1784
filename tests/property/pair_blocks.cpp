#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "blocks/pressure/double_density.h"
#include "blocks/surface/cohesion.h"
#include "blocks/surface/surface_tension.h"
#include "blocks/viscous/explicit_viscosity.h"
#include "blocks/viscous/implicit_viscosity.h"
#include "blocks/viscous/radial_impulses.h"
#include "blocks/viscous/xsph.h"
#include "support/random_fluid.h"

/// What must hold for every pair block over random states: a moved, turned or re-ordered fluid moves the same way.

namespace treacle {
namespace {

using S = Space3d;
using Fluid = test::RandomFluid<S>;
using Rows = std::vector<Row4<double>>;

Rows pressure_moves(Fluid& fluid) {
    DoubleDensity<S> block;
    block.support_radius = 0.3;
    block.materials = {{2, 0.5, 4, -3}};
    WallRows<S> walls;
    walls.update(fluid.position, {}, 0.3, fluid.parallel);
    const std::size_t count = fluid.position.size();
    std::vector<double> density(count), pressure(count), near_pressure(count);
    Rows moves(count), by_walls(count);
    block.measure(fluid.neighbors, walls, fluid.position, fluid.id, fluid.material, fluid.parallel, density, pressure,
                  near_pressure);
    block.gather(fluid.neighbors, walls, fluid.position, fluid.mass, fluid.id, fluid.material, pressure, near_pressure,
                 0.01, fluid.parallel, moves, by_walls);
    return moves;
}

Rows viscosity_moves(Fluid& fluid) {
    const RadialImpulses<S> block{.support_radius = 0.3, .materials = {{20, 5}}};
    Rows result(fluid.position.size());
    block.gather(fluid.neighbors, fluid.position, fluid.velocity, fluid.mass, fluid.id, fluid.material, 0.002,
                 fluid.parallel, result);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = result[i].xyz() - fluid.velocity[i].xyz();
    return result;
}

Rows cohesion_moves(Fluid& fluid) {
    const Cohesion<S> block{.support_radius = 0.3, .strength = {3}};
    Rows result(fluid.position.size());
    block.gather(fluid.neighbors, fluid.position, fluid.mass, fluid.id, fluid.material, 0.01, fluid.parallel, result);
    return result;
}

/// Of unequal particles, with a viscosity that goes by the mass so that it is re-ordered with them.
struct Viscous {
    explicit Viscous(const Fluid& fluid) : viscosity(fluid.mass), volume(fluid.mass) {
        for (double& v : volume) v = 0.001 / v;
    }
    std::vector<double> viscosity, volume;
};

Rows explicit_viscosity_moves(Fluid& fluid) {
    const Viscous viscous(fluid);
    Rows result(fluid.position.size());
    ExplicitViscosity<S>{0.3}.add(fluid.neighbors, fluid.position, fluid.velocity, fluid.mass, viscous.volume,
                                  viscous.viscosity, fluid.parallel, result);
    return result;
}

Rows implicit_viscosity_moves(Fluid& fluid) {
    const Viscous viscous(fluid);
    Rows velocity = fluid.velocity, change(velocity.size());
    Bodies none;
    BoundaryParticles<S> boundary(none, {0.15, 0.3}, fluid.parallel);
    boundary.update(fluid.position, none, fluid.parallel);
    ImplicitViscosity<S> block(0.3, {1e-12, 1000});
    const ImplicitViscosity<S>::Fluid part{fluid.position, fluid.mass, viscous.volume, viscous.viscosity};
    const auto report = block.apply(fluid.neighbors, boundary, part, 10, {}, fluid.parallel, velocity, none, change);
    EXPECT_TRUE(report.converged);
    return change;
}

Rows xsph_moves(Fluid& fluid) {
    const Viscous viscous(fluid);
    Rows result(fluid.position.size());
    Xsph<S>{0.3}.gather(fluid.neighbors,
                        {fluid.position, fluid.velocity, fluid.mass, viscous.volume, viscous.viscosity}, 10,
                        fluid.parallel, result);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = result[i].xyz() - fluid.velocity[i].xyz();
    return result;
}

Rows surface_tension_moves(Fluid& fluid) {
    const Viscous unequal(fluid);
    Rows velocity = fluid.velocity;
    Bodies none;
    BoundaryParticles<S> boundary(none, {0.15, 0.3}, fluid.parallel);
    boundary.update(fluid.position, none, fluid.parallel);
    SurfaceTension<S> block;
    block.tension = {2};
    block.apply(fluid.neighbors, boundary, {fluid.position, fluid.mass, unequal.volume, fluid.material}, 10,
                fluid.parallel, velocity, none);
    for (std::size_t i = 0; i < velocity.size(); ++i) velocity[i] = velocity[i].xyz() - fluid.velocity[i].xyz();
    return velocity;
}

using Moves = Rows (*)(Fluid&);

class PairBlock : public testing::TestWithParam<Moves> {
protected:
    void expect_same(const Rows& a, const Rows& b) {
        double size = 0;
        for (const auto& row : a) size = std::max(size, length(row.xyz()));
        ASSERT_GT(size, 0);
        for (std::size_t i = 0; i < a.size(); ++i) EXPECT_LT(length(a[i].xyz() - b[i].xyz()), 1e-10 * size) << i;
    }
};

TEST_P(PairBlock, DoesNotCareWhereAndHowFastTheFluidIs) {
    Fluid fluid(300, 0.9, 0.3, 31);
    const Rows expected = GetParam()(fluid);
    for (auto& x : fluid.position) x = x.xyz() + Vec3d{8, -16, 4};  // powers of two keep the digits
    for (auto& v : fluid.velocity) v = v.xyz() + Vec3d{2, 1, -4};
    fluid.neighbors.update(fluid.position, 0.3, fluid.parallel, no_period);
    expect_same(expected, GetParam()(fluid));
}

TEST_P(PairBlock, TurnsWithTheFluid) {
    Fluid fluid(300, 0.9, 0.3, 32);
    Rows expected = GetParam()(fluid);
    const auto turn = [](auto& rows) {
        for (auto& r : rows) r = Vec3d{-r.y, r.z, -r.x};
    };
    turn(fluid.position);
    turn(fluid.velocity);
    turn(expected);
    fluid.neighbors.update(fluid.position, 0.3, fluid.parallel, no_period);
    expect_same(expected, GetParam()(fluid));
}

TEST_P(PairBlock, DoesNotCareInWhichOrderParticlesAreStored) {
    Fluid fluid(300, 0.9, 0.3, 33);
    const Rows before = GetParam()(fluid);
    std::vector<std::size_t> order(300);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), std::mt19937(5));
    const auto reorder = [&](auto rows) {
        auto result = rows;
        for (std::size_t i = 0; i < order.size(); ++i) result[i] = rows[order[i]];
        return result;
    };
    fluid.position = reorder(fluid.position);
    fluid.velocity = reorder(fluid.velocity);
    fluid.mass = reorder(fluid.mass);
    fluid.id = reorder(fluid.id);
    fluid.neighbors.update(fluid.position, 0.3, fluid.parallel, no_period);
    expect_same(reorder(before), GetParam()(fluid));
}

std::string name_of(const testing::TestParamInfo<Moves>& which) {
    return std::vector{"pressure",           "viscosity", "cohesion",       "explicit_viscosity",
                       "implicit_viscosity", "xsph",      "surface_tension"}[which.index];
}

INSTANTIATE_TEST_SUITE_P(All, PairBlock,
                         testing::Values(pressure_moves, viscosity_moves, cohesion_moves, explicit_viscosity_moves,
                                         implicit_viscosity_moves, xsph_moves, surface_tension_moves),
                         name_of);

}  // namespace
}  // namespace treacle
