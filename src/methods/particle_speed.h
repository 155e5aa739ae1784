#pragma once

#include <cmath>
#include <span>

#include "core/parallel.h"
#include "math/vec.h"

namespace treacle {

/// The greatest speed of any particle, m/s.
template <class Real>
double fastest(std::span<const Row4<Real>> velocity, const Parallel& parallel) {
    return std::sqrt(parallel.max(velocity.size(), 0.0, [&](std::size_t i) {
        const Vec3d v = cast<double>(velocity[i].xyz());
        return dot(v, v);
    }));
}

}  // namespace treacle
