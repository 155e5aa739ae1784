#include "viscous_flow.h"

#include <algorithm>
#include <array>

#include "blocks/viscous/viscosity.h"
#include "blocks/viscous/viscous_pair.h"
#include "laws/stable_steps.h"
#include "laws/xsph_rate.h"
#include "math/reproducible.h"
#include "packing/even_points.h"

/// The three viscosity schemes against each other and against theory.

namespace treacle {
namespace {

using namespace test;

template <class S>
class ViscositySchemes : public testing::Test {};
TYPED_TEST_SUITE(ViscositySchemes, AllSpaces);

TYPED_TEST(ViscositySchemes, explicit_is_stable_up_to_its_limit) {
    using S = TypeParam;
    const double viscosity = 10;
    const double limit = longest_viscous_step(viscosity / rest_density, h);
    const auto energy_after = [&](double dt) {
        Flow<S> flow = random_flow<S>(viscosity, false);
        flow.ready();
        const double before = flow.energy();
        for (int n = 0; n < 100; ++n) flow.accelerate(dt);
        return flow.energy() / before;
    };
    EXPECT_LT(energy_after(limit), 0.1);
    EXPECT_FALSE(energy_after(2 * limit) < 10) << "or not a number any more";
}

/// Between two plates at rest, on a lattice, whose layers slide over each other: the mode that decays most slowly.
TYPED_TEST(ViscositySchemes, between_plates_is_that_of_the_material_on_a_lattice_too) {
    using S = TypeParam;
    const double viscosity = 1, nu = viscosity / rest_density, pi = reproducible::pi;
    const int layers = 12, reach = S::dim == 3 ? 16 : 24, deep = S::dim == 3 ? 8 : 0;
    Flow<S> flow(2);
    for (int z = -deep; z <= deep; ++z) {
        for (int y = 0; y < layers; ++y) {
            for (int x = -reach; x <= reach; ++x) flow.add({x * s, (y + 0.5) * s, z * s}, {}, viscosity);
        }
    }
    flow.bodies.resize(2);
    flow.bodies[0].shape = {Plane{{0, 1, 0}, 0}, {}, S::dim};
    flow.bodies[1].shape = {Plane{{0, -1, 0}, -layers * s}, {}, S::dim};
    flow.ready();
    ShearMode<S> mode{flow, pi / (layers * s), 0, 3.5 * s};
    const double time = 0.5 / (nu * mode.k * mode.k);
    for (const bool implicitly : {true, false}) {
        mode.set();
        const int steps = implicitly ? 40 : 1 + static_cast<int>(time / longest_viscous_step(nu, h));
        for (int n = 0; n < steps; ++n) {
            if (implicitly) flow.implicit(time / steps, 1e-5);
            else flow.accelerate(time / steps);
        }
        const double share = -std::log(mode.amplitude(true)) / 0.5;
        EXPECT_NEAR(share, 1, 0.05);
    }
}

/// Evenly spaced points without rows in a block around the origin, this many spacings long.
template <class S>
std::vector<Vec3d> disordered_block(std::array<int, 3> sides, const Parallel& parallel) {
    if (S::dim == 2) sides[2] = 1;
    const Vec3d half{0.5 * sides[0] * s, 0.5 * sides[1] * s, 0.5 * sides[2] * s};
    std::mt19937 random(11);
    std::uniform_real_distribution<double> place(-1, 1);
    std::vector<Vec3d> points(static_cast<std::size_t>(sides[0] * sides[1] * sides[2]));
    for (Vec3d& x : points) {
        x = {half.x * place(random), half.y * place(random), 0};
        if (S::dim == 3) x.z = half.z * place(random);
    }
    const auto keep = [&](std::size_t, Vec3d wanted) {
        KeptPoint kept{wanted};
        for (int axis = 0; axis < S::dim; ++axis) {
            kept.place[axis] = std::clamp(wanted[axis], 0.1 * s - half[axis], half[axis] - 0.1 * s);
            const double depth = half[axis] - std::abs(kept.place[axis]);
            if (depth > kept.depth) continue;
            kept.depth = depth;
            kept.outward = {};
            kept.outward[axis] = kept.place[axis] > 0 ? 1 : -1;
        }
        return kept;
    };
    Spreading{S::dim, s, 1.5 * s, 100}.spread(points, keep, parallel);
    return points;
}

/// A straight line through (height, velocity along x) of the particles well inside.
struct Profile {
    double slope, at_zero;
};
template <class S>
Profile profile_of(const Flow<S>& flow, double within) {
    double n = 0, y = 0, v = 0, yy = 0, yv = 0;
    for (std::size_t i = 0; i < flow.position.size(); ++i) {
        const Vec3d x = cast<double>(flow.position[i].xyz());
        if (std::abs(x.x) > 2 * within || std::max(std::abs(x.y), std::abs(x.z)) > within) continue;
        const double u = static_cast<double>(flow.velocity[i].x);
        n += 1, y += x.y, v += u, yy += x.y * x.y, yv += x.y * u;
    }
    const double slope = (n * yv - y * v) / (n * yy - y * y);
    return {slope, (v - slope * y) / n};
}

/// Between a plate at rest and one that moves, both without slip: the profile of the fluid inside, drawn on, has the
/// velocities of the plates at their surfaces, whatever the step.
TYPED_TEST(ViscositySchemes, fluid_moves_with_a_wall_without_slip_where_its_surface_is_drawn) {
    using S = TypeParam;
    const int side = S::dim == 3 ? 14 : 20;
    const double half = 0.5 * side * s, speed = 1, viscosity = 1;
    for (const double step : {0.3, 10.0}) {  // times s²/ν
        Flow<S> flow(2);
        // Long, so that the ends, which no wall shears, are far from where the profile is taken.
        for (const Vec3d x : disordered_block<S>({4 * side, side, 8}, flow.parallel)) flow.add(x, {}, viscosity);
        flow.bodies.resize(2);
        flow.bodies[0].shape = {Plane{{0, 1, 0}, -half}, {}, S::dim};
        flow.bodies[1].shape = {Plane{{0, -1, 0}, -half}, {}, S::dim};
        flow.bodies[1].velocity = {speed, 0, 0};
        for (Body& body : flow.bodies) body.friction = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < flow.position.size(); ++i)
            flow.velocity[i] = cast<typename S::Real>(Vec3d{speed * (0.5 + 0.5 * flow.position[i].y / half), 0, 0});
        flow.ready();
        const double dt = step * s * s * rest_density / viscosity;
        const int steps = static_cast<int>(std::ceil(3 * side * side / (step * 9.87)));  // thrice the slowest decay
        for (int n = 0; n < steps; ++n) flow.implicit(dt, 1e-5);
        const Profile profile = profile_of(flow, half - 3 * s);
        const double below = profile.at_zero - profile.slope * half, above = profile.at_zero + profile.slope * half;
        EXPECT_LT(std::abs(below), 0.2 * s * profile.slope) << below / profile.slope / s << " spacings, step " << step;
        EXPECT_LT(std::abs(above - speed), 0.2 * s * profile.slope) << (speed - above) / profile.slope / s;
    }
}

/// In the bulk of a disordered fluid: a small explicit step and a larger implicit one.
TYPED_TEST(ViscositySchemes, of_a_disordered_fluid_is_that_of_the_material) {
    using S = TypeParam;
    const double viscosity = 1, nu = viscosity / rest_density, pi = reproducible::pi;
    const int side = S::dim == 3 ? 18 : 44;
    const double half = 0.5 * side * s;
    Flow<S> flow(2);
    for (const Vec3d x : disordered_block<S>({side, side, side}, flow.parallel)) flow.add(x, {}, viscosity);
    flow.ready();
    ShearMode<S> mode{flow, pi / (0.8 * half), 0, half - 4 * s};
    mode.set();
    const double dt = 1e-3 / (nu * mode.k * mode.k), before = mode.amplitude(false);
    flow.accelerate(dt);
    EXPECT_NEAR((before - mode.amplitude(false)) / 1e-3, 1, 0.06);
    mode.set();
    flow.implicit(0.05 / (nu * mode.k * mode.k), 1e-5);
    EXPECT_NEAR((before / mode.amplitude(false) - 1) / 0.05, 1, 0.1);
    for (const double a : {0.01, 0.4}) {  // rate times dt
        mode.set();
        const double short_step = a / xsph_rate(S::dim, nu, h);
        flow.draw_together(short_step);
        const double decay = nu * mode.k * mode.k * short_step;
        EXPECT_NEAR((before - mode.amplitude(false)) / decay / ((1 - std::exp(-a)) / a), 1, 0.06) << a;
    }
}

TYPED_TEST(ViscositySchemes, xsph_keeps_momentum_and_never_adds_energy) {
    using S = TypeParam;
    for (const double number : {0.01, 100.0}) {
        Flow<S> flow = random_flow<S>(viscosity_for(number, 1e-2), true);
        flow.ready();
        const Vec3d momentum = flow.momentum();
        const double size = flow.size();
        for (int n = 0; n < 3; ++n) {
            const double energy = flow.energy();
            flow.draw_together(1e-2);
            EXPECT_LT(flow.energy(), energy);
        }
        EXPECT_LT(length(flow.momentum() - momentum), rounding<S>() * size);
    }
    // A pair of equal ones: v_i += ξ V W (v_j - v_i).
    using Real = typename S::Real;
    Flow<S> pair;
    pair.add({}, {1, 0, 0}, rest_density * 0.01);
    pair.add({s, 0, 0}, {}, rest_density * 0.01);
    pair.ready();
    const double rate = 2 * 0.01 / ((S::dim == 3 ? 3.0 / 40 : 31.0 / 392) * h * h), dt = 0.1 / rate;
    pair.draw_together(dt);
    const double share = 1 - std::exp(-rate * dt);
    const double weight = share * cell_volume(S::dim, s) * static_cast<double>(CubicSpline<S>(h).value(Real(0.5)));
    EXPECT_NEAR(pair.velocity[0].x, 1 - weight, 1e-6);
    EXPECT_NEAR(pair.velocity[1].x, weight, 1e-6);
}

TYPED_TEST(ViscositySchemes, walls_draw_fluid_along_and_feel_it) {
    using S = TypeParam;
    for (const double friction : {0.3, 0.0}) {
        const Flow<S> flow = dragged_along<S>(friction, [](Flow<S>& f, double dt) { f.draw_together(dt); });
        EXPECT_EQ(flow.momentum().x > 0, friction > 0);
    }
}

/// A flow on a floor, its velocities after one step of a scheme, and the force on the floor.
template <class S>
struct OneStep {
    using Scheme = typename treacle::Viscosity<S>::Scheme;

    explicit OneStep(double viscosity) : flow(random_flow<S>(viscosity, false)), acceleration(flow.position.size()) {
        flow.bodies = {floor_below<S>()};
        flow.ready();
        block.settings = {.support_radius = h,
                          .rule = {1e-4, 2000},
                          .viscosity = {static_cast<typename S::Real>(viscosity)},
                          .greatest_kinematic = viscosity / rest_density};
    }
    OneStep& take(Scheme scheme, double dt) {
        block.settings.scheme = scheme;
        block.apply(flow.view(), flow.context(dt), {}, acceleration, {});
        return *this;
    }
    bool accelerated() const {
        return std::any_of(acceleration.begin(), acceleration.end(), [](const auto& a) { return a.x != 0; });
    }

    Flow<S> flow;
    std::vector<typename S::Row> acceleration;
    treacle::Viscosity<S> block;
};

template <class Row>
bool same(const std::vector<Row>& a, const std::vector<Row>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Row& x, const Row& y) { return x.xyz() == y.xyz(); });
}

TYPED_TEST(ViscositySchemes, are_what_the_block_does_that_chooses) {
    using S = TypeParam;
    using Scheme = typename treacle::Viscosity<S>::Scheme;
    const double viscosity = 10, dt = 0.5 * longest_viscous_step(viscosity / rest_density, h);
    const auto expect_same = [](const OneStep<S>& a, const OneStep<S>& b) {
        EXPECT_TRUE(same(a.flow.velocity, b.flow.velocity));
        EXPECT_EQ(a.flow.bodies[0].force, b.flow.bodies[0].force);
    };
    OneStep<S> alone(viscosity);
    alone.flow.implicit(dt);
    OneStep<S> chosen(viscosity);
    expect_same(chosen.take(Scheme::implicit_steps, dt), alone);
    EXPECT_TRUE(chosen.accelerated());

    OneStep<S> explicitly(viscosity), chosen_explicitly(viscosity);
    explicitly.flow.accelerate(dt);
    expect_same(chosen_explicitly.take(Scheme::explicit_steps, dt), explicitly);
    EXPECT_FALSE(chosen_explicitly.accelerated());

    OneStep<S> drawn(viscosity), chosen_drawn(viscosity);
    drawn.flow.draw_together(dt);
    expect_same(chosen_drawn.take(Scheme::xsph, dt), drawn);

    OneStep<S> varying(viscosity);  // the viscosity of each particle in place of the material's
    const std::vector<typename S::Real> by_particle(varying.flow.position.size(), typename S::Real(viscosity));
    varying.block.settings.viscosity = {1};
    varying.block.apply(varying.flow.view(), varying.flow.context(dt), by_particle, varying.acceleration, {});
    expect_same(varying, chosen);

    OneStep<S> water(viscosity);
    water.block.settings.viscosity = {0};
    const auto before = water.flow.velocity;
    water.take(Scheme::implicit_steps, dt);
    EXPECT_TRUE(same(water.flow.velocity, before));
}

TYPED_TEST(ViscositySchemes, are_chosen_by_the_length_of_the_step_and_by_bodies_that_move) {
    using S = TypeParam;
    using Scheme = typename treacle::Viscosity<S>::Scheme;
    const double viscosity = 10, limit = longest_viscous_step(viscosity / rest_density, h);
    OneStep<S> once(viscosity), twice(viscosity), solved(viscosity);
    once.flow.accelerate(0.7 * limit);
    OneStep<S> in_one(viscosity);
    EXPECT_TRUE(same(in_one.take(Scheme::automatic, 0.7 * limit).flow.velocity, once.flow.velocity));
    EXPECT_TRUE(in_one.accelerated());

    // In two parts, and the force is their mean.
    twice.flow.accelerate(0.7 * limit);
    const Vec3d first = twice.flow.bodies[0].force;
    twice.flow.accelerate(0.7 * limit);
    OneStep<S> in_two(viscosity);
    EXPECT_TRUE(same(in_two.take(Scheme::automatic, 1.4 * limit).flow.velocity, twice.flow.velocity));
    EXPECT_LT(length(in_two.flow.bodies[0].force - 0.5 * twice.flow.bodies[0].force), 1e-9 * length(first));
    EXPECT_GT(length(first), 0);

    // In three it would be cheaper to solve.
    solved.flow.implicit(1.7 * limit);
    OneStep<S> too_long(viscosity);
    EXPECT_TRUE(same(too_long.take(Scheme::automatic, 1.7 * limit).flow.velocity, solved.flow.velocity));

    OneStep<S> free(viscosity), free_solved(viscosity);
    for (OneStep<S>* step : {&free, &free_solved}) {
        step->flow.bodies[0].shape = {Sphere{{0, -12 * s, 0}, 3 * s}, {}, S::dim};
        step->flow.bodies[0].mass = 0.01;
        step->flow.bodies[0].inertia = {1e-5, 1e-5, 1e-5};
        step->flow.ready();
    }
    free_solved.flow.implicit(0.7 * limit);
    EXPECT_TRUE(same(free.take(Scheme::automatic, 0.7 * limit).flow.velocity, free_solved.flow.velocity));
    EXPECT_FALSE(same(free.flow.velocity, once.flow.velocity));
}

}  // namespace
}  // namespace treacle
