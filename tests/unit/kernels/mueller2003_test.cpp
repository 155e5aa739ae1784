#include "kernels/mueller2003.h"

#include <gtest/gtest.h>

#include "kernels/cubic_spline.h"
#include "kernels/lattice_sums.h"
#include "support/spaces.h"

namespace treacle {
namespace {

template <class S>
class Mueller2003Test : public testing::Test {};

TYPED_TEST_SUITE(Mueller2003Test, test::AllSpaces);

TYPED_TEST(Mueller2003Test, both_kernels_integrate_to_one) {
    using S = TypeParam;
    using Real = typename S::Real;
    const double h = 0.02, pi = reproducible::pi;
    const Mueller2003<S> kernel(h);
    double poly6 = 0, spiky = 0;
    constexpr int steps = 4000;
    for (int n = 0; n < steps; ++n) {
        const double q = (n + 0.5) / steps, r = q * h;
        const double shell = (S::dim == 2 ? 2 * pi * r : 4 * pi * r * r) * h / steps;
        poly6 += static_cast<double>(kernel.value(static_cast<Real>(q))) * shell;
        spiky -= static_cast<double>(kernel.slope(static_cast<Real>(q))) * r / S::dim * shell;  // by parts
    }
    EXPECT_NEAR(poly6, 1, 1e-6);
    EXPECT_NEAR(spiky, 1, 1e-6);
    EXPECT_EQ(kernel.value(Real(1.2)), 0);
    EXPECT_EQ(kernel.slope(Real(1.2)), 0);
    EXPECT_LT(kernel.slope(Real(0)), 0);
}

/// The statements of docs/measurements/takahashi2014.md about lattices.
TYPED_TEST(Mueller2003Test, lattices_are_too_dense_by_a_percent) {
    using Fine = Space<TypeParam::dim, double>;
    const Mueller2003<Fine> kernel(2.01);
    double density = 0;
    for (int layer = -2; layer <= 2; ++layer) density += sheet_sum(kernel, TypeParam::dim, 1, layer);
    EXPECT_NEAR(density, TypeParam::dim == 3 ? 1.0106 : 1.0146, 0.0001);
    // One layer stands for two; with the cubic spline, which is narrower, the second is almost out of reach.
    EXPECT_GT(layer_volume(kernel, TypeParam::dim, 1), 1);
    EXPECT_GT(layer_volume(CubicSpline<Fine>(2.01), TypeParam::dim, 1), 1);
}

}  // namespace
}  // namespace treacle
