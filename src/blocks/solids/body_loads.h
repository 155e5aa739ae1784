#pragma once

#include <cassert>
#include <cstddef>
#include <vector>

#include "core/parallel.h"
#include "state/bodies.h"

namespace treacle {

/// What the fluid gives to bodies in a pass over its particles. Sums by block of particles, then in block order: the
/// same bits for any number of threads.
class BodyLoads {
public:
    BodyLoads(std::size_t particles, std::size_t bodies)
        : by_block_(Parallel::block_count(particles), std::vector<Load>(bodies)) {}

    /// Momentum given to a body at a point, by a particle of this block.
    void add(std::size_t block, std::size_t index, const Body& body, Vec3d point, Vec3d impulse) {
        Load& load = by_block_[block][index];
        load.impulse += impulse;
        load.moment += cross(point - body.pose.position, impulse);
    }

    /// Adds the sums, given within dt, to force and torque.
    void give_to(Bodies& bodies, double dt) const {
        assert(by_block_.empty() || by_block_.front().size() == bodies.size());
        assert(dt > 0);
        for (std::size_t b = 0; b < bodies.size(); ++b) {
            Load total;
            for (const auto& loads : by_block_) {
                total.impulse += loads[b].impulse;
                total.moment += loads[b].moment;
            }
            bodies[b].force += total.impulse / dt;
            bodies[b].torque += total.moment / dt;
        }
    }

private:
    struct Load {
        Vec3d impulse{};
        Vec3d moment{};  ///< about the body's position
    };
    std::vector<std::vector<Load>> by_block_;
};

}  // namespace treacle
