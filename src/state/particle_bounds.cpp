#include "state/particle_bounds.h"

#include <algorithm>
#include <limits>

namespace treacle {

namespace {

template <class Real>
Bounds bounds_of_rows(std::span<const Row4<Real>> positions) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Bounds bounds{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
    for (const Row4<Real>& row : positions) {
        const Vec3d position = cast<double>(row.xyz());
        for (int axis = 0; axis < 3; ++axis) {
            bounds.low[axis] = std::min(bounds.low[axis], position[axis]);
            bounds.high[axis] = std::max(bounds.high[axis], position[axis]);
        }
    }
    return bounds;
}

}  // namespace

Bounds bounds_of(const Particles& particles) {
    if (particles.size() == 0) return {};
    return particles.real() == ScalarType::f32 ? bounds_of_rows<float>(particles.get<Row4<float>>("position"))
                                               : bounds_of_rows<double>(particles.get<Row4<double>>("position"));
}

Bounds enclosing(const Bounds& a, const Bounds& b) {
    Bounds both = a;
    for (int axis = 0; axis < 3; ++axis) {
        both.low[axis] = std::min(a.low[axis], b.low[axis]);
        both.high[axis] = std::max(a.high[axis], b.high[axis]);
    }
    return both;
}

}  // namespace treacle
