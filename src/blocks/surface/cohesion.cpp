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
void Cohesion<S>::gather(const Neighbors<S>& neighbors, std::span<const typename S::Row> position,
                         std::span<const Real> mass, std::span<const std::uint32_t> id,
                         std::span<const std::uint8_t> material, Real dt, const Parallel& parallel,
                         std::span<typename S::Row> displacement) const {
    assert(promises::sized(neighbors.size(), position, mass, id, material, displacement));
    assert(promises::within(strength.size(), material) && promises::finite(position) && promises::positive(mass));
    const MassShares<Real> shares(mass);
    simd::for_each<Real>(
        parallel, position.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            Vec3<P> sum{};
            for_each_pair_pack<S, P>(
                i, neighbors.row(i), position, id, support_radius,
                [&](const PairPack<S, P>& pair) TREACLE_SIMD_INLINE_LAMBDA {
                    const P a =
                        by_materials<P>(material, strength.size(), i, pair.j,
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
