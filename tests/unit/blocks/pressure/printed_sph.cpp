#include "blocks/pressure/printed_sph.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/random_fluid.h"
#include "support/spaces.h"

namespace treacle {
namespace {

constexpr double sigma = 1.5, k = 3, mu = 0.7, dt = 0.01, rest = 1.2;

/// Eq. 3; in 2D with a factor that makes its integral one.
double kernel(int dimension, Vec3d r) {
    const double inside = sigma * sigma - dot(r, r);
    if (inside <= 0) return 0;
    const double scale = dimension == 3 ? 315 / (64 * std::numbers::pi * std::pow(sigma, 9))
                                        : 4 / (std::numbers::pi * std::pow(sigma, 8));
    return scale * inside * inside * inside;
}

template <class S>
class PrintedSphTest : public testing::Test {};
TYPED_TEST_SUITE(PrintedSphTest, test::DoubleSpaces);

/// Derivatives of the kernel by finite differences.
TYPED_TEST(PrintedSphTest, is_what_the_paper_prints) {
    using S = TypeParam;
    test::RandomFluid<S> fluid(60, 3.0, sigma, 4);
    const std::size_t count = fluid.position.size();
    const auto before = fluid.velocity;
    PrintedSph<S> block;
    block.support_radius = sigma;
    block.stiffness = k;
    block.materials = {{.rest_density = rest, .fluidity = 0.6, .viscosity = mu}};
    block.apply(fluid.view(), fluid.context(dt));

    const auto apart = [&](std::size_t i, std::size_t j) { return fluid.position[i].xyz() - fluid.position[j].xyz(); };
    std::vector<double> density(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) density[i] += fluid.mass[j] * kernel(S::dim, apart(i, j));
    }
    constexpr double step = 1e-4;
    for (std::size_t i = 0; i < count; ++i) {
        Vec3d force{};
        for (std::size_t j = 0; j < count; ++j) {
            const Vec3d r = apart(i, j);
            if (i == j || length(r) > sigma - 2 * step) continue;
            Vec3d gradient{};
            double laplacian = 0;
            for (int axis = 0; axis < S::dim; ++axis) {
                Vec3d to{};
                to[axis] = step;
                const double high = kernel(S::dim, r + to), low = kernel(S::dim, r - to);
                gradient[axis] = (high - low) / (2 * step);
                laplacian += (high + low - 2 * kernel(S::dim, r)) / (step * step);
            }
            const double volume = fluid.mass[j] / density[j];
            force += -volume * k * (density[j] - rest) * gradient + mu * volume * laplacian * before[j].xyz();
        }
        const Vec3d expected = 0.6 * dt / density[i] * force;
        EXPECT_LT(length(fluid.velocity[i].xyz() - before[i].xyz() - expected), 1e-5 * (1 + length(expected)));
    }
}

}  // namespace
}  // namespace treacle
