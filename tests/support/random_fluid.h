#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "support/particle_cloud.h"

namespace treacle::test {

/// Input of pair blocks: a cloud of particles with random positions and velocities, and its neighbor rows.
template <class S>
struct RandomFluid : ParticleCloud<S> {
    using typename ParticleCloud<S>::Real;
    using typename ParticleCloud<S>::Row;
    using ParticleCloud<S>::position, ParticleCloud<S>::velocity, ParticleCloud<S>::mass;

    RandomFluid(std::size_t count, Real box, Real h, std::uint32_t seed, bool equal_masses = false) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<Real> place(0, box), speed(-1, 1), weight(Real(0.5), 2);
        for (std::size_t i = 0; i < count; ++i) {
            const Real z = S::dim == 3 ? place(random) : 0;
            const Real vz = S::dim == 3 ? speed(random) : 0;
            position.push_back(Row({place(random), place(random), z}));
            velocity.push_back(Row({speed(random), speed(random), vz}));
            mass.push_back(equal_masses ? Real(1) : weight(random));
            this->id.push_back(static_cast<std::uint32_t>(count - i));
        }
        this->density.resize(count), this->volume.resize(count);
        this->fluid.resize(count), this->material.resize(count);
        displacement.resize(count);
        wall_displacement.resize(count);
        this->neighbors.update(position, h, parallel, no_period);
    }

    BlockContext<S> context(double step, const BoundaryParticles<S>* solids = nullptr) {
        this->dt = step;
        BlockContext<S> context = ParticleCloud<S>::context(parallel);
        if (solids) context.boundary = solids;
        return context;
    }

    Vec3d momentum_of(const std::vector<Row>& rows) const {
        Vec3d sum{};
        for (std::size_t i = 0; i < rows.size(); ++i) sum += static_cast<double>(mass[i]) * cast<double>(rows[i].xyz());
        return sum;
    }
    Vec3d moment_of(const std::vector<Row>& rows) const {
        Vec3d sum{};
        for (std::size_t i = 0; i < rows.size(); ++i) {
            sum += static_cast<double>(mass[i]) * cross(cast<double>(position[i].xyz()), cast<double>(rows[i].xyz()));
        }
        return sum;
    }
    double size_of(const std::vector<Row>& rows) const {  ///< Σ m |row|, the scale for residual sums
        double sum = 0;
        for (std::size_t i = 0; i < rows.size(); ++i)
            sum += static_cast<double>(mass[i]) * length(cast<double>(rows[i].xyz()));
        return sum;
    }
    double energy_of(const std::vector<Row>& rows) const {
        double sum = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Vec3d v = cast<double>(rows[i].xyz());
            sum += 0.5 * static_cast<double>(mass[i]) * dot(v, v);
        }
        return sum;
    }

    Parallel parallel{1};
    std::vector<Row> displacement, wall_displacement;
};

/// A dense cloud above a floor, with the samples of the floor and room for the results of blocks of the pressure.
template <class S>
struct RandomFluidOnFloor : RandomFluid<S> {
    using typename RandomFluid<S>::Real;
    static constexpr double reach = 2;

    explicit RandomFluidOnFloor(bool equal_masses = false)
        : RandomFluid<S>(S::dim == 3 ? 300 : 120, S::dim == 3 ? 6 : 10, Real(reach), 7, equal_masses),
          samples(this->bodies = {floor()}, {1, reach}, this->parallel), ratio(this->size()), pressure(this->size()),
          walls(this->size()) {
        samples.update(this->position, this->bodies, this->parallel);
    }
    static Body floor() {
        Body body;
        body.shape = {Plane{{0, 1, 0}, 0}, {}, S::dim};
        return body;
    }
    BlockContext<S> context() { return RandomFluid<S>::context(this->dt, &samples); }

    BoundaryParticles<S> samples;
    std::vector<Real> ratio, pressure;
    std::vector<typename S::Row> walls;  ///< displacements
};

}  // namespace treacle::test
