#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "core/parallel.h"
#include "math/space.h"
#include "neighbors/neighbors.h"

namespace treacle::test {

/// Input of pair blocks: a cloud of particles with random positions and velocities, and its neighbor rows.
template <class S>
struct RandomFluid {
    using Real = typename S::Real;
    using Row = typename S::Row;

    RandomFluid(std::size_t count, Real box, Real h, std::uint32_t seed, bool equal_masses = false) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<Real> place(0, box), speed(-1, 1), weight(Real(0.5), 2);
        for (std::size_t i = 0; i < count; ++i) {
            const Real z = S::dim == 3 ? place(random) : 0;
            const Real vz = S::dim == 3 ? speed(random) : 0;
            position.push_back(Row({place(random), place(random), z}));
            velocity.push_back(Row({speed(random), speed(random), vz}));
            mass.push_back(equal_masses ? Real(1) : weight(random));
            id.push_back(static_cast<std::uint32_t>(count - i));
            material.push_back(0);
        }
        displacement.resize(count);
        wall_displacement.resize(count);
        neighbors.update(position, h, parallel, no_period);
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
    std::vector<Row> position, velocity, displacement, wall_displacement;
    std::vector<Real> mass;
    std::vector<std::uint32_t> id;
    std::vector<std::uint8_t> material;
    Neighbors<S> neighbors;
};

}  // namespace treacle::test
