#include "blocks/solids/wall_load.h"

#include <algorithm>

namespace treacle {

namespace {

const Wall* nearest_of(std::span<const Wall> walls) {
    const auto nearest = std::min_element(walls.begin(), walls.end(),
                                          [](const Wall& a, const Wall& b) { return a.distance < b.distance; });
    return nearest == walls.end() ? nullptr : &*nearest;
}

}  // namespace

template <class S>
void WallLoad<S>::update(const Neighbors<S>& neighbors, const WallRows<S>& walls,
                         std::span<const typename S::Row> position, std::span<const typename S::Row> wall_load, Real dt,
                         const Parallel& parallel, std::span<Real> pressed) const {
    // The patch: within half a support radius along the wall, so that all of its layers are neighbors.
    const Real reach = Real(0.25) * support_radius * support_radius;
    const Real share = std::min(Real(1), dt / time);
    parallel.for_each(position.size(), [&](std::size_t i) {
        const Wall* wall = nearest_of(walls.row(i));
        if (!wall || wall->distance >= static_cast<double>(first_layer)) {
            pressed[i] = 0;
            return;
        }
        const auto normal = cast<Real>(wall->normal);
        Real sum = dot(wall_load[i].xyz(), normal), first = 1;
        for (const std::uint32_t j : neighbors.row(i)) {
            const Wall* its_wall = nearest_of(walls.row(j));
            if (!its_wall || its_wall->body != wall->body) continue;
            const auto r = position[j].xyz() - position[i].xyz();
            const Real height = dot(r, normal);
            if (dot(r, r) - height * height > reach) continue;
            sum += dot(wall_load[j].xyz(), normal);
            if (its_wall->distance < static_cast<double>(first_layer)) first += 1;
        }
        pressed[i] += share * (sum / first / (dt * dt) - pressed[i]);
    });
}

template struct WallLoad<Space2f>;
template struct WallLoad<Space3f>;
template struct WallLoad<Space2d>;
template struct WallLoad<Space3d>;

}  // namespace treacle
