#include "kernels/cubic_spline.h"

#include <cmath>

#include <gtest/gtest.h>

#include "kernels/spline_pairs.h"
#include "simd/load.h"
#include "support/spaces.h"

namespace treacle {
namespace {

template <class S>
class CubicSplineTest : public testing::Test {};

TYPED_TEST_SUITE(CubicSplineTest, test::AllSpaces);

TYPED_TEST(CubicSplineTest, integrates_to_one) {
    using S = TypeParam;
    const double h = 0.02, pi = reproducible::pi;
    const CubicSpline<S> kernel(h);
    double integral = 0;
    constexpr int steps = 4000;
    for (int n = 0; n < steps; ++n) {
        const double q = (n + 0.5) / steps, r = q * h;
        integral += static_cast<double>(kernel.value(static_cast<typename S::Real>(q))) *
                    (S::dim == 2 ? 2 * pi * r : 4 * pi * r * r) * h / steps;
    }
    EXPECT_NEAR(integral, 1, 1e-6);
}

TYPED_TEST(CubicSplineTest, slope_is_the_derivative) {
    using Real = typename TypeParam::Real;
    const CubicSpline<Space<TypeParam::dim, double>> fine(0.3);
    const CubicSpline<TypeParam> kernel(0.3);
    for (double q = 0.037; q < 1.2; q += 0.037) {
        const double step = 1e-5;
        const double difference = (fine.value(q + step) - fine.value(q - step)) / (2 * step * 0.3);
        EXPECT_NEAR(static_cast<double>(kernel.slope(static_cast<Real>(q))), difference, 1e-4) << q;
        EXPECT_LE(kernel.slope(static_cast<Real>(q)), 0);
        EXPECT_GE(kernel.value(static_cast<Real>(q)), 0);
    }
    EXPECT_EQ(kernel.slope(Real(0)), 0);
    EXPECT_EQ(kernel.value(Real(1)), 0);
    EXPECT_EQ(kernel.slope(Real(1.5)), 0);
}

TYPED_TEST(CubicSplineTest, pairs_have_its_value_and_slope) {
    using Real = typename TypeParam::Real;
    using P = simd::Pack<simd::Twin, Real>;
    const double h = 0.3;
    const CubicSpline<TypeParam> kernel(h);
    const SplinePairs<TypeParam, P> pairs(kernel);
    const double exact = std::is_same_v<Real, float> ? 2e-6 : 1e-14;
    for (double q = 0; q < 1.3; q += 0.031) {
        const Vec3<P> r{P(Real(0.6 * q * h)), P(0), P(Real(-0.8 * q * h))};
        const P distance = pairs.distance(r);
        const double value = static_cast<double>(kernel.value_scale() * pairs.value(distance).lane(3));
        const double slope = static_cast<double>(kernel.slope_scale() * pairs.slope(distance).lane(3));
        EXPECT_NEAR(value, static_cast<double>(kernel.value(static_cast<Real>(q))),
                    exact * static_cast<double>(kernel.value(Real(0))))
            << q;
        EXPECT_NEAR(slope, static_cast<double>(kernel.slope(static_cast<Real>(q))),
                    exact * static_cast<double>(kernel.slope_scale()))
            << q;
        EXPECT_TRUE(std::isfinite(1 / distance.lane(3)));
    }
    const P itself = pairs.distance({P(0), P(0), P(0)});
    EXPECT_EQ(pairs.value(itself).lane(0), Real(1));
    EXPECT_EQ(pairs.slope(itself).lane(0), Real(0));
}

TYPED_TEST(CubicSplineTest, a_lattice_of_half_the_support_has_its_density) {
    const CubicSpline<Space<TypeParam::dim, double>> kernel(2);
    double sum = 0;
    for (int x = -2; x <= 2; ++x) {
        for (int y = -2; y <= 2; ++y) {
            for (int z = TypeParam::dim == 3 ? -2 : 0; z <= (TypeParam::dim == 3 ? 2 : 0); ++z) {
                sum += kernel.value(std::sqrt(static_cast<double>(x * x + y * y + z * z)) / 2);
            }
        }
    }
    EXPECT_NEAR(sum, 1, TypeParam::dim == 3 ? 5e-5 : 2e-3);
}

TYPED_TEST(CubicSplineTest, packs_and_numbers_have_the_same_bits) {
    using Real = typename TypeParam::Real;
    using P = simd::Pack<simd::Sse4, Real>;
    const CubicSpline<TypeParam> kernel(0.07);
    const P q = simd::from_lanes<P>([](int lane) { return Real(0.15) * static_cast<Real>(lane); });
    Real value[simd::lanes], slope[simd::lanes];
    simd::store(kernel.value(q), value);
    simd::store(kernel.slope(q), slope);
    for (int lane = 0; lane < simd::lanes; ++lane) {
        EXPECT_EQ(value[lane], kernel.value(Real(0.15) * static_cast<Real>(lane)));
        EXPECT_EQ(slope[lane], kernel.slope(Real(0.15) * static_cast<Real>(lane)));
    }
}

}  // namespace
}  // namespace treacle
