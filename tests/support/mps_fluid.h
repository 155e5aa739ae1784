#pragma once

#include <memory>
#include <random>

#include <gtest/gtest.h>

#include "blocks/discretization/mps_cloud.h"
#include "blocks/discretization/mps_geometry.h"
#include "support/particle_cloud.h"
#include "support/spaces.h"

/// Helpers of the tests of MPS blocks.

namespace treacle::test {

constexpr double l0 = 0.01;  // spacing
constexpr double support = 2.1 * l0;
constexpr double rest_density = 1000;

/// Fluid on a lattice, with solids, and the cloud of both.
template <class S>
struct MpsFluid : ParticleCloud<S> {
    explicit MpsFluid(int threads = 1) : parallel(std::make_unique<Parallel>(threads)) {}

    /// A block of nx × ny × nz particles, the first cell's corner at the origin, each displaced by up to `jitter`
    /// spacings.
    void add_block(int nx, int ny, int nz, double jitter = 0) {
        std::uniform_real_distribution<double> off(-jitter, jitter);
        for (int z = 0; z < (S::dim == 3 ? nz : 1); ++z) {
            for (int y = 0; y < ny; ++y) {
                for (int x = 0; x < nx; ++x) {
                    Vec3d at{x + 0.5 + off(random), y + 0.5 + off(random), S::dim == 3 ? z + 0.5 + off(random) : 0};
                    this->add(l0 * at, {}, l0, rest_density);
                }
            }
        }
    }
    /// A closed container with its low corner at the origin.
    void add_container(double nx, double ny, double nz) {
        const Vec3d size = l0 * Vec3d{nx, ny, S::dim == 3 ? nz : 0};
        Body& body = this->bodies.emplace_back();
        body.shape = {Box{0.5 * size, size}, {}, S::dim};
        body.invert = true;
    }
    void ready(double support_radius = support) {
        const typename BoundaryParticles<S>::Settings settings{
            .spacing = l0, .support_radius = support, .layers = 3, .lattice = true};
        this->boundary.emplace(this->bodies, settings, *parallel);
        this->boundary->update(this->position, this->bodies, *parallel);
        cloud.update(this->view(), this->context(), MpsWeight<S>(support_radius, l0));
    }
    /// The arrangement of the particles; rows of neighbors have to stay.
    MpsGeometry<S> measured() {
        const double wide = 3.1 * l0;
        this->boundary.emplace(this->bodies,
                               typename BoundaryParticles<S>::Settings{
                                   .spacing = l0, .support_radius = wide, .layers = 3, .lattice = true},
                               *parallel);
        this->boundary->update(this->position, this->bodies, *parallel);
        this->neighbors.update(this->position, wide, *parallel, no_period);
        MpsGeometry<S> geometry(support, support, wide, l0);
        geometry.update(this->view(), this->context());
        return geometry;
    }
    BlockContext<S> context() { return ParticleCloud<S>::context(*parallel); }
    /// The particle nearest to a place, in spacings.
    std::size_t nearest(Vec3d place) const {
        std::size_t best = 0;
        const auto away = [&](std::size_t i) { return length(this->position[i].xyz() - l0 * place); };
        for (std::size_t i = 0; i < this->size(); ++i) {
            if (away(i) < away(best)) best = i;
        }
        return best;
    }

    std::mt19937 random{11};
    std::unique_ptr<Parallel> parallel;
    MpsCloud<S> cloud;
};

}  // namespace treacle::test
