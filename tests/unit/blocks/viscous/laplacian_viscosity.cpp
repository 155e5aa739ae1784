#include "blocks/viscous/laplacian_viscosity.h"

#include "laws/stable_steps.h"
#include "support/mps_fluid.h"

namespace treacle {
namespace {

using namespace test;

template <class S>
class LaplacianViscosityTest : public testing::Test {};
TYPED_TEST_SUITE(LaplacianViscosityTest, DoubleSpaces);

/// Fluid between a plate at rest and one that moves: long after the time that viscosity takes, velocities are linear.
/// Fluid sticks to the first layers of wall particles, whose distance is the height of the fluid plus one spacing.
TYPED_TEST(LaplacianViscosityTest, drags_as_newton_says) {
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
TYPED_TEST(LaplacianViscosityTest, explicit_steps_are_stable_up_to_their_limit) {
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

}  // namespace
}  // namespace treacle
