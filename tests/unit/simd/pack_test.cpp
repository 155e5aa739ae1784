#include "simd/pack.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/on_every_path.h"

namespace treacle {
namespace {

template <class Real>
class PackTest : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(PackTest, Reals);

constexpr std::size_t packs = 400;

/// Runs kernel(P a, P b) -> P over many packs of difficult numbers on every path and compares each lane with
/// expected(a, b).
template <class Real, class Kernel, class Expected>
void expect_lanes(const Kernel& kernel, const Expected& expected) {
    const auto a = test::difficult_numbers<Real>(8 * packs, 1);
    const auto b = test::difficult_numbers<Real>(8 * packs, 2);
    for (const simd::Choice path : test::paths()) {
        const test::OnPath on(path);
        std::vector<Real> result(8 * packs);
        simd::run<Real>(0, packs, [&]<class P>(simd::Use<P>, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
            simd::store(kernel(simd::load<P>(a.data() + 8 * n), simd::load<P>(b.data() + 8 * n)),
                        result.data() + 8 * n);
        });
        for (std::size_t l = 0; l < result.size(); ++l) {
            ASSERT_EQ(test::bits_of(result[l]), test::bits_of<Real>(expected(a[l], b[l])))
                << simd::name(path) << ": " << a[l] << ", " << b[l] << " gave " << result[l];
        }
    }
}

TYPED_TEST(PackTest, ArithmeticIsThatOfPlainNumbers) {
    using Real = TypeParam;
    expect_lanes<Real>([](const auto& a, const auto& b) { return a + b; }, [](Real a, Real b) { return a + b; });
    expect_lanes<Real>([](const auto& a, const auto& b) { return a - b; }, [](Real a, Real b) { return a - b; });
    expect_lanes<Real>([](const auto& a, const auto& b) { return a * b; }, [](Real a, Real b) { return a * b; });
    expect_lanes<Real>([](const auto& a, const auto& b) { return a / b; }, [](Real a, Real b) { return a / b; });
    expect_lanes<Real>([](const auto& a, const auto&) { return -a; }, [](Real a, Real) { return -a; });
    expect_lanes<Real>([](const auto& a, const auto&) { return sqrt(a); }, [](Real a, Real) { return std::sqrt(a); });
}

// A fused multiply-add would round once.
TYPED_TEST(PackTest, ProductAndSumAreRoundedSeparately) {
    using Real = TypeParam;
    expect_lanes<Real>([](const auto& a, const auto& b) { return a * b + a; },
                       [](Real a, Real b) {
                           const volatile Real product = a * b;
                           return product + a;
                       });
}

TYPED_TEST(PackTest, SmallerAndLargerAreThoseOfTheStandardLibrary) {
    using Real = TypeParam;
    expect_lanes<Real>([](const auto& a, const auto& b) { return min(a, b); },
                       [](Real a, Real b) { return std::min(a, b); });
    expect_lanes<Real>([](const auto& a, const auto& b) { return max(a, b); },
                       [](Real a, Real b) { return std::max(a, b); });
    // Also if one is NaN.
    expect_lanes<Real>([](const auto& a, const auto& b) { return min(a * 0, b) + max(b, a * 0); },
                       [](Real a, Real b) { return std::min(a * 0, b) + std::max(b, a * 0); });
}

TYPED_TEST(PackTest, ComparisonsSelectLaneByLane) {
    using Real = TypeParam;
    expect_lanes<Real>([](const auto& a, const auto& b) { return select(a < b, a, b * 2); },
                       [](Real a, Real b) { return a < b ? a : b * 2; });
    expect_lanes<Real>([](const auto& a, const auto& b) { return select(a <= b, a, b * 2); },
                       [](Real a, Real b) { return a <= b ? a : b * 2; });
    expect_lanes<Real>([](const auto& a, const auto& b) { return select(a > b, a, b * 2); },
                       [](Real a, Real b) { return a > b ? a : b * 2; });
    expect_lanes<Real>([](const auto& a, const auto& b) { return select(a >= b, a, b * 2); },
                       [](Real a, Real b) { return a >= b ? a : b * 2; });
    expect_lanes<Real>([](const auto& a, const auto& b) { return select(equal(a, b), a, b * 2); },
                       [](Real a, Real b) { return a == b ? a : b * 2; });
    expect_lanes<Real>([](const auto& a, const auto& b) { return select((a < b) & (a > -1), a, b * 2); },
                       [](Real a, Real b) { return a < b && a > -1 ? a : b * 2; });
    expect_lanes<Real>([](const auto& a, const auto& b) { return select((a < b) | (b > 1), a, b * 2); },
                       [](Real a, Real b) { return a < b || b > 1 ? a : b * 2; });
}

TYPED_TEST(PackTest, BitsOfAMaskNameItsLanes) {
    using Real = TypeParam;
    const auto a = test::difficult_numbers<Real>(8 * packs, 3);
    for (const simd::Choice path : test::paths()) {
        const test::OnPath on(path);
        std::vector<unsigned> bits(packs);
        std::vector<int> counts(packs);
        simd::run<Real>(0, packs, [&]<class P>(simd::Use<P>, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
            const auto mask = simd::load<P>(a.data() + 8 * n) < P(0);
            bits[n] = mask.bits();
            counts[n] = mask.count();
            if (mask.any() != (mask.bits() != 0) || mask.all() != (mask.bits() == 255)) bits[n] = 0xFFFF;
        });
        for (std::size_t n = 0; n < packs; ++n) {
            unsigned expected = 0;
            for (unsigned l = 0; l < 8; ++l) expected |= (a[8 * n + l] < 0 ? 1u : 0u) << l;
            EXPECT_EQ(bits[n], expected) << simd::name(path);
            EXPECT_EQ(counts[n], __builtin_popcount(expected));
        }
    }
}

TYPED_TEST(PackTest, LanesAreAddedByTheFixedTree) {
    using Real = TypeParam;
    const auto numbers = test::difficult_numbers<Real>(8 * packs, 4);
    for (const simd::Choice path : test::paths()) {
        const test::OnPath on(path);
        std::vector<Real> sums(packs);
        simd::run<Real>(0, packs, [&]<class P>(simd::Use<P>, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
            sums[n] = sum_of_lanes(simd::load<P>(numbers.data() + 8 * n));
        });
        for (std::size_t n = 0; n < packs; ++n) {
            const Real* x = numbers.data() + 8 * n;
            const Real tree = ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
            EXPECT_EQ(test::bits_of(sums[n]), test::bits_of(tree)) << simd::name(path);
        }
    }
}

TYPED_TEST(PackTest, OneNumberFillsAllLanes) {
    using Real = TypeParam;
    for (const simd::Choice path : test::paths()) {
        const test::OnPath on(path);
        for (const Real x : {Real(0), Real(-0.0), Real(3.5), std::numeric_limits<Real>::infinity()}) {
            std::vector<Real> filled(8), zero(8, 1), changed(8);
            simd::run<Real>(0, 1, [&]<class P>(simd::Use<P>, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
                P p(x);
                simd::store(p, filled.data());
                simd::store(P(), zero.data());
                for (int l = 0; l < 8; ++l) p.set_lane(l, p.lane(l) + static_cast<Real>(l));
                simd::store(p, changed.data());
            });
            for (std::size_t l = 0; l < 8; ++l) {
                EXPECT_EQ(test::bits_of(filled[l]), test::bits_of(x)) << simd::name(path);
                EXPECT_EQ(test::bits_of(zero[l]), test::bits_of(Real(0)));
                EXPECT_EQ(changed[l], x + static_cast<Real>(l));
            }
        }
    }
}

}  // namespace
}  // namespace treacle
