#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "render/blue_noise.h"
#include "render/render_scene.h"

/// Points and directions for Monte Carlo sums, the same in every run.

namespace treacle::tracing {

struct Pair {
    float x, y;
};

/// Mixes the bits of a number.
inline std::uint32_t hash(std::uint32_t value) {
    value ^= value >> 16;
    value *= 0x7feb352du;
    value ^= value >> 15;
    value *= 0x846ca68bu;
    return value ^ (value >> 16);
}

/// 0 <= result < 1
inline float unit_float(std::uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }

/// The place of `n` when the numbers below `count` are shuffled; another `seed` gives another order (Kensler 2013).
inline std::uint32_t shuffled(std::uint32_t n, std::uint32_t count, std::uint32_t seed) {
    std::uint32_t mask = count - 1;
    for (int shift = 1; shift < 32; shift *= 2) mask |= mask >> shift;
    do {
        n ^= seed;
        n *= 0xe170893du;
        n ^= seed >> 16;
        n ^= (n & mask) >> 4;
        n ^= seed >> 8;
        n *= 0x0929eb3fu;
        n ^= seed >> 23;
        n ^= (n & mask) >> 1;
        n *= 1 | seed >> 27;
        n *= 0x6935fa69u;
        n ^= (n & mask) >> 11;
        n *= 0x74dcb303u;
        n ^= (n & mask) >> 2;
        n *= 0x9e501cc3u;
        n ^= (n & mask) >> 2;
        n *= 0xc860a3dfu;
        n &= mask;
        n ^= n >> 5;
    } while (n >= count);
    return (n + seed) % count;
}

/// The random numbers of one sample of one pixel. The k-th pairs of all samples of a pixel fill the unit square evenly:
/// steps by powers of the plastic number, on the torus, in an order that is shuffled anew for every k, so that pairs
/// are not correlated. Every pixel shifts them by noise of its own.
class Dice {
public:
    Dice(int x, int y, int sample, int samples)
        : x_(static_cast<unsigned>(x)), y_(static_cast<unsigned>(y)), sample_(static_cast<std::uint32_t>(sample)),
          samples_(static_cast<std::uint32_t>(samples)) {}

    Pair pair() {
        const std::uint32_t use = ++uses_;
        const auto n = static_cast<float>(shuffled(sample_, samples_, hash(use)));
        const Pair shift = shift_for(use);
        const float a = shift.x + 0.75487767f * n, b = shift.y + 0.56984029f * n;
        return {below_one(a - std::floor(a)), below_one(b - std::floor(b))};
    }

    float number() { return pair().x; }

private:
    static float below_one(float value) { return std::min(value, 0x1.fffffep-1f); }

    /// The first pairs matter most to the eye: blue noise for them.
    Pair shift_for(std::uint32_t use) const {
        constexpr std::uint32_t fine_ones = 6;
        if (use <= fine_ones) {
            const unsigned column = x_ + 37 * use, row = y_ + 11 * use;
            return {blue_noise(column, row), blue_noise(column + 19, row + 43)};
        }
        const std::uint32_t bits = hash(x_ ^ hash(y_ ^ hash(use)));
        return {unit_float(bits), unit_float(hash(bits))};
    }

    unsigned x_, y_;
    std::uint32_t sample_, samples_, uses_ = 0;
};

inline Vec3f unit(Vec3f v) { return v / length(v); }

inline Color product(Color a, Color b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

/// Two directions that make a right-handed triple with a unit vector.
struct Tangents {
    Vec3f u, v;
};

inline Tangents tangents(Vec3f n) {
    const Vec3f helper = std::abs(n.x) < 0.7f ? Vec3f{1, 0, 0} : Vec3f{0, 0, 1};
    const Vec3f v = unit(cross(n, helper));
    return {cross(v, n), v};
}

/// A point of the unit disc, evenly distributed.
inline Pair disc_point(Pair p) {
    const float radius = std::sqrt(p.x), angle = 6.2831853f * p.y;
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

/// A direction above a surface, more often where it catches more light (cosine-weighted).
inline Vec3f hemisphere_direction(Vec3f normal, Pair p) {
    const Pair d = disc_point(p);
    const Tangents t = tangents(normal);
    return d.x * t.u + d.y * t.v + std::sqrt(std::max(0.0f, 1 - p.x)) * normal;
}

/// Any direction, all equally likely.
inline Vec3f sphere_direction(Pair p) {
    const float z = 1 - 2 * p.x, r = std::sqrt(std::max(0.0f, 1 - z * z)), angle = 6.2831853f * p.y;
    return {r * std::cos(angle), r * std::sin(angle), z};
}

}  // namespace treacle::tracing
