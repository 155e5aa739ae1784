#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "blocks/solids/boundary_particles.h"
#include "support/numbered.h"

namespace treacle {

/// Particles of a test and the context in which blocks see them.
template <class S>
struct ParticleCloud {
    using Real = typename S::Real;
    using Row = typename S::Row;

    std::vector<Row> position, velocity;
    std::vector<Real> mass, density, volume;
    std::vector<std::uint32_t> id, fluid;
    std::vector<std::uint8_t> material;

    Bodies bodies;
    Neighbors<S> neighbors;
    std::optional<BoundaryParticles<S>> boundary;
    StageTimer timer;
    double time = 0, dt = 1e-3;
    Vec3d gravity{}, period{};

    /// A particle of the first material at its rest density.
    void add(Vec3d x, Vec3d v, double spacing, double rest_density = 1000) {
        position.push_back(cast<Real>(x));
        velocity.push_back(cast<Real>(v));
        volume.push_back(static_cast<Real>(cell_volume(S::dim, spacing)));
        mass.push_back(static_cast<Real>(rest_density * cell_volume(S::dim, spacing)));
        density.push_back(static_cast<Real>(rest_density));
        id.push_back(static_cast<std::uint32_t>(id.size()));
        fluid.push_back(0);
        material.push_back(0);
    }

    std::size_t size() const { return position.size(); }

    FluidView<S> view() {
        if (id.size() != size()) id = numbered(size());
        FluidView<S> view;
        view.position = position, view.velocity = velocity;
        view.mass = mass, view.density = density, view.volume = volume;
        view.id = id, view.fluid = fluid, view.material = material;
        return view;
    }

    BlockContext<S> context(const Parallel& parallel) {
        return {time, dt, gravity, period, neighbors, bodies, parallel, timer, boundary ? &*boundary : nullptr};
    }

    Vec3d momentum() const {
        Vec3d sum{};
        for (std::size_t i = 0; i < size(); ++i) sum += static_cast<double>(mass[i]) * cast<double>(velocity[i].xyz());
        return sum;
    }

    /// About the origin.
    Vec3d angular_momentum() const {
        Vec3d sum{};
        for (std::size_t i = 0; i < size(); ++i)
            sum +=
                static_cast<double>(mass[i]) * cross(cast<double>(position[i].xyz()), cast<double>(velocity[i].xyz()));
        return sum;
    }
};

}  // namespace treacle
