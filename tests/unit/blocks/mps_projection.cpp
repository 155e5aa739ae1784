#include "blocks/pressure/mps_projection.h"

#include <cstring>

#include "blocks/viscous/laplacian_viscosity.h"
#include "laws/stable_steps.h"
#include "mps_fluid.h"

namespace treacle {
namespace {

using namespace test;

template <class S>
class MpsProjectionTest : public testing::Test {};
TYPED_TEST_SUITE(MpsProjectionTest, MpsSpaces);

template <class S>
typename MpsProjection<S>::Settings settings_for(PressureSource source = PressureSource::divergence) {
    typename MpsProjection<S>::Settings settings;
    settings.spacing = l0;
    settings.support_radius = support;
    settings.pressure.source = source;
    settings.pressure.rule = {1e-8, 2000};
    settings.rest_density = {rest_density};
    return settings;
}

/// Fluid that a projection moves, with viscosity by the Laplacian.
template <class S>
struct Stepped {
    MpsFluid<S> fluid;
    MpsProjection<S> projection;
    LaplacianViscosity<S> laplacian;
    std::vector<double> viscosity, pressure;
    std::vector<typename S::Row> acceleration;

    Stepped(MpsFluid<S> start, const typename MpsProjection<S>::Settings& settings, double pascal_seconds,
            Vec3d gravity)
        : fluid(std::move(start)), projection(settings), laplacian(l0, settings.pressure.rule),
          viscosity(fluid.size(), pascal_seconds), pressure(fluid.size()), acceleration(fluid.size(), gravity) {}

    void step(double dt) {
        for (Body& body : fluid.bodies) body.force = body.torque = {};
        fluid.boundary->update(fluid.position, fluid.bodies, *fluid.parallel);
        fluid.dt = dt;
        const auto context = fluid.context();
        projection.predict(fluid.view(), context, {}, acceleration);
        laplacian.apply(fluid.view(), context, projection.operators(), viscosity);
        projection.project(fluid.view(), context, pressure);
        for (std::size_t i = 0; i < fluid.size(); ++i)
            fluid.position[i] = fluid.position[i].xyz() + dt * fluid.velocity[i].xyz();
    }
};

TYPED_TEST(MpsProjectionTest, a_field_without_divergence_on_the_lattice_makes_no_pressure) {
    using S = TypeParam;
    MpsFluid<S> fluid;
    fluid.add_block(12, 12, 8);
    fluid.ready(1.5 * l0);  // so that all but the outermost layer have n = n0
    MpsOperators<S> operators;
    operators.update(fluid.cloud, true, *fluid.parallel);
    NumberDensity<S> n;
    n.update(fluid.cloud, SurfaceTest::number_density, *fluid.parallel);
    const std::vector<double> density(fluid.position.size(), rest_density);
    const auto largest = [&](PressureSource source, double divergence) {
        std::vector<typename S::Row> u;
        for (const auto& x : fluid.position) u.push_back(Vec3d{(1 + divergence) * x.x + 2 * x.y, 5 * x.x - x.y, 0});
        std::vector<double> pressure(u.size());
        MpsPoisson<S> poisson({.source = source});
        const SolverReport report = poisson.solve(fluid.context(), operators, n, u, density, pressure);
        EXPECT_TRUE(report.converged);
        double most = 0;
        for (const double p : pressure) most = std::max(most, std::abs(p));
        return most;
    };
    EXPECT_LT(largest(PressureSource::number_density, 0), 1e-6);
    EXPECT_LT(largest(PressureSource::number_density, 1), 1e-6);  // it does not see velocities
    EXPECT_LT(largest(PressureSource::divergence, 0), 1e-6);
    EXPECT_GT(largest(PressureSource::divergence, 1), 100);
}

/// Deviation of the pressures of a column at rest from ρ g times the depth below the topmost particle, where they are
/// zero.
struct ColumnErrors {
    double mean, scatter;    ///< as shares of the pressure at the bottom: of the mean over time, and around it
    double weight_on_floor;  ///< as a share of the fluid's weight
};

template <class S>
ColumnErrors hydrostatic_column(typename MpsProjection<S>::Settings settings) {
    MpsFluid<S> fluid;
    const int high = 12, wide = S::dim == 3 ? 5 : 10, steps = 150, measured = 50;
    fluid.add_block(wide, high, wide);
    fluid.add_container(wide, high + 6, wide);
    fluid.ready();
    settings.pressure.rule.tolerance = 1e-5;
    Stepped<S> run(std::move(fluid), settings, 1, {0, -9.81, 0});
    const std::size_t count = run.fluid.size();
    std::vector<double> sum(count), squares(count);
    double weight = 0, bottom = 0;
    for (int n = 0; n < steps; ++n) {
        run.step(5e-4);
        if (n < steps - measured) continue;
        double top = 0;
        for (const auto& x : run.fluid.position) top = std::max(top, x.y);
        bottom = rest_density * 9.81 * (top - 0.5 * l0);
        for (std::size_t i = 0; i < count; ++i) {
            const double off = run.pressure[i] - rest_density * 9.81 * (top - run.fluid.position[i].y);
            sum[i] += off / measured;
            squares[i] += off * off / measured;
        }
        weight -= run.fluid.bodies[0].force.y / (9.81 * run.fluid.mass[0] * static_cast<double>(count)) / measured;
    }
    double of_mean = 0, around = 0;
    for (std::size_t i = 0; i < count; ++i) {
        of_mean += sum[i] * sum[i];
        around += squares[i] - sum[i] * sum[i];
    }
    const auto share = [&](double squares_of_all) {
        return std::sqrt(squares_of_all / static_cast<double>(count)) / bottom;
    };
    return {share(of_mean), share(around), weight};
}

TYPED_TEST(MpsProjectionTest, a_column_at_rest_has_hydrostatic_pressure_and_less_noise_with_equation_11) {
    using S = TypeParam;
    const ColumnErrors divergence = hydrostatic_column<S>(settings_for<S>(PressureSource::divergence));
    EXPECT_LT(divergence.mean, 0.05);
    EXPECT_LT(divergence.scatter, 0.01);
    EXPECT_NEAR(divergence.weight_on_floor, 1, 0.07);  // half of the topmost of twelve layers presses on nothing
    const ColumnErrors original = hydrostatic_column<S>(settings_for<S>(PressureSource::number_density));
    EXPECT_GT(original.scatter, 20 * divergence.scatter);
    this->RecordProperty("scatter_10", std::to_string(original.scatter));
    this->RecordProperty("scatter_11", std::to_string(divergence.scatter));
}

TYPED_TEST(MpsProjectionTest, fluid_that_is_drawn_apart_has_negative_pressure_only_if_wanted) {
    using S = TypeParam;
    for (const bool negative : {false, true}) {
        MpsFluid<S> fluid;
        fluid.add_block(9, 9, 9);
        fluid.ready();
        for (std::size_t i = 0; i < fluid.position.size(); ++i)
            fluid.velocity[i] = Vec3d{10 * fluid.position[i].x, 0, 0};
        auto settings = settings_for<S>();
        settings.negative_pressure = negative;
        Stepped<S> run(std::move(fluid), settings, 0, {});
        const std::size_t middle = run.fluid.nearest({4.5, 4.5, S::dim == 3 ? 4.5 : 0});
        run.step(1e-3);
        if (negative) {
            EXPECT_LT(run.pressure[middle], -1);
        } else {
            EXPECT_EQ(run.pressure[middle], 0);
        }
    }
}

TYPED_TEST(MpsProjectionTest, the_symmetric_gradient_conserves_momentum_and_repulsion_does_too) {
    using S = TypeParam;
    MpsFluid<S> fluid;
    fluid.add_block(9, 9, 9, 0.25);
    fluid.ready();
    std::uniform_real_distribution<double> number(-1, 1);
    for (auto& u : fluid.velocity)
        u = Vec3d{number(fluid.random), number(fluid.random), S::dim == 3 ? number(fluid.random) : 0};
    const auto momentum = [](const auto& velocity) {
        Vec3d sum{};
        for (const auto& u : velocity) sum += u.xyz();
        return sum;
    };
    const auto start = momentum(fluid.velocity);
    const double count = static_cast<double>(fluid.position.size());
    for (const auto reference : {PressureReference::symmetric, PressureReference::minimum}) {
        MpsFluid<S> copy;
        static_cast<ParticleCloud<S>&>(copy) = fluid;
        copy.ready();
        auto settings = settings_for<S>();
        settings.reference = reference;
        settings.negative_pressure = settings.repulsion = true;
        Stepped<S> run(std::move(copy), settings, 1, {});
        run.step(1e-3);
        const double change = length(momentum(run.fluid.velocity) - start) / count;
        if (reference == PressureReference::symmetric) {
            EXPECT_LT(change, 1e-9);
        } else {
            EXPECT_GT(change, 1e-6);
        }
    }
}

/// Two particles closer than a spacing within fluid under tension: repulsion drives them apart.
TYPED_TEST(MpsProjectionTest, repulsion_parts_pairs_that_are_too_close) {
    using S = TypeParam;
    const auto parted = [](bool repulsion) {
        MpsFluid<S> fluid;
        fluid.add_block(9, 9, 9);
        const double middle = S::dim == 3 ? 4.5 : 0;
        const std::size_t a = fluid.nearest({4.5, 4.5, middle}), b = fluid.nearest({5.5, 4.5, middle});
        fluid.position[a].x += 0.3 * l0;
        fluid.ready();
        for (std::size_t i = 0; i < fluid.position.size(); ++i)
            fluid.velocity[i] = Vec3d{10 * fluid.position[i].x, 0, 0};
        auto settings = settings_for<S>();
        settings.negative_pressure = true;
        settings.reference = PressureReference::own;
        settings.repulsion = repulsion;
        Stepped<S> run(std::move(fluid), settings, 0, {});
        run.step(1e-3);
        return run.fluid.velocity[b].x - run.fluid.velocity[a].x;
    };
    EXPECT_GT(parted(true), parted(false) + 1e-4);
}

/// Fluid between a plate at rest and one that moves: long after the time that viscosity takes, velocities are linear.
/// Fluid sticks to the first layers of wall particles, whose distance is the height of the fluid plus one spacing.
TYPED_TEST(MpsProjectionTest, laplacian_viscosity_drags_as_newton_says) {
    using S = TypeParam;
    MpsFluid<S> fluid;
    const int wide = 8, high = 9;
    fluid.add_block(wide, high, wide);
    fluid.bodies.resize(2);
    for (int top = 0; top < 2; ++top) {
        const Vec3d center = l0 * Vec3d{wide / 2.0, top ? high + 1.5 : -1.5, S::dim == 3 ? wide / 2.0 : 0};
        const Vec3d size = l0 * Vec3d{1.0 * wide, 3, S::dim == 3 ? 1.0 * wide : 0};
        fluid.bodies[static_cast<std::size_t>(top)].shape = {Box{center, size}, {}, S::dim};
    }
    fluid.bodies[1].velocity = {2, 0, 0};
    fluid.ready();
    MpsOperators<S> operators;
    operators.update(fluid.cloud, true, *fluid.parallel);
    const std::vector<double> viscosity(fluid.size(), 5);
    LaplacianViscosity<S> block(l0, {1e-8, 2000});
    fluid.dt = 1e3;
    const SolverReport report = block.apply(fluid.view(), fluid.context(), operators, viscosity);
    EXPECT_TRUE(report.converged);
    const double rate = 2 / ((high + 1) * l0);
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        EXPECT_NEAR(fluid.velocity[i].x, rate * (fluid.position[i].y + 0.5 * l0), 0.02 * 2);
    }
    const double area = wide * l0 * (S::dim == 3 ? wide * l0 : 1);
    EXPECT_NEAR(fluid.bodies[1].force.x, -5 * rate * area, 0.12 * 5 * rate * area);
    EXPECT_NEAR(fluid.bodies[0].force.x, -fluid.bodies[1].force.x, 1e-3 * 5 * rate * area);
}

/// Velocities of all wavelengths, at the start of the step: below the limit they die out, above it some grow.
TYPED_TEST(MpsProjectionTest, explicit_viscosity_is_stable_up_to_its_limit) {
    using S = TypeParam;
    const auto largest_after = [](double share_of_limit) {
        MpsFluid<S> fluid;
        fluid.add_block(12, 12, 12);
        fluid.ready();
        MpsOperators<S> operators;
        operators.update(fluid.cloud, true, *fluid.parallel);
        std::uniform_real_distribution<double> number(-1, 1);
        for (auto& u : fluid.velocity) u = Vec3d{number(fluid.random), 0, 0};
        const std::vector<double> viscosity(fluid.size(), 1);
        const double limit = largest_laplacian_number(S::dim, support, l0) * l0 * l0 * rest_density;
        LaplacianViscosity<S> block(l0, {}, true);
        fluid.dt = share_of_limit * limit;
        for (int n = 0; n < 300; ++n) block.apply(fluid.view(), fluid.context(), operators, viscosity);
        double largest = 0;
        for (const auto& u : fluid.velocity) largest = std::max(largest, std::abs(u.x));
        return largest;
    };
    EXPECT_LT(largest_after(0.95), 1);
    EXPECT_GT(largest_after(1.15), 100);
}

TEST(MpsProjectionBits, do_not_depend_on_threads) {
    using S = Space3d;
    std::vector<S::Row> velocity;
    std::vector<double> pressure;
    for (const int threads : {1, 2, 4}) {
        MpsFluid<S> fluid(threads);
        fluid.add_block(10, 16, 10, 0.2);
        fluid.add_container(10, 20, 10);
        fluid.ready();
        auto settings = settings_for<S>();
        settings.repulsion = settings.negative_pressure = true;
        Stepped<S> run(std::move(fluid), settings, 10, {0, -9.81, 0});
        for (int n = 0; n < 3; ++n) run.step(5e-4);
        if (velocity.empty()) {
            velocity = run.fluid.velocity;
            pressure = run.pressure;
        }
        EXPECT_EQ(std::memcmp(velocity.data(), run.fluid.velocity.data(), velocity.size() * sizeof(S::Row)), 0)
            << threads;
        EXPECT_EQ(pressure, run.pressure) << threads;
    }
}

}  // namespace
}  // namespace treacle
