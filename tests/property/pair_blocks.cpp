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
#include "blocks/viscous/noise_damping.h"
#include "blocks/viscous/radial_impulses.h"
#include "blocks/viscous/xsph.h"
#include "support/particle_cloud.h"
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
    const std::size_t count = fluid.position.size();
    std::vector<double> density(count), pressure(count), near_pressure(count);
    Rows moves(count), by_walls(count);
    block.measure(fluid.view(), fluid.context(0.01), {density, pressure, near_pressure});
    block.gather(fluid.view(), fluid.context(0.01), {density, pressure, near_pressure}, moves, by_walls);
    return moves;
}

Rows viscosity_moves(Fluid& fluid) {
    const RadialImpulses<S> block{.support_radius = 0.3, .materials = {{20, 5}}};
    Rows result(fluid.position.size());
    block.gather(fluid.view(), fluid.context(0.002), 0.002, result);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = result[i].xyz() - fluid.velocity[i].xyz();
    return result;
}

Rows cohesion_moves(Fluid& fluid) {
    const Cohesion<S> block{.support_radius = 0.3, .strength = {3}};
    Rows result(fluid.position.size());
    block.gather(fluid.view(), fluid.context(0.01), result);
    return result;
}

/// Unequal particles, with a viscosity that depends on the mass so that it is re-ordered with them. Steps take 10 s.
struct Viscous {
    explicit Viscous(Fluid& of)
        : viscosity(of.mass), volume(of.mass), velocity(of.velocity), boundary(of.bodies, {0.15, 0.3}, of.parallel),
          fluid(of.view()), context(of.context(10, &boundary)) {
        for (double& v : volume) v = 0.001 / v;
        fluid.volume = volume;
        fluid.velocity = velocity;
        boundary.update(of.position, of.bodies, of.parallel);
    }
    std::vector<double> viscosity, volume;
    Rows velocity;
    BoundaryParticles<S> boundary;
    FluidView<S> fluid;
    BlockContext<S> context;
};

Rows explicit_viscosity_moves(Fluid& fluid) {
    const Viscous viscous(fluid);
    Rows result(fluid.position.size());
    ExplicitViscosity<S>{0.3}.add(viscous.fluid, viscous.context, viscous.viscosity, {}, result);
    return result;
}

Rows implicit_viscosity_moves(Fluid& fluid) {
    const Viscous viscous(fluid);
    Rows change(fluid.position.size());
    ImplicitViscosity<S> block;
    block.support_radius = 0.3;
    block.rule = {1e-12, 1000};
    EXPECT_TRUE(block.apply(viscous.fluid, viscous.context, viscous.viscosity, change).converged);
    return change;
}

Rows xsph_moves(Fluid& fluid) {
    const Viscous viscous(fluid);
    Rows result(fluid.position.size());
    Xsph<S>{0.3}.gather(viscous.fluid, viscous.context, viscous.viscosity, result);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = result[i].xyz() - fluid.velocity[i].xyz();
    return result;
}

Rows noise_damping_moves(Fluid& fluid) {
    const Viscous unequal(fluid);
    NoiseDamping<S> block;
    block.support_radius = 0.3;
    block.rate = 0.1;
    block.apply(unequal.fluid, unequal.context);
    Rows velocity = unequal.velocity;
    for (std::size_t i = 0; i < velocity.size(); ++i) velocity[i] = velocity[i].xyz() - fluid.velocity[i].xyz();
    return velocity;
}

Rows surface_tension_moves(Fluid& fluid) {
    const Viscous unequal(fluid);
    SurfaceTension<S> block;
    block.tension = {2};
    block.apply(unequal.fluid, unequal.context);
    Rows velocity = unequal.velocity;
    for (std::size_t i = 0; i < velocity.size(); ++i) velocity[i] = velocity[i].xyz() - fluid.velocity[i].xyz();
    return velocity;
}

Rows iisph_moves(Fluid& fluid) {
    Viscous unequal(fluid);
    unequal.context.dt = 0.01;
    std::vector<double> ratio(fluid.position.size()), pressure(fluid.position.size());
    // Volumes that make many of the particles too dense, and a number of iterations that rounding does not change.
    for (double& v : unequal.volume) v *= 4;
    Iisph<S> block;
    block.settings = {.solver = Iisph<S>::Solver::jacobi, .tolerance = 0, .max_iterations = 20};
    block.measure(unequal.fluid, unequal.context, ratio);
    block.solve(unequal.fluid, unequal.context, ratio, pressure);
    Rows velocity = unequal.velocity;
    const auto pressed = std::count_if(pressure.begin(), pressure.end(), [](double p) { return p > 0; });
    EXPECT_GT(pressed, 30);
    EXPECT_LT(pressed, 270);
    for (std::size_t i = 0; i < velocity.size(); ++i) velocity[i] = velocity[i].xyz() - fluid.velocity[i].xyz();
    return velocity;
}

/// The same fluid in float, for which every build has the constraints of barreiro2017, with a compliance and a
/// conformation that depend on the mass.
struct Conformed : ParticleCloud<Space3f> {
    using F = Space3f;

    explicit Conformed(const Fluid& of) : parallel(of.parallel) {
        dt = 0.01;
        for (std::size_t i = 0; i < of.position.size(); ++i) {
            add(of.position[i].xyz(), of.velocity[i].xyz(), 1);
            mass[i] = static_cast<float>(of.mass[i]);
            volume[i] = 0.001f / mass[i];
            compliance.push_back(0.001f * mass[i]);
            conformation.push_back((1 + 0.1f * mass[i]) * SymMat<float>::identity());
        }
        neighbors.update(position, 0.3f, parallel, no_period);
        block.settings.support_radius = 0.3;
        block.begin(view(), context(parallel), constraints());
    }
    Conformation<F>::Constraints constraints() { return {rows, compliance, conformation}; }
    static Rows moves(const std::vector<F::Row>& after, const std::vector<F::Row>& before) {
        Rows result;
        for (std::size_t i = 0; i < after.size(); ++i)
            result.push_back(cast<double>(after[i].xyz()) - cast<double>(before[i].xyz()));
        return result;
    }

    const Parallel& parallel;
    std::vector<float> compliance;
    std::vector<SymMat<float>> conformation;
    ConformationRows<F> rows{neighbors};
    Conformation<F> block;
};

Rows conformation_velocity_moves(Fluid& fluid) {
    Conformed conformed(fluid);
    const auto before = conformed.velocity;
    for (int n = 0; n < 3; ++n)
        conformed.block.project_velocities(conformed.view(), conformed.context(fluid.parallel),
                                           conformed.constraints());
    return Conformed::moves(conformed.velocity, before);
}

Rows conformation_position_moves(Fluid& fluid) {
    Conformed conformed(fluid);
    MovingPositions<Conformed::F> moving(conformed.position);
    for (std::size_t i = 0; i < conformed.size(); ++i) moving.move(i, 0.01f * conformed.velocity[i].xyz());
    const auto before = conformed.position;
    for (int n = 0; n < 3; ++n)
        conformed.block.project_positions(conformed.view(), conformed.context(fluid.parallel), conformed.constraints(),
                                          moving);
    return Conformed::moves(conformed.position, before);
}

Rows coupled_flow_moves(Fluid& fluid) {
    const double spacing = 0.3 / 3.1;
    const std::size_t count = fluid.position.size();
    ParticleCloud<S> cloud;
    cloud.dt = 0.01;
    std::vector<SymMat<double>> conformation;
    for (std::size_t i = 0; i < count; ++i) {
        cloud.add(fluid.position[i].xyz(), fluid.velocity[i].xyz(), spacing);
        conformation.push_back((1 + 0.1 * fluid.mass[i]) * SymMat<double>::identity());
    }
    const Viscous viscous(fluid);
    cloud.mass = fluid.mass, cloud.volume = viscous.volume;
    cloud.neighbors.update(cloud.position, 0.3, fluid.parallel, no_period);
    cloud.boundary.emplace(cloud.bodies, BoundaryParticles<S>::Settings{spacing, 0.3}, fluid.parallel);
    cloud.boundary->update(cloud.position, cloud.bodies, fluid.parallel);
    MpsGeometry<S> geometry(2.1 * spacing, 2.1 * spacing, 0.3, spacing);
    geometry.update(cloud.view(), cloud.context(fluid.parallel));
    std::vector<double> resistance(viscous.viscosity), still(count), time(count, 0.01), pressure(count);
    for (double& r : resistance) r *= 10;
    const Rows falls(count);
    CoupledFlow<S> block;
    block.rule = {1e-12, 2000};
    const StressTerms<S> terms{.viscosity = viscous.viscosity,
                               .smooth = {},
                               .stress = {},
                               .modulus = viscous.viscosity,
                               .conformation = conformation,
                               .strain_time = time};
    const auto report =
        block.apply(cloud.view(), cloud.context(fluid.parallel), geometry, terms, {falls, resistance, still}, pressure);
    EXPECT_TRUE(report.converged);
    Rows moves = cloud.velocity;
    for (std::size_t i = 0; i < count; ++i) moves[i] = moves[i].xyz() - fluid.velocity[i].xyz();
    return moves;
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
        "pressure",     "viscosity",       "cohesion", "explicit_viscosity",      "implicit_viscosity",
        "xsph",         "surface_tension", "iisph",    "conformation_velocities", "conformation_positions",
        "coupled_flow", "noise_damping"}[which.index];
}

INSTANTIATE_TEST_SUITE_P(All, PairBlock,
                         testing::Values(pressure_moves, viscosity_moves, cohesion_moves, explicit_viscosity_moves,
                                         implicit_viscosity_moves, xsph_moves, surface_tension_moves, iisph_moves,
                                         conformation_velocity_moves, conformation_position_moves, coupled_flow_moves,
                                         noise_damping_moves),
                         name_of);

}  // namespace
}  // namespace treacle
