#include "blocks/solids/wall_release.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "core/promises.h"

namespace treacle {

namespace {

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

[[gnu::noinline]] const Wall* nearest_of(std::span<const Wall> walls) {
    const auto nearest = std::ranges::min_element(walls, {}, &Wall::distance);
    return nearest == walls.end() ? nullptr : &*nearest;
}

}  // namespace

template <class S>
void WallRelease<S>::spread(const FluidView<S>& fluid, const BlockContext<S>& context, const WallRows<S>& walls,
                            std::span<const Real> pressed, std::span<Real> spread) {
    assert(promises::sized(context.neighbors.size(), walls, fluid.position, pressed, spread));
    body_.resize(fluid.size());
    share_.resize(fluid.size());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const Wall* wall = nearest_of(walls.row(i));
        const bool first = wall && static_cast<Real>(wall->distance) < first_layer;
        body_[i] = first ? wall->body : nobody;
    });
    const Real square = support_radius * support_radius;
    const auto for_each_near = [&](std::size_t i, const auto& visit) {
        for_each_beside(i, context, [&](std::uint32_t j) {
            const auto r = fluid.position[j].xyz() - fluid.position[i].xyz();
            if (dot(r, r) < square) visit(j);
        });
    };
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        if (body_[i] == nobody) return;
        Real count = 1;
        for_each_near(i, [&](std::uint32_t) { count += 1; });
        share_[i] = pressed[i] / count;
    });
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        Real sum = 0;
        if (body_[i] != nobody) {
            sum = share_[i];
            for_each_near(i, [&](std::uint32_t j) { sum += share_[j]; });
        }
        spread[i] = sum;
    });
}

template <class S>
void WallRelease<S>::update(const FluidView<S>& fluid, const BlockContext<S>& context, const WallRows<S>& walls,
                            std::span<const Row> wall_displacement, std::span<const Real> withheld,
                            std::span<Real> support, std::span<Real> lets_go) {
    assert(promises::sized(context.neighbors.size(), walls, fluid.position, wall_displacement, withheld));
    assert(promises::sized(context.neighbors.size(), fluid.material, support, lets_go) && context.dt > 0 && time > 0);
    assert(promises::within(elastic.size(), fluid.material));
    const Real dt = static_cast<Real>(context.dt);
    body_.resize(fluid.size());
    share_.resize(fluid.size());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const Wall* wall = nearest_of(walls.row(i));
        body_[i] = wall ? wall->body : nobody;
        share_[i] = wall ? dot(wall_displacement[i].xyz(), cast<Real>(wall->normal)) + withheld[i] : Real(0);
    });
    const Real fraction = std::min(Real(1), dt / time);
    const Real reach = Real(0.25) * support_radius * support_radius;
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        if (body_[i] == nobody) {
            support[i] = 0;
            return;
        }
        // The patch: within half a support radius along the wall, so that all of its layers are neighbors.
        Real load = share_[i];
        const auto normal = cast<Real>(nearest_of(walls.row(i))->normal);
        for_each_beside(i, context, [&](std::uint32_t j) {
            const auto r = fluid.position[j].xyz() - fluid.position[i].xyz();
            const Real height = dot(r, normal);
            if (dot(r, r) - height * height <= reach) load += share_[j];
        });
        support[i] += fraction * (load / (dt * dt) - support[i]);
    });
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        lets_go[i] = 0;
        if (body_[i] == nobody || elastic[fluid.material[i]] == 0) return;
        Real load = support[i];
        for_each_beside(i, context, [&](std::uint32_t j) { load += support[j]; });
        if (load < 0) lets_go[i] = 1;
    });
}

template class WallRelease<Space2f>;
template class WallRelease<Space3f>;
template class WallRelease<Space2d>;
template class WallRelease<Space3d>;

}  // namespace treacle
