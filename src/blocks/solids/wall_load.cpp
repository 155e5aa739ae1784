#include "blocks/solids/wall_load.h"

#include <algorithm>
#include <cassert>

#include "blocks/pair_pack.h"
#include "core/promises.h"

namespace treacle {

namespace {

[[gnu::noinline]] const Wall* nearest_of(std::span<const Wall> walls) {
    const auto nearest = std::min_element(walls.begin(), walls.end(),
                                          [](const Wall& a, const Wall& b) { return a.distance < b.distance; });
    return nearest == walls.end() ? nullptr : &*nearest;
}

}  // namespace

template <class S>
void WallLoad<S>::update(const FluidView<S>& fluid, const BlockContext<S>& context, const WallRows<S>& walls,
                         std::span<const Row> wall_displacement, std::span<Real> pressed) {
    assert(promises::sized(context.neighbors.size(), walls, fluid.position, wall_displacement, pressed));
    assert(context.dt > 0 && settings.time > 0);
    const std::span<const Row> position = fluid.position;
    const Parallel& parallel = context.parallel;
    const Real dt = static_cast<Real>(context.dt);
    const Real nowhere = -1;
    place_.resize(fluid.size());
    share_.resize(fluid.size());
    parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const Wall* wall = nearest_of(walls.row(i));
        place_[i] = wall ? 2 * static_cast<Real>(wall->body) + (in_first_layer(wall) ? 1 : 0) : nowhere;
    });
    // The patch: within half a support radius along the wall, so that all of its layers are neighbors.
    // visit(j, lanes of the patch, their places) for every eight neighbors.
    const Real reach = Real(0.25) * settings.support_radius * settings.support_radius;
    const auto for_each_in_patch = [&]<class P>(simd::Use<P>, std::size_t i, const Wall& wall,
                                                const auto& visit) TREACLE_SIMD_INLINE_LAMBDA {
        const auto normal = cast<Real>(wall.normal);
        const P body(2 * static_cast<Real>(wall.body));
        for_each_eight(i, context.neighbors.row(i),
                       [&](const std::uint32_t* j, int count, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
                           const Vec3<P> r = offsets<P>(position, i, j);
                           const P height = (r.x * P(normal.x) + r.y * P(normal.y)) + r.z * P(normal.z);
                           const P its_place = simd::load_lanes<P>(place_.data(), j);
                           const auto same_body = equal(its_place, body) | equal(its_place, body + 1);
                           const auto near = ((r.x * r.x + r.y * r.y) + r.z * r.z) - height * height <= P(reach);
                           visit(j, simd::first_lanes<P>(count) & same_body & near, its_place);
                       });
    };
    simd::for_each<Real>(
        parallel, fluid.rows(), [&]<class P>(simd::Use<P> use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            share_[i] = 0;
            if (place_[i] == nowhere) return;
            const Wall& wall = *nearest_of(walls.row(i));
            const Real first_place = 2 * static_cast<Real>(wall.body) + 1;
            int first = place_[i] == first_place ? 1 : 0;
            for_each_in_patch(use, i, wall,
                              [&](const std::uint32_t*, const auto& patch, const P& its) TREACLE_SIMD_INLINE_LAMBDA {
                                  first += (patch & equal(its, P(first_place))).count();
                              });
            if (first > 0)
                share_[i] =
                    dot(wall_displacement[i].xyz(), cast<Real>(wall.normal)) / (static_cast<Real>(first) * dt * dt);
        });
    const Real fraction = std::min(Real(1), dt / settings.time);
    simd::for_each<Real>(
        parallel, fluid.rows(), [&]<class P>(simd::Use<P> use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const Wall* wall = place_[i] == nowhere ? nullptr : nearest_of(walls.row(i));
            if (!in_first_layer(wall)) {
                pressed[i] = 0;
                return;
            }
            P sum;
            for_each_in_patch(use, i, *wall,
                              [&](const std::uint32_t* j, const auto& patch, const P&) TREACLE_SIMD_INLINE_LAMBDA {
                                  sum += select(patch, simd::load_lanes<P>(share_.data(), j), P(0));
                              });
            pressed[i] += fraction * (share_[i] + sum_of_lanes(sum) - pressed[i]);
        });
}

template class WallLoad<Space2f>;
template class WallLoad<Space3f>;
template class WallLoad<Space2d>;
template class WallLoad<Space3d>;

}  // namespace treacle
