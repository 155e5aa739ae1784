#include "blocks/thermal/heat_conduction.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "blocks/pair_pack.h"
#include "blocks/solids/boundary_particles.h"
#include "core/promises.h"
#include "laws/stable_steps.h"

namespace treacle {

template <class S>
int HeatConduction<S>::apply(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> capacity,
                             std::span<const Real> conductivity, std::span<Real> temperature) {
    assert(promises::sized(context.neighbors.size(), fluid.position, fluid.volume, capacity, conductivity));
    assert(temperature.size() == fluid.size() && promises::finite(fluid.position, temperature));
    assert(context.boundary && context.boundary->fluid_size() == fluid.size());
    assert(promises::positive(capacity, fluid.volume) && context.dt > 0);
    const auto stage = context.timer.stage("heat");
    const BoundaryParticles<S>& boundary = *context.boundary;
    const Parallel& parallel = context.parallel;
    const double dt = context.dt;
    const CubicSpline<S>& kernel = boundary.kernel();
    const Real h = kernel.support_radius();
    const double fastest = parallel.max(fluid.rows(), 0.0, [&](std::size_t i) {
        return static_cast<double>(conductivity[i]) * static_cast<double>(fluid.volume[i]) /
               static_cast<double>(capacity[i]);
    });
    if (!(fastest > 0)) return 0;
    const int parts =
        std::max(1, static_cast<int>(std::ceil(dt / longest_conduction_step(fastest, static_cast<double>(h)) - 1e-9)));
    const Real step = static_cast<Real>(dt / parts);
    gain_.resize(fluid.size());
    for (int part = 0; part < parts; ++part) {
        simd::for_each<Real>(
            parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                const P k_i(conductivity[i]), t_i(temperature[i]), v_i(fluid.volume[i]);
                P sum{};
                for_each_pair_pack<S, P>(
                    i, context.neighbors.row(i), fluid.position, {}, h,
                    [&](const PairPack<S, P>& pair) TREACLE_SIMD_INLINE_LAMBDA {
                        const P k_j = simd::load_lanes<P>(conductivity.data(), pair.j);
                        const P both = k_i + k_j;
                        const P k = select(both > P(0), (P(2) * (k_i * k_j)) / both, P(0));
                        const P volumes = v_i * simd::load_lanes<P>(fluid.volume.data(), pair.j);
                        const P weight =
                            select(pair.distance > P(0), (P(-2) * kernel.slope(pair.q)) / pair.distance, P(0));
                        sum += (k * volumes) * weight * (simd::load_lanes<P>(temperature.data(), pair.j) - t_i);
                    });
                gain_[i] = sum_of_lanes(sum);
            });
        parallel.for_each(fluid.rows(), [&](std::size_t i) {
            Real gain = gain_[i];
            boundary.for_each_pair(i, fluid.position[i].xyz(), [&](const BoundaryPair<S>& pair) {
                const std::uint32_t b = boundary.body()[pair.k];
                if (b >= body_temperature.size() || std::isnan(body_temperature[b])) return;
                if (!(pair.distance > 0)) return;
                const Real weight = -2 * kernel.slope(pair.q) / pair.distance;
                gain += conductivity[i] * fluid.volume[i] * boundary.volume()[pair.k] * weight *
                        (static_cast<Real>(body_temperature[b]) - temperature[i]);
            });
            gain_[i] = gain;
        });
        parallel.for_each(fluid.rows(), [&](std::size_t i) { temperature[i] += step * gain_[i] / capacity[i]; });
    }
    return parts;
}

template class HeatConduction<Space2f>;
template class HeatConduction<Space3f>;
template class HeatConduction<Space2d>;
template class HeatConduction<Space3d>;

}  // namespace treacle
