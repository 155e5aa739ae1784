#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "blocks/elastic/conformation.h"
#include "blocks/pressure/coupled_flow.h"
#include "blocks/pressure/double_density.h"
#include "blocks/pressure/iisph.h"
#include "blocks/surface/cohesion.h"
#include "blocks/surface/surface_tension.h"
#include "blocks/viscous/explicit_viscosity.h"
#include "blocks/viscous/implicit_viscosity.h"
#include "blocks/viscous/radial_impulses.h"
#include "blocks/viscous/xsph.h"
#include "support/random_fluid.h"

/// Properties of every pair block over random states: a moved, turned or re-ordered fluid moves the same way.

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

/// Unequal particles, with a viscosity that depends on the mass so that it is re-ordered with them.
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

Rows iisph_moves(Fluid& fluid) {
    const Viscous unequal(fluid);
    Rows velocity = fluid.velocity;
    Bodies none;
    BoundaryParticles<S> boundary(none, {0.15, 0.3}, fluid.parallel);
    boundary.update(fluid.position, none, fluid.parallel);
    std::vector<double> ratio(velocity.size()), pressure(velocity.size());
    // Volumes that make many of the particles too dense, and a number of iterations that rounding does not change.
    std::vector<double> volume(unequal.volume);
    for (double& v : volume) v *= 4;
    Iisph<S> block;
    block.settings = {.solver = Iisph<S>::Solver::jacobi, .tolerance = 0, .max_iterations = 20};
    block.measure(fluid.neighbors, boundary, none, fluid.position, volume, fluid.mass, fluid.parallel, ratio);
    block.solve(volume, fluid.mass, ratio, {}, 0.01, fluid.parallel, velocity, pressure, none);
    const auto pressed = std::count_if(pressure.begin(), pressure.end(), [](double p) { return p > 0; });
    EXPECT_GT(pressed, 30);
    EXPECT_LT(pressed, 270);
    for (std::size_t i = 0; i < velocity.size(); ++i) velocity[i] = velocity[i].xyz() - fluid.velocity[i].xyz();
    return velocity;
}

/// The same fluid in float, for which every build has the constraints of barreiro2017, with a compliance and a
/// conformation that depend on the mass.
struct Conformed {
    using F = Space3f;

    explicit Conformed(const Fluid& fluid) {
        for (std::size_t i = 0; i < fluid.position.size(); ++i) {
            position.push_back(cast<float>(fluid.position[i].xyz()));
            velocity.push_back(cast<float>(fluid.velocity[i].xyz()));
            mass.push_back(static_cast<float>(fluid.mass[i]));
            volume.push_back(0.001f / mass.back());
            compliance.push_back(0.001f * mass.back());
            conformation.push_back((1 + 0.1f * mass.back()) * SymMat<float>::identity());
        }
        neighbors.update(position, 0.3f, fluid.parallel, no_period);
        block.settings.support_radius = 0.3;
        block.begin({neighbors, position}, part(), 0.01, fluid.parallel);
    }
    Conformation<F>::Fluid part() const { return {mass, volume, compliance}; }
    static Rows moves(const std::vector<F::Row>& after, const std::vector<F::Row>& before) {
        Rows result;
        for (std::size_t i = 0; i < after.size(); ++i)
            result.push_back(cast<double>(after[i].xyz()) - cast<double>(before[i].xyz()));
        return result;
    }

    std::vector<F::Row> position, velocity;
    std::vector<float> mass, volume, compliance;
    std::vector<SymMat<float>> conformation;
    Neighbors<F> neighbors;
    Conformation<F> block;
};

Rows conformation_velocity_moves(Fluid& fluid) {
    Conformed conformed(fluid);
    auto velocity = conformed.velocity;
    for (int n = 0; n < 3; ++n)
        conformed.block.project_velocities({conformed.neighbors, conformed.position}, conformed.part(),
                                           conformed.conformation, fluid.parallel, velocity);
    return Conformed::moves(velocity, conformed.velocity);
}

Rows conformation_position_moves(Fluid& fluid) {
    Conformed conformed(fluid);
    auto position = conformed.position;
    MovingPositions<Conformed::F> moving(position);
    for (std::size_t i = 0; i < position.size(); ++i) moving.move(i, 0.01f * conformed.velocity[i].xyz());
    const auto before = position;
    for (int n = 0; n < 3; ++n)
        conformed.block.project_positions(conformed.neighbors, conformed.part(), conformed.conformation, fluid.parallel,
                                          moving);
    return Conformed::moves(position, before);
}

Rows coupled_flow_moves(Fluid& fluid) {
    const Viscous viscous(fluid);
    std::vector<SymMat<double>> conformation;
    for (const double m : fluid.mass) conformation.push_back((1 + 0.1 * m) * SymMat<double>::identity());
    const double spacing = 0.3 / 3.1;
    Bodies none;
    BoundaryParticles<S> boundary(none, {spacing, 0.3}, fluid.parallel);
    boundary.update(fluid.position, none, fluid.parallel);
    MpsGeometry<S> geometry(2.1 * spacing, 2.1 * spacing, 0.3, spacing);
    geometry.update(fluid.neighbors, boundary, none, fluid.position, fluid.parallel);
    const std::size_t count = fluid.position.size();
    std::vector<double> resistance(viscous.viscosity), still(count), time(count, 0.01), pressure(count);
    for (double& r : resistance) r *= 10;
    const Rows falls(count);
    Rows velocity = fluid.velocity;
    CoupledFlow<S> block;
    block.rule = {1e-12, 2000};
    const auto report = block.apply(geometry,
                                    {.position = fluid.position,
                                     .mass = fluid.mass,
                                     .volume = viscous.volume,
                                     .viscosity = viscous.viscosity,
                                     .resistance = resistance,
                                     .divergence = still,
                                     .acceleration = falls,
                                     .stress = {},
                                     .modulus = viscous.viscosity,
                                     .conformation = conformation,
                                     .strain_time = time,
                                     .smooth = {}},
                                    0.01, fluid.parallel, velocity, pressure, none);
    EXPECT_TRUE(report.converged);
    for (std::size_t i = 0; i < count; ++i) velocity[i] = velocity[i].xyz() - fluid.velocity[i].xyz();
    return velocity;
}

using Moves = Rows (*)(Fluid&);

class PairBlock : public testing::TestWithParam<Moves> {
protected:
    void expect_same(const Rows& a, const Rows& b) {
        double size = 0;
        for (const auto& row : a) size = std::max(size, length(row.xyz()));
        ASSERT_GT(size, 0);
        const bool in_float = GetParam() == conformation_velocity_moves || GetParam() == conformation_position_moves;
        const double exact =
            in_float ? 2e-3 : 1e-10;  // a float 16 m from the origin resolves 2e-6 m, and moves are millimeters
        for (std::size_t i = 0; i < a.size(); ++i) EXPECT_LT(length(a[i].xyz() - b[i].xyz()), exact * size) << i;
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
    return std::vector{
        "pressure",    "viscosity",       "cohesion", "explicit_viscosity",      "implicit_viscosity",
        "xsph",        "surface_tension", "iisph",    "conformation_velocities", "conformation_positions",
        "coupled_flow"}[which.index];
}

INSTANTIATE_TEST_SUITE_P(All, PairBlock,
                         testing::Values(pressure_moves, viscosity_moves, cohesion_moves, explicit_viscosity_moves,
                                         implicit_viscosity_moves, xsph_moves, surface_tension_moves, iisph_moves,
                                         conformation_velocity_moves, conformation_position_moves, coupled_flow_moves),
                         name_of);

}  // namespace
}  // namespace treacle
