#pragma once

#include <memory>
#include <optional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "blocks/pressure/mps_projection.h"

/// Helpers of the tests of MPS blocks.

namespace treacle::test {

constexpr double l0 = 0.01;  // spacing
constexpr double support = 2.1 * l0;
constexpr double rest_density = 1000;

/// Fluid on a lattice, with solids, and the cloud of both.
template <class S>
struct MpsFluid {
    using Real = typename S::Real;
    using Row = typename S::Row;

    explicit MpsFluid(int threads = 1) : parallel(std::make_unique<Parallel>(threads)) {}

    /// A block of nx × ny × nz particles, the first cell's corner at the origin, each displaced by up to `jitter`
    /// spacings.
    void add_block(int nx, int ny, int nz, double jitter = 0) {
        std::uniform_real_distribution<double> off(-jitter, jitter);
        for (int z = 0; z < (S::dim == 3 ? nz : 1); ++z) {
            for (int y = 0; y < ny; ++y) {
                for (int x = 0; x < nx; ++x) {
                    Vec3d at{x + 0.5 + off(random), y + 0.5 + off(random), S::dim == 3 ? z + 0.5 + off(random) : 0};
                    position.push_back(l0 * at);
                }
            }
        }
        velocity.resize(position.size());
    }
    /// A closed container with its low corner at the origin.
    void add_container(double nx, double ny, double nz) {
        const Vec3d size = l0 * Vec3d{nx, ny, S::dim == 3 ? nz : 0};
        Body& body = bodies.emplace_back();
        body.shape = {Box{0.5 * size, size}, {}, S::dim};
        body.invert = true;
    }
    void ready(double support_radius = support) {
        const typename BoundaryParticles<S>::Settings settings{
            .spacing = l0, .support_radius = support, .layers = 3, .lattice = true};
        boundary.emplace(bodies, settings, *parallel);
        boundary->update(position, bodies, *parallel);
        cloud.update(position, *boundary, MpsWeight<S>(support_radius, l0), *parallel);
    }
    /// The particle nearest to a place, in spacings.
    std::size_t nearest(Vec3d place) const {
        std::size_t best = 0;
        for (std::size_t i = 0; i < position.size(); ++i) {
            if (length(position[i].xyz() - l0 * place) < length(position[best].xyz() - l0 * place)) best = i;
        }
        return best;
    }

    std::mt19937 random{11};
    std::unique_ptr<Parallel> parallel;
    Bodies bodies;
    std::vector<Row> position, velocity;
    std::optional<BoundaryParticles<S>> boundary;
    MpsCloud<S> cloud;
};

using MpsSpaces = testing::Types<Space2d, Space3d>;

}  // namespace treacle::test
