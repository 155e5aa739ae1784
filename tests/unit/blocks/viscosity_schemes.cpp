#include "viscous_flow.h"

#include <algorithm>

#include "blocks/viscous/viscous_pair.h"
#include "math/reproducible.h"
#include "packing/even_points.h"

/// The three viscosity schemes against each other and against theory.

namespace treacle {
namespace {

using namespace test;

template <class S>
class ViscositySchemes : public testing::Test {};
TYPED_TEST_SUITE(ViscositySchemes, Spaces);

TYPED_TEST(ViscositySchemes, explicit_is_stable_up_to_its_limit) {
    using S = TypeParam;
    const double viscosity = 10;
    const double limit = ExplicitViscosity<S>{h}.longest_step(viscosity / rest_density);
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

/// Share of the viscosity that acts on a lattice in shear along its axes: (d+2) Σ_j w_j x²y².
template <class S>
double lattice_share() {
    const ViscousPair<S> pair{CubicSpline<S>(h)};
    using Real = typename S::Real;
    double sum = 0;
    const int deep = S::dim == 3 ? 2 : 0;
    for (int z = -deep; z <= deep; ++z) {
        for (int y = -2; y <= 2; ++y) {
            for (int x = -2; x <= 2; ++x) {
                const double r = s * std::sqrt(x * x + y * y + z * z);
                const Real weight = pair.weight(static_cast<Real>(r), static_cast<Real>(r / h), Real(1), Real(1));
                sum += 0.5 * static_cast<double>(weight) * s * s * s * s * x * x * y * y * cell_volume(S::dim, s);
            }
        }
    }
    return sum;
}

/// Between two plates at rest, on a lattice: the mode that decays most slowly. Its nodes are at the samples.
TYPED_TEST(ViscositySchemes, between_plates_is_that_of_the_material_as_the_lattice_shows_it) {
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
    ShearMode<S> mode{flow, pi / ((layers + 1) * s), -0.5 * s, 3.5 * s};
    const double time = 0.5 / (nu * mode.k * mode.k);
    for (const bool implicitly : {true, false}) {
        mode.set();
        const int steps = implicitly ? 40 : 1 + static_cast<int>(time / ExplicitViscosity<S>{h}.longest_step(nu));
        for (int n = 0; n < steps; ++n) {
            if (implicitly) flow.implicit(time / steps, 1e-5);
            else flow.accelerate(time / steps);
        }
        const double share = -std::log(mode.amplitude(true)) / 0.5;
        EXPECT_NEAR(share / lattice_share<S>(), 1, 0.05) << share;
    }
    EXPECT_NEAR(lattice_share<S>(), S::dim == 3 ? 0.698 : 0.649, 0.001);
}

/// In the bulk of a disordered fluid: a small explicit step and a larger implicit one.
TYPED_TEST(ViscositySchemes, of_a_disordered_fluid_is_that_of_the_material) {
    using S = TypeParam;
    const double viscosity = 1, nu = viscosity / rest_density, pi = reproducible::pi;
    const int side = S::dim == 3 ? 18 : 44;
    const double half = 0.5 * side * s;
    std::mt19937 random(11);
    std::uniform_real_distribution<double> place(-half, half);
    std::vector<Vec3d> points(static_cast<std::size_t>(S::dim == 3 ? side * side * side : side * side));
    for (Vec3d& x : points) x = {place(random), place(random), S::dim == 3 ? place(random) : 0};
    const auto keep = [&](std::size_t, Vec3d wanted) {
        KeptPoint kept{wanted};
        for (int axis = 0; axis < S::dim; ++axis) {
            kept.place[axis] = std::clamp(wanted[axis], -half + 0.1 * s, half - 0.1 * s);
            const double depth = half - std::abs(kept.place[axis]);
            if (depth > kept.depth) continue;
            kept.depth = depth;
            kept.outward = {};
            kept.outward[axis] = kept.place[axis] > 0 ? 1 : -1;
        }
        return kept;
    };
    Flow<S> flow(2);
    Spreading{S::dim, s, 1.5 * s, 100}.spread(points, keep, flow.parallel);
    for (const Vec3d x : points) flow.add(x, {}, viscosity);
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
        const double short_step = a / Xsph<S>{h}.rate(nu);
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
        Flow<S> flow = random_flow<S>(viscosity_for(100, 1e-2), false);
        for (auto& v : flow.velocity) v = {};
        flow.bodies.resize(1);
        flow.bodies[0].shape = {Plane{{0, 1, 0}, (S::dim == 3 ? -5.5 : -9.5) * s}, {}, S::dim};
        flow.bodies[0].velocity = {2, 0, 0};
        flow.bodies[0].friction = friction;
        flow.ready();
        for (int n = 0; n < 10; ++n) {
            const Vec3d before = flow.momentum();
            flow.bodies[0].force = {};
            flow.draw_together(1e-2);
            const Vec3d gained = flow.momentum() - before;
            EXPECT_LE(length(gained + 1e-2 * flow.bodies[0].force), 1e-3 * length(gained) + 1e-6 * flow.size());
        }
        EXPECT_EQ(flow.momentum().x > 0, friction > 0);
    }
}

}  // namespace
}  // namespace treacle
