#include "math/reproducible.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace treacle::reproducible {

namespace {

constexpr double ln2_high = 6.93147180369123816490e-01;  // upper 33 bits: n · ln2_high is exact
constexpr double ln2_low = 1.90821492927058770002e-10;
constexpr double half_pi_high = 1.57079632673412561417e+00;    // upper 33 bits
constexpr double half_pi_middle = 6.07710050630396597660e-11;  // next 33
constexpr double half_pi_low = 2.02226624879595063154e-21;     // the rest

double scale_by_power_of_two(double value, int exponent) {
    // Two factors, so that results near the ends of the range neither overflow nor lose their last bits early.
    const int half = exponent / 2;
    const auto power = [](int n) { return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52); };
    return value * power(half) * power(exponent - half);
}

// Taylor series on |r| <= ln2/2: the 14th term is below 2^-60.
double exp_minus_one_small(double r) {
    double sum = 1.0;
    for (int n = 14; n >= 2; --n) sum = 1.0 + r * sum / n;
    return r * sum;
}

double sin_small(double r) {  // |r| <= pi/4
    const double square = r * r;
    double sum = 1.0;
    for (int n = 18; n >= 2; n -= 2) sum = 1.0 - square * sum / (n * (n + 1));
    return r * sum;
}

double cos_small(double r) {
    const double square = r * r;
    double sum = 1.0;
    for (int n = 17; n >= 1; n -= 2) sum = 1.0 - square * sum / (n * (n + 1));
    return sum;
}

struct Quadrant {
    double remainder;
    int index;  // 0..3
};

Quadrant reduce_to_quadrant(double x) {
    const double turns = std::floor(x / (half_pi_high + half_pi_middle) + 0.5);
    const double remainder = ((x - turns * half_pi_high) - turns * half_pi_middle) - turns * half_pi_low;
    const auto index = static_cast<int>(static_cast<std::int64_t>(turns) & 3);
    return {remainder, index};
}

}  // namespace

double exp(double x) {
    if (x < -745.0) return 0.0;
    if (x > 709.0) return std::numeric_limits<double>::infinity();
    const double n = std::floor(x / (ln2_high + ln2_low) + 0.5);
    const double r = (x - n * ln2_high) - n * ln2_low;
    return scale_by_power_of_two(1.0 + exp_minus_one_small(r), static_cast<int>(n));
}

double one_minus_exp_minus(double x) { return x < 0.34 ? -exp_minus_one_small(-x) : 1.0 - exp(-x); }

double log(double x) {
    int exponent = 0;
    double mantissa = std::frexp(x, &exponent);  // exact
    if (mantissa < 0.70710678118654752440) {
        mantissa *= 2.0;
        --exponent;
    }
    // ln m = 2 artanh((m-1)/(m+1)), |t| <= 0.172: the terms shrink by 0.03 each.
    const double t = (mantissa - 1.0) / (mantissa + 1.0);
    const double square = t * t;
    double sum = 0.0;
    for (int n = 25; n >= 3; n -= 2) sum = square * (1.0 / n + sum);
    return exponent * ln2_high + (2.0 * t * (1.0 + sum) + exponent * ln2_low);
}

double sin(double x) {
    const auto [r, quadrant] = reduce_to_quadrant(x);
    switch (quadrant) {
        case 0: return sin_small(r);
        case 1: return cos_small(r);
        case 2: return -sin_small(r);
        default: return -cos_small(r);
    }
}

double cos(double x) {
    const auto [r, quadrant] = reduce_to_quadrant(x);
    switch (quadrant) {
        case 0: return cos_small(r);
        case 1: return -sin_small(r);
        case 2: return -cos_small(r);
        default: return sin_small(r);
    }
}

}  // namespace treacle::reproducible
