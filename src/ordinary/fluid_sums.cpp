#include "ordinary/fluid_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace treacle::ordinary {

namespace {

template <class Real>
FluidRows copy_of(const Particles& particles) {
    FluidRows rows;
    for (const auto& row : particles.get<Row4<Real>>("position")) rows.position.push_back(cast<double>(row.xyz()));
    for (const auto& row : particles.get<Row4<Real>>("velocity")) rows.velocity.push_back(cast<double>(row.xyz()));
    for (const Real mass : particles.get<Real>("mass")) rows.mass.push_back(static_cast<double>(mass));
    return rows;
}

}  // namespace

FluidRows rows_of(const State& state) {
    const Particles& particles = state.particles;
    return particles.real() == ScalarType::f32 ? copy_of<float>(particles) : copy_of<double>(particles);
}

double FluidSums::rms_speed() const { return mass > 0 ? std::sqrt(2 * kinetic / mass) : 0; }

FluidSums sums_of(const FluidRows& rows) {
    FluidSums sums;
    sums.particles = rows.mass.size();
    if (rows.mass.empty()) return sums;
    constexpr double far = std::numeric_limits<double>::infinity();
    sums.low = {far, far, far};
    sums.high = {-far, -far, -far};
    for (std::size_t i = 0; i < rows.mass.size(); ++i) {
        const Vec3d x = rows.position[i], v = rows.velocity[i];
        sums.mass += rows.mass[i];
        sums.center += rows.mass[i] * x;
        sums.velocity += rows.mass[i] * v;
        sums.kinetic += 0.5 * rows.mass[i] * dot(v, v);
        sums.fastest = std::max(sums.fastest, length(v));
        for (int axis = 0; axis < 3; ++axis) {
            sums.low[axis] = std::min(sums.low[axis], x[axis]);
            sums.high[axis] = std::max(sums.high[axis], x[axis]);
        }
    }
    sums.center = sums.center / sums.mass;
    sums.velocity = sums.velocity / sums.mass;
    for (std::size_t i = 0; i < rows.mass.size(); ++i) {
        const Vec3d x = rows.position[i] - sums.center, v = rows.velocity[i] - sums.velocity;
        sums.own_kinetic += 0.5 * rows.mass[i] * dot(v, v);
        sums.own_fastest = std::max(sums.own_fastest, length(v));
        sums.gyration2 += rows.mass[i] * dot(x, x) / sums.mass;
        sums.spin += rows.mass[i] * cross(x, v);
    }
    return sums;
}

}  // namespace treacle::ordinary
