#pragma once

#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "math/random.h"
#include "surface_mesh/surface_mesh.h"

/// Particles in known shapes, and checks of a mesh that do not depend on how it was made.

namespace treacle::test {

/// Displaces every coordinate by up to `part` of the spacing.
struct Jitter {
    double part = 0;
    Random random{1};

    Vec3f operator()(Vec3d p, double spacing) {
        for (const int axis : {0, 1, 2}) p[axis] += part * spacing * (2 * random.next() - 1);
        return cast<float>(p);
    }
};

/// nx · ny · nz particles, filling the box from the origin to spacing · (nx, ny, nz).
inline SurfaceParticles lattice_box(int nx, int ny, int nz, double spacing, double jitter = 0) {
    SurfaceParticles particles;
    Jitter shake{jitter};
    for (int z = 0; z < nz; ++z) {
        for (int y = 0; y < ny; ++y) {
            for (int x = 0; x < nx; ++x)
                particles.positions.push_back(shake(spacing * Vec3d{x + 0.5, y + 0.5, z + 0.5}, spacing));
        }
    }
    return particles;
}

/// A ball about the origin cut from a lattice.
inline SurfaceParticles lattice_ball(double radius, double spacing, double jitter = 0) {
    SurfaceParticles particles;
    Jitter shake{jitter};
    const int reach = static_cast<int>(radius / spacing) + 1;
    for (int z = -reach; z < reach; ++z) {
        for (int y = -reach; y < reach; ++y) {
            for (int x = -reach; x < reach; ++x) {
                const Vec3d p = spacing * Vec3d{x + 0.5, y + 0.5, z + 0.5};
                if (length(p) < radius) particles.positions.push_back(shake(p, spacing));
            }
        }
    }
    return particles;
}

/// A ball in shells, each evenly covered, like a fluid that had time to settle.
inline SurfaceParticles settled_ball(double radius, double spacing) {
    SurfaceParticles particles;
    for (double r = radius - spacing / 2; r > 0; r -= spacing) {
        const double outer = std::pow(r / spacing + 0.5, 3), inner = std::pow(std::max(0.0, r / spacing - 0.5), 3);
        const int count = std::max(1, static_cast<int>(std::round(4.0 / 3 * M_PI * (outer - inner))));
        for (int n = 0; n < count; ++n) {
            const double z = 1 - 2 * (n + 0.5) / count, angle = n * M_PI * (3 - std::sqrt(5.0)) + 70 * r / spacing;
            const double ring = std::sqrt(1 - z * z);
            particles.positions.push_back(cast<float>(r * Vec3d{ring * std::cos(angle), ring * std::sin(angle), z}));
        }
    }
    return particles;
}

/// Whether every edge has exactly two triangles that pass it in opposite directions.
template <class Triangles>
bool is_closed(const Triangles& triangles) {
    std::unordered_map<std::uint64_t, int> passes;
    for (const auto& t : triangles) {
        for (std::size_t k = 0; k < 3; ++k) ++passes[std::uint64_t{t[k]} << 32 | t[(k + 1) % 3]];
    }
    for (const auto& [edge, count] : passes) {
        const auto back = passes.find(edge << 32 | edge >> 32);
        if (count != 1 || back == passes.end() || back->second != 1) return false;
    }
    return true;
}

}  // namespace treacle::test
