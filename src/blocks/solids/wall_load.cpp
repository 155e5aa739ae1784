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
                         const Parallel& parallel, std::span<Real> share, std::span<Real> pressed) const {
    // The patch: within half a support radius along the wall, so that all of its layers are neighbors.
    const Real reach = Real(0.25) * support_radius * support_radius;
    const auto for_each_in_patch = [&](std::size_t i, const Wall& wall, const auto& visit) {
        const auto normal = cast<Real>(wall.normal);
        visit(i, wall);
        for (const std::uint32_t j : neighbors.row(i)) {
            const Wall* its_wall = nearest_of(walls.row(j));
            if (!its_wall || its_wall->body != wall.body) continue;
            const auto r = position[j].xyz() - position[i].xyz();
            const Real height = dot(r, normal);
            if (dot(r, r) - height * height <= reach) visit(j, *its_wall);
        }
    };
    parallel.for_each(position.size(), [&](std::size_t i) {
        share[i] = 0;
        const Wall* wall = nearest_of(walls.row(i));
        if (!wall) return;
        Real first = 0;
        for_each_in_patch(i, *wall, [&](std::size_t, const Wall& its_wall) { first += in_first_layer(&its_wall) ? 1 : 0; });
        if (first > 0) share[i] = dot(wall_load[i].xyz(), cast<Real>(wall->normal)) / (first * dt * dt);
    });
    const Real fraction = std::min(Real(1), dt / time);
    parallel.for_each(position.size(), [&](std::size_t i) {
        const Wall* wall = nearest_of(walls.row(i));
        if (!in_first_layer(wall)) {
            pressed[i] = 0;
            return;
        }
        Real sum = 0;
        for_each_in_patch(i, *wall, [&](std::size_t j, const Wall&) { sum += share[j]; });
        pressed[i] += fraction * (sum - pressed[i]);
    });
}

template struct WallLoad<Space2f>;
template struct WallLoad<Space3f>;
template struct WallLoad<Space2d>;
template struct WallLoad<Space3d>;

}  // namespace treacle
