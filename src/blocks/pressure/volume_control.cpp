#include "blocks/pressure/volume_control.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/promises.h"

namespace treacle {

/// e; J begins anew where the density is known.
template <class S>
auto VolumeControl<S>::compression(const MpsGeometry<S>& geometry, std::size_t i, Real& volume_ratio) -> Real {
    const Real excess = geometry.smooth_density()[i] - 1, unknown = Real(0.03);
    const bool alone = geometry.fell_back()[i] != 0;
    if (alone || std::abs(excess) > unknown) volume_ratio = 1;
    if (alone) return 0;
    if (geometry.surrounded()[i]) return excess;
    if (std::abs(excess) > unknown) return excess > 0 ? excess - unknown : std::max(excess + unknown, Real(-0.05));
    return std::clamp(1 - volume_ratio, -unknown, unknown);
}

template <class S>
void VolumeControl<S>::update(const FluidView<S>& fluid, const BlockContext<S>& context, const MpsGeometry<S>& geometry,
                              const StressTerms<S>& terms, std::span<Real> volume_ratio) {
    assert(promises::sized(fluid.size(), geometry, fluid.material, volume_ratio) && terms.complete(fluid.size()));
    assert(promises::within(settings_.rest_density.size(), fluid.material) && context.dt > 0);
    const auto stage = context.timer.stage("flow");
    resistance_.resize(fluid.size()), divergence_.resize(fluid.size());
    const double dt = context.dt;
    const Real stiff = static_cast<Real>(settings_.resistance),
               inertia = static_cast<Real>(settings_.spacing * settings_.spacing / dt),
               firm = static_cast<Real>(100 * settings_.weight * dt), most = static_cast<Real>(0.01 / dt),
               slowest = static_cast<Real>(settings_.slowest_wave * settings_.slowest_wave);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const Real rest_density = settings_.rest_density[fluid.material[i]];
        const Real elastic = terms.elastic() ? terms.modulus[i] * terms.strain_time[i] : Real(0);
        resistance_[i] = std::max(stiff * (terms.viscosity[i] + elastic + rest_density * inertia), firm);
        const Real damped = Real(0.3) * resistance_[i] / rest_density * slowest;
        const Real rate = std::min({static_cast<Real>(settings_.density_rate), static_cast<Real>(0.2 / dt), damped});
        divergence_[i] = std::clamp(rate * compression(geometry, i, volume_ratio[i]), -most, most);
    });
}

template <class S>
void VolumeControl<S>::deform(const FluidView<S>& fluid, const BlockContext<S>& context,
                              std::span<const Mat3<Real>> gradient, std::span<Real> volume_ratio) {
    assert(promises::sized(fluid.size(), gradient, volume_ratio) && context.dt > 0);
    const Real dt = static_cast<Real>(context.dt);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        volume_ratio[i] *= std::clamp(1 + dt * gradient[i].trace(), Real(0.5), Real(2));
    });
}

template class VolumeControl<Space2d>;
template class VolumeControl<Space3d>;

}  // namespace treacle
