#include "math/reproducible.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace treacle {
namespace {

/// Largest relative difference to the C library over evenly spread points.
template <class Ours, class Theirs>
double worst_difference(const Ours& ours, const Theirs& theirs, double low, double high, int count = 200000) {
    double worst = 0;
    for (int n = 0; n <= count; ++n) {
        const double x = low + (high - low) * n / count;
        const double expected = theirs(x);
        const double difference = std::abs(ours(x) - expected);
        if (expected != 0) worst = std::max(worst, difference / std::abs(expected));
        else worst = std::max(worst, difference);
    }
    return worst;
}

constexpr double tolerance = 1e-15;

TEST(Reproducible, exp_is_accurate) {
    const auto theirs = [](double x) { return std::exp(x); };
    EXPECT_LT(worst_difference(reproducible::exp, theirs, -1, 1), tolerance);
    EXPECT_LT(worst_difference(reproducible::exp, theirs, -50, 50), tolerance);
    EXPECT_LT(worst_difference(reproducible::exp, theirs, -700, 709), tolerance);
    EXPECT_EQ(reproducible::exp(0), 1);
    EXPECT_EQ(reproducible::exp(-746), 0);
    EXPECT_EQ(reproducible::exp(-1e300), 0);
    EXPECT_EQ(reproducible::exp(710), std::numeric_limits<double>::infinity());
    // Below the normal numbers only few bits are left; those must be right.
    EXPECT_NEAR(reproducible::exp(-740) / std::exp(-740.0), 1, 0.02);
}

TEST(Reproducible, one_minus_exp_minus_is_accurate) {
    const auto theirs = [](double x) { return -std::expm1(-x); };
    EXPECT_LT(worst_difference(reproducible::one_minus_exp_minus, theirs, 0, 1), tolerance);
    EXPECT_LT(worst_difference(reproducible::one_minus_exp_minus, theirs, 0, 1e-6), tolerance);
    EXPECT_LT(worst_difference(reproducible::one_minus_exp_minus, theirs, 0, 100), tolerance);
    EXPECT_EQ(reproducible::one_minus_exp_minus(0), 0);
    EXPECT_EQ(reproducible::one_minus_exp_minus(1e9), 1);
}

TEST(Reproducible, quick_one_minus_exp_minus_is_as_good_as_it_says) {
    const auto error = [](double x) {
        return std::abs(reproducible::quick_one_minus_exp_minus(x) / -std::expm1(-x) - 1);
    };
    EXPECT_EQ(reproducible::quick_one_minus_exp_minus(0.0), 0);
    EXPECT_LT(error(0.1), 8e-7);
    EXPECT_LT(error(0.5), 3e-4);
    double before = 0;
    for (double x = 0; x < 1000; x = x * 1.01 + 1e-3) {  // never more than the whole gap, and never less for more time
        const double share = reproducible::quick_one_minus_exp_minus(x);
        EXPECT_GE(share, before);
        EXPECT_LE(share, 1);
        before = share;
    }
}

TEST(Reproducible, log_is_accurate) {
    const auto theirs = [](double x) { return std::log(x); };
    EXPECT_LT(worst_difference(reproducible::log, theirs, 0.5, 2), tolerance);
    EXPECT_LT(worst_difference(reproducible::log, theirs, 0.999, 1.001), tolerance);
    EXPECT_LT(worst_difference(reproducible::log, theirs, 1e-3, 1e3), tolerance);
    EXPECT_LT(worst_difference(reproducible::log, theirs, 1e100, 1e300), tolerance);
    EXPECT_LT(std::abs(reproducible::log(1e-300) / std::log(1e-300) - 1), tolerance);
    EXPECT_EQ(reproducible::log(1), 0);
}

TEST(Reproducible, sine_and_cosine_are_accurate) {
    const auto sine = [](double x) { return std::sin(x); };
    const auto cosine = [](double x) { return std::cos(x); };
    EXPECT_LT(worst_difference(reproducible::sin, sine, -4, 4), tolerance);
    EXPECT_LT(worst_difference(reproducible::cos, cosine, -4, 4), tolerance);
    EXPECT_LT(worst_difference(reproducible::sin, sine, -1e5, 1e5), tolerance);
    EXPECT_LT(worst_difference(reproducible::cos, cosine, -1e5, 1e5), tolerance);
    EXPECT_LT(worst_difference(reproducible::sin, sine, 0, 1e-8), tolerance);
    // Near the zeros, everything depends on how exactly multiples of pi/2 are subtracted.
    for (int n = 1; n < 60000; n += 7) {
        const double x = n * reproducible::pi / 2;
        EXPECT_NEAR(reproducible::sin(x), std::sin(x), 1e-15 * std::abs(std::sin(x))) << x;
        EXPECT_NEAR(reproducible::cos(x), std::cos(x), 1e-15 * std::abs(std::cos(x))) << x;
    }
    EXPECT_EQ(reproducible::sin(0), 0);
    EXPECT_EQ(reproducible::cos(0), 1);
}

/// Bits of one value. They were taken from this implementation; a change of compiler, option or machine that
/// changes them would make runs differ.
void expect_bits(double value, std::uint64_t bits) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(value), bits) << std::hex << std::bit_cast<std::uint64_t>(value);
}

TEST(Reproducible, bits_never_change) {
    expect_bits(reproducible::exp(0.1), 0x3ff1aec7b35a00d4ull);
    expect_bits(reproducible::exp(-1.0), 0x3fd78b56362cef38ull);
    expect_bits(reproducible::exp(1.0), 0x4005bf0a8b14576aull);
    expect_bits(reproducible::exp(-12.345), 0x3ed240572f47cb82ull);
    expect_bits(reproducible::exp(300.7), 0x5b0c3714f17ae742ull);
    expect_bits(reproducible::exp(-720.5), 0x00000005cf08fff0ull);
    expect_bits(reproducible::one_minus_exp_minus(0.001), 0x3f50603521cac48bull);
    expect_bits(reproducible::one_minus_exp_minus(0.3), 0x3fd0966f2c7907f6ull);
    expect_bits(reproducible::one_minus_exp_minus(2.5), 0x3fed5f8f47ed617bull);
    expect_bits(reproducible::quick_one_minus_exp_minus(0.7), 0x3fe018c66cf1ca5cull);
    expect_bits(reproducible::log(2.0), 0x3fe62e42fefa39efull);
    expect_bits(reproducible::log(0.1), 0xc0026bb1bbb55515ull);
    expect_bits(reproducible::log(12345.678), 0x4022d79559791e31ull);
    expect_bits(reproducible::log(1e-200), 0xc07cc845b54b54f2ull);
    expect_bits(reproducible::sin(0.5), 0x3fdeaee8744b05f0ull);
    expect_bits(reproducible::sin(1.0), 0x3feaed548f090ceeull);
    expect_bits(reproducible::sin(-2.5), 0xbfe326af0dcfcab0ull);
    expect_bits(reproducible::sin(4.0), 0xbfe837b9dddc1eaeull);
    expect_bits(reproducible::sin(31415.9), 0xbf9b2b68fb05f39full);
    expect_bits(reproducible::cos(0.5), 0x3fec1528065b7d50ull);
    expect_bits(reproducible::cos(2.0), 0xbfdaa22657537205ull);
    expect_bits(reproducible::cos(-3.3), 0xbfef996f2ca70bb6ull);
    expect_bits(reproducible::cos(5.5), 0x3fe6ad6c3c07d448ull);
    expect_bits(reproducible::cos(99999.0), 0xbfe050e628324336ull);
}

}  // namespace
}  // namespace treacle
