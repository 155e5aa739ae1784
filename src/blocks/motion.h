#pragma once

#include <cassert>
#include <cmath>
#include <span>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "core/parallel.h"
#include "core/promises.h"
#include "math/vec.h"

/// Changes of velocity and position that all methods share.

namespace treacle {

/// V = m/ρ0, with rest_density(material) in kg/m³.
template <class S, class RestDensity>
void measure_volumes(const FluidView<S>& fluid, const Parallel& parallel, const RestDensity& rest_density) {
    assert(promises::sized(fluid.size(), fluid.mass, fluid.volume, fluid.material));
    parallel.for_each(fluid.rows(),
                      [&](std::size_t i) { fluid.volume[i] = fluid.mass[i] / rest_density(fluid.material[i]); });
}

/// The greatest speed of any particle, m/s.
template <class Real>
double fastest(std::span<const Row4<Real>> velocity, const Parallel& parallel) {
    return std::sqrt(parallel.max(Rows::of(velocity.size()), 0.0, [&](std::size_t i) {
        const Vec3d v = cast<double>(velocity[i].xyz());
        return dot(v, v);
    }));
}

/// v += change, the same for all.
template <class S>
void kick(const FluidView<S>& fluid, Vec3d change, const Parallel& parallel) {
    assert(fluid.velocity.size() == fluid.size());
    const auto by = cast<typename S::Real>(change);
    parallel.for_each(fluid.rows(), [&](std::size_t i) { fluid.velocity[i] = fluid.velocity[i].xyz() + by; });
}

/// x += dt v
template <class S>
void drift(const FluidView<S>& fluid, double dt, const Parallel& parallel) {
    assert(fluid.velocity.size() == fluid.size() && dt > 0);
    const auto step = static_cast<typename S::Real>(dt);
    parallel.for_each(fluid.rows(), [&](std::size_t i) {
        fluid.position[i] = fluid.position[i].xyz() + step * fluid.velocity[i].xyz();
    });
}

/// v += displacement/dt, where positions have been displaced already. Velocities that were differences of absolute
/// positions would lose the small motions of floats far from the origin.
template <class S>
void displace_velocity(const FluidView<S>& fluid, const BlockContext<S>& context,
                       std::span<const typename S::Row> displacement) {
    assert(promises::sized(fluid.size(), fluid.velocity, displacement) && context.dt > 0);
    const auto dt = static_cast<typename S::Real>(context.dt);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        fluid.velocity[i] = fluid.velocity[i].xyz() + displacement[i].xyz() / dt;
    });
}

/// x += displacement, v += displacement/dt
template <class S>
void displace(const FluidView<S>& fluid, const BlockContext<S>& context,
              std::span<const typename S::Row> displacement) {
    assert(promises::sized(fluid.size(), fluid.velocity, displacement) && context.dt > 0);
    const auto dt = static_cast<typename S::Real>(context.dt);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        fluid.position[i] = fluid.position[i].xyz() + displacement[i].xyz();
        fluid.velocity[i] = fluid.velocity[i].xyz() + displacement[i].xyz() / dt;
    });
}

}  // namespace treacle
