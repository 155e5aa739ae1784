#include "blocks/surface/cohesion.h"

#include <algorithm>
#include <cassert>

#include "blocks/pair_pack.h"
#include "core/promises.h"

namespace treacle {

template <class S>
bool Cohesion<S>::active() const {
    return std::any_of(strength.begin(), strength.end(), [](Real a) { return a > 0; });
}

template <class S>
void Cohesion<S>::gather(const FluidView<S>& fluid, const BlockContext<S>& context,
                         std::span<typename S::Row> displacement) const {
    assert(promises::sized(fluid.size(), context.neighbors, fluid.mass, fluid.id, fluid.material, displacement));
    assert(promises::within(strength.size(), fluid.material));
    assert(promises::finite(fluid.position) && promises::positive(fluid.mass));
    if (!active()) return;
    const Real dt = static_cast<Real>(context.dt);
    const MassShares<Real> shares(fluid.mass);
    simd::for_each<Real>(
        context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            Vec3<P> sum{};
            for_each_pair_pack<S, P>(
                i, context.neighbors.row(i), fluid.position, fluid.id, support_radius,
                [&](const PairPack<S, P>& pair) TREACLE_SIMD_INLINE_LAMBDA {
                    const P a =
                        by_materials<P>(fluid.material, strength.size(), i, pair.j,
                                        [&](std::uint8_t m, std::uint8_t n) { return strength[m] + strength[n]; });
                    sum += (shares.template of<P>(i, pair.j) * a * pair.q * (1 - pair.q)) * pair.direction();
                });
            displacement[i] = displacement[i].xyz() + (dt * dt) * sum_of_lanes(sum);
        });
}

template struct Cohesion<Space2f>;
template struct Cohesion<Space3f>;
template struct Cohesion<Space2d>;
template struct Cohesion<Space3d>;

}  // namespace treacle
