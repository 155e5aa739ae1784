#pragma once

/// Elementary functions with the same bits on every machine. libm picks its code by CPU, so its last bit may
/// differ between machines; everything that reaches the state of a simulation uses these instead. They are built
/// from + - × ÷ only and are accurate to a few units in the last place of double over the ranges stated.

namespace treacle::reproducible {

inline constexpr double pi = 3.14159265358979323846;

/// e^x for any x; 0 below -745, infinity above 709.
double exp(double x);

/// 1 - e^-x without cancellation for small x; x >= 0. The share of a gap that a relaxation closes in one step.
double one_minus_exp_minus(double x);

/// The same for the inner loops: four terms of the series for e^x, in Real. Off by x⁴/120 of the result for small x
/// (7e-7 at 0.1, 3e-4 at 0.5), rises steadily to 1 for large x.
template <class Real>
Real quick_one_minus_exp_minus(Real x) {
    const Real grown = x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4)));
    return grown / (1 + grown);
}

/// Natural logarithm of a positive normal number.
double log(double x);

/// Sine and cosine of an angle in radians, |x| up to 1e5.
double sin(double x);
double cos(double x);

}  // namespace treacle::reproducible
