#include "blocks/viscous/noise_damping.h"

#include <cassert>

#include "blocks/pair_pack.h"
#include "core/promises.h"
#include "kernels/cubic_spline.h"
#include "math/reproducible.h"

namespace treacle {

template <class S>
void NoiseDamping<S>::smooth(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Row> values,
                             std::span<Row> result) const {
    const CubicSpline<S> kernel(static_cast<Real>(support_radius));
    const Real inverse_h = 1 / kernel.support_radius();
    const std::span<const Row> position = fluid.position;
    const MaybeUniform<Real> masses(fluid.mass);
    simd::for_each<Real>(
        context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const Row here = values[i];
            Vec3<P> sum{};
            for_each_eight(i, context.neighbors.row(i),
                           [&](const std::uint32_t* j, int, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
                               const Vec3<P> r = offsets<P>(position, i, j);  // 0 beyond the row
                               const auto there = simd::load_rows<P>(values.data(), j);
                               const P square = dot(r, r);
                               const P weight = masses.template of<P>(j) / (P(here.w) + there.w) *
                                                kernel.value(sqrt(square) * P(inverse_h)) / square;
                               const Vec3<P> apart{there.x - P(here.x), there.y - P(here.y), there.z - P(here.z)};
                               sum += select(square > P(0), weight * dot(r, apart), P(0)) * r;
                           });
            result[i] = sum_of_lanes(sum);
            result[i].w = here.w;
        });
}

template <class S>
void NoiseDamping<S>::apply(const FluidView<S>& fluid, const BlockContext<S>& context) {
    assert(promises::rows_within(fluid.size(), context.neighbors));
    assert(promises::reaching(support_radius, context.neighbors) && context.dt > 0);
    assert(promises::sized(fluid.size(), fluid.velocity, fluid.mass, fluid.volume));
    assert(promises::finite(fluid.position, fluid.velocity) && promises::positive(fluid.mass, fluid.volume));
    if (!(rate > 0)) return;
    const auto stage = context.timer.stage("viscosity");
    for (auto* rows : {&velocity_, &once_, &twice_}) rows->resize(fluid.size());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        velocity_[i] = fluid.velocity[i];
        velocity_[i].w = fluid.mass[i] / fluid.volume[i];
    });
    smooth(fluid, context, velocity_, once_);
    smooth(fluid, context, once_, twice_);
    const Real share = static_cast<Real>(reproducible::one_minus_exp_minus(rate * context.dt));
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        fluid.velocity[i] = fluid.velocity[i].xyz() - share * twice_[i].xyz();
    });
}

template class NoiseDamping<Space2f>;
template class NoiseDamping<Space3f>;
template class NoiseDamping<Space2d>;
template class NoiseDamping<Space3d>;

}  // namespace treacle
