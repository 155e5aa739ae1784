#pragma once

#include <array>
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

/// Even points for the samples of one pixel.
class PixelSampler {
public:
    /// What points are for: each use has its own, so that they do not go together.
    enum Use { place, light, sky, uses };

    PixelSampler(int x, int y) {
        for (unsigned use = 0; use < uses; ++use) {
            const unsigned column = static_cast<unsigned>(x) + 37 * use, row = static_cast<unsigned>(y) + 11 * use;
            shift_[use] = {blue_noise(column, row), blue_noise(column + 19, row + 43)};
        }
    }

    /// Point number `n` of a sequence that fills the unit square evenly at any length (steps by powers of the plastic
    /// number, on the torus). Every pixel has it shifted by its own noise.
    Pair point(Use use, int n) const {
        const float x = shift_[use].x + 0.75487767f * static_cast<float>(n);
        const float y = shift_[use].y + 0.56984029f * static_cast<float>(n);
        return {x - std::floor(x), y - std::floor(y)};
    }

private:
    std::array<Pair, uses> shift_;
};

inline Vec3f unit(Vec3f v) { return v / length(v); }

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

}  // namespace treacle::tracing
