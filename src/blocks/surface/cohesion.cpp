#include "blocks/surface/cohesion.h"

#include <algorithm>

#include "blocks/pair.h"

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
    parallel.for_each(position.size(), [&](std::size_t i) {
        typename S::Vec sum{};
        for_each_pair<S>(i, neighbors.row(i), position, id, support_radius, [&](const Pair<S>& pair) {
            const Real a = strength[material[i]] + strength[material[pair.j]];
            sum += (share_of(mass[i], mass[pair.j]) * a * pair.q * (1 - pair.q)) * pair.direction;
        });
        displacement[i] = displacement[i].xyz() + (dt * dt) * sum;
    });
}

template struct Cohesion<Space2f>;
template struct Cohesion<Space3f>;
template struct Cohesion<Space2d>;
template struct Cohesion<Space3d>;

}  // namespace treacle
