#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "simd/dispatch.h"
#include "simd/load.h"

namespace treacle::test {

/// Paths that this machine can take; the scalar twin comes first, as the reference for the others.
inline std::vector<simd::Choice> paths() {
    std::vector<simd::Choice> all;
    for (const auto path : {simd::Choice::scalar, simd::Choice::sse4, simd::Choice::avx2, simd::Choice::avx512}) {
        if (simd::available(path)) all.push_back(path);
    }
    return all;
}

/// Takes a path, and restores the old one at the end.
class OnPath {
public:
    explicit OnPath(simd::Choice choice) : before_(simd::choice()) { simd::choose(choice); }
    ~OnPath() { simd::choose(before_); }
    OnPath(const OnPath&) = delete;
    OnPath& operator=(const OnPath&) = delete;

private:
    simd::Choice before_;
};

/// Numbers of many sizes and signs, and special ones.
template <class Real>
std::vector<Real> difficult_numbers(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<Real> fraction(-1, 1);
    std::uniform_int_distribution<int> exponent(-40, 40), kind(0, 15);
    std::vector<Real> numbers(count);
    for (Real& x : numbers) {
        switch (kind(random)) {
            case 0: x = 0; break;
            case 1: x = Real(-0.0); break;
            case 2: x = std::numeric_limits<Real>::infinity(); break;
            case 3: x = -std::numeric_limits<Real>::infinity(); break;
            case 4: x = std::numeric_limits<Real>::denorm_min(); break;
            case 5: x = 1; break;
            default: x = std::ldexp(fraction(random), exponent(random));
        }
    }
    return numbers;
}

/// Bits of a number; all NaNs count as one, because the standard does not define their bits.
template <class Real>
std::uint64_t bits_of(Real x) {
    if (x != x) return 0x7FF8000000000000ull;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof x);
    return bits;
}

}  // namespace treacle::test
