#pragma once

#include <cassert>
#include <cstddef>
#include <vector>

#include "core/parallel.h"
#include "state/bodies.h"

namespace treacle {

/// Momentum that particles give to bodies in one pass.
class BodyLoads {
public:
    explicit BodyLoads(std::size_t bodies) : loads_(bodies) {}

    /// Momentum given to a body at a point.
    void add(std::size_t index, const Body& body, Vec3d point, Vec3d impulse) {
        Load& load = loads_[index];
        load.impulse += impulse;
        load.moment += cross(point - body.pose.position, impulse);
    }

    /// A moment given to a body besides.
    void turn(std::size_t index, Vec3d moment) { loads_[index].moment += moment; }

    BodyLoads& operator+=(const BodyLoads& other) {
        for (std::size_t b = 0; b < loads_.size(); ++b) {
            loads_[b].impulse += other.loads_[b].impulse;
            loads_[b].moment += other.loads_[b].moment;
        }
        return *this;
    }

    /// Adds the momentum, given within dt, to force and torque.
    void give_to(Bodies& bodies, double dt) const {
        assert(loads_.size() == bodies.size() && dt > 0);
        for (std::size_t b = 0; b < bodies.size(); ++b) {
            bodies[b].force += loads_[b].impulse / dt;
            bodies[b].torque += loads_[b].moment / dt;
        }
    }

private:
    struct Load {
        Vec3d impulse{};
        Vec3d moment{};  ///< about the body's position
    };
    std::vector<Load> loads_;
};

/// push(i, loads) for every particle, which may write row i; the bodies get what it adds to the loads, as given within
/// dt. With dt = 1 the momenta are forces.
template <class Push>
void push_bodies(Rows rows, double dt, const Parallel& parallel, Bodies& bodies, const Push& push) {
    parallel.fold(rows, BodyLoads(bodies.size()), [&](BodyLoads& loads, std::size_t i) { push(i, loads); })
        .give_to(bodies, dt);
}

}  // namespace treacle
