#include "blocks/pressure/double_density.h"

#include <algorithm>
#include <cassert>

#include "blocks/motion.h"
#include "blocks/pair.h"
#include "blocks/pair_pack.h"
#include "blocks/solids/body_loads.h"
#include "core/promises.h"

namespace treacle {

template <class S>
auto DoubleDensity<S>::pressures(Real density, Real near_density, Material m) const -> Pressures {
    const Real pressure = std::max(m.stiffness * (density - m.rest_density), m.lowest_pressure);
    return {pressure, m.near_stiffness * (as_printed ? pressure : near_density)};
}

template <class S>
auto DoubleDensity<S>::densities(std::size_t i, const FluidView<S>& fluid, const Neighbors<S>& neighbors) const
    -> Densities {
    Densities sum{0, 0};
    for_each_pair<S>(i, neighbors.row(i), fluid.position, fluid.id, support_radius, [&](const Pair<S>& pair) {
        const Real w = 1 - pair.q;
        sum.density += w * w;
        sum.near_density += w * w * w;
    });
    add_walls(walls_.row(i), sum);
    return sum;
}

template <class S>
void DoubleDensity<S>::add_walls(std::span<const Wall> walls, Densities& sum) const {
    if (!half_space || walls.empty()) return;
    const FreeShares free = free_shares(walls);
    sum.density += static_cast<Real>(half_space->whole_density() * (1 - free.density));
    sum.near_density += static_cast<Real>(half_space->whole_near_density() * (1 - free.near_density));
}

template <class S>
auto DoubleDensity<S>::free_shares(std::span<const Wall> walls) const -> FreeShares {
    FreeShares free;
    for (const Wall& wall : walls) {
        const HalfSpaceSums behind = half_space->at(wall.distance);
        free.density *= 1 - behind.density / half_space->whole_density();
        free.near_density *= 1 - behind.near_density / half_space->whole_near_density();
    }
    return free;
}

template <class S>
template <class Visit>
auto DoubleDensity<S>::for_each_push(std::size_t i, const FluidView<S>& fluid, const Fields& fields, Real dt,
                                     const Visit& visit) const -> Real {
    if (!half_space) return 0;
    const std::span<const Wall> walls = walls_.row(i);
    const Material& m = materials[fluid.material[i]];
    const FreeShares free = free_shares(walls);
    const Real load = fields.pressure[i] - m.pressure_at_rest;
    const Real near_load = fields.near_pressure[i] - m.near_pressure_at_rest;
    const bool pulls = fields.lets_go.empty() || fields.lets_go[i] == 0;
    const Real half_square = Real(0.5) * dt * dt;
    Real withheld = 0;
    for (const Wall& wall : walls) {
        const HalfSpaceSums behind = half_space->at(wall.distance);
        // The share that the other walls leave free; a wall never takes more than half, so the division is safe.
        const double others = free.density / (1 - behind.density / half_space->whole_density());
        const double others_near = free.near_density / (1 - behind.near_density / half_space->whole_near_density());
        Real strength = load * static_cast<Real>(behind.push * others) +
                        near_load * static_cast<Real>(behind.near_push * others_near);
        if (strength < 0) {
            if (!pulls) withheld += half_square * strength;
            strength *= static_cast<Real>((pulls ? 1 : 0) + wall.adhesion);
        }
        visit(wall, (half_square * strength) * cast<Real>(wall.normal));
    }
    return withheld;
}

/// Of all walls together; notes what was withheld.
template <class S>
auto DoubleDensity<S>::wall_push(std::size_t i, const FluidView<S>& fluid, const Fields& fields, Real dt) const ->
    typename S::Vec {
    typename S::Vec sum{};
    const Real withheld = for_each_push(i, fluid, fields, dt, [&](const Wall&, typename S::Vec push) { sum += push; });
    if (!fields.withheld.empty()) fields.withheld[i] = withheld;
    return sum;
}

template <class S>
void DoubleDensity<S>::relax(const FluidView<S>& fluid, const BlockContext<S>& context, const Cohesion<S>& cohesion,
                             const Fields& fields, std::span<Row> displacement, std::span<Row> wall_displacement) {
    assert(promises::sized(fluid.size(), fluid.velocity, displacement, wall_displacement) && context.dt > 0);
    const auto stage = context.timer.stage("double density");
    if (sequential) {
        if (cohesion.active()) {
            std::fill(displacement.begin(), displacement.end(), Row{});
            cohesion.gather(fluid, context, displacement);
            displace<S>(fluid, context, displacement);
        }
        sweep(fluid, context, fields, displacement, wall_displacement);
        press_bodies(fluid, context, fields);
        displace_velocity<S>(fluid, context, displacement);
    } else {
        measure(fluid, context, fields);
        gather(fluid, context, fields, displacement, wall_displacement);
        cohesion.gather(fluid, context, displacement);
        press_bodies(fluid, context, fields);
        displace<S>(fluid, context, displacement);
    }
}

template <class S>
void DoubleDensity<S>::press_bodies(const FluidView<S>& fluid, const BlockContext<S>& context,
                                    const Fields& fields) const {
    assert(promises::sized(fluid.size(), walls_, fluid.mass, fluid.material, fields.pressure, fields.near_pressure));
    assert(promises::within(materials.size(), fluid.material) && walls_.of_bodies(context.bodies.size()));
    assert(promises::finite(fluid.position) && promises::positive(fluid.mass) && context.dt > 0);
    const Real dt = static_cast<Real>(context.dt);
    Bodies& bodies = context.bodies;
    push_bodies(fluid.rows(), static_cast<double>(dt), context.parallel, bodies, [&](std::size_t i, BodyLoads& loads) {
        if (walls_.row(i).empty()) return;
        const double momentum = static_cast<double>(fluid.mass[i] / dt);  // of a displacement
        for_each_push(i, fluid, fields, dt, [&](const Wall& wall, typename S::Vec push) {
            loads.add(wall.body, bodies[wall.body], cast<double>(fluid.position[i].xyz()),
                      -momentum * cast<double>(push));
        });
    });
}

template <class S>
void DoubleDensity<S>::measure(const FluidView<S>& fluid, const BlockContext<S>& context, const Fields& fields) {
    assert(promises::rows_within(fluid.size(), context.neighbors));
    assert(promises::reaching(support_radius, context.neighbors) && promises::finite(fluid.position));
    assert(promises::sized(fluid.size(), fluid.id, fluid.material, fields.number_density, fields.pressure,
                           fields.near_pressure));
    assert(promises::within(materials.size(), fluid.material));
    walls_.update(fluid.position, context.bodies, static_cast<double>(support_radius), context.parallel);
    const auto position = fluid.position;
    simd::for_each<Real>(context.parallel, fluid.rows(),
                         [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                             P density, near_density;
                             for_each_pair_pack<S, P>(i, context.neighbors.row(i), position, fluid.id, support_radius,
                                                      [&](const PairPack<S, P>& pair) TREACLE_SIMD_INLINE_LAMBDA {
                                                          const P w = 1 - pair.q;
                                                          density += w * w;
                                                          near_density += w * w * w;
                                                      });
                             Densities sum{sum_of_lanes(density), sum_of_lanes(near_density)};
                             if (!walls_.row(i).empty()) add_walls(walls_.row(i), sum);
                             const Pressures p = pressures(sum.density, sum.near_density, materials[fluid.material[i]]);
                             fields.number_density[i] = sum.density;
                             fields.pressure[i] = p.pressure;
                             fields.near_pressure[i] = p.near_pressure;
                         });
}

template <class S>
void DoubleDensity<S>::gather(const FluidView<S>& fluid, const BlockContext<S>& context, const Fields& fields,
                              std::span<Row> displacement, std::span<Row> wall_displacement) const {
    assert(promises::sized(fluid.size(), context.neighbors, walls_, fluid.mass, fluid.id, fluid.material));
    assert(promises::sized(fluid.size(), fields.pressure, fields.near_pressure, displacement, wall_displacement));
    assert(promises::within(materials.size(), fluid.material) && promises::finite(fluid.position));
    assert(promises::positive(fluid.mass) && context.dt > 0);
    const Real dt = static_cast<Real>(context.dt);
    const auto position = fluid.position;
    const auto pressure = fields.pressure, near_pressure = fields.near_pressure;
    const MassShares<Real> shares(fluid.mass);
    simd::for_each<Real>(
        context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            Vec3<P> sum{};
            for_each_pair_pack<S, P>(
                i, context.neighbors.row(i), position, fluid.id, support_radius,
                [&](const PairPack<S, P>& pair) TREACLE_SIMD_INLINE_LAMBDA {
                    const P w = 1 - pair.q;
                    const P both = P(pressure[i]) + simd::load_lanes<P>(pressure.data(), pair.j);
                    const P both_near = P(near_pressure[i]) + simd::load_lanes<P>(near_pressure.data(), pair.j);
                    sum -= (shares.template of<P>(i, pair.j) * (both * w + both_near * w * w)) * pair.direction();
                });
            typename S::Vec push{};
            if (!walls_.row(i).empty()) push = wall_push(i, fluid, fields, dt);
            displacement[i] = (dt * dt) * sum_of_lanes(sum) + push;
            wall_displacement[i] = push;
        });
}

template <class S>
void DoubleDensity<S>::sweep(const FluidView<S>& fluid, const BlockContext<S>& context, const Fields& fields,
                             std::span<Row> displacement, std::span<Row> wall_displacement) {
    assert(promises::rows_within(fluid.size(), context.neighbors) && promises::finite(fluid.position));
    assert(promises::sized(fluid.size(), fluid.mass, fluid.id, fluid.material, displacement, wall_displacement));
    assert(promises::sized(fluid.size(), fields.number_density, fields.pressure, fields.near_pressure));
    assert(promises::within(materials.size(), fluid.material) && promises::positive(fluid.mass) && context.dt > 0);
    walls_.update(fluid.position, context.bodies, static_cast<double>(support_radius), context.parallel);
    const Real dt = static_cast<Real>(context.dt);
    const auto mass = fluid.mass;
    std::fill(displacement.begin(), displacement.end(), Row{});
    const auto move = [&](std::size_t i, typename S::Vec d) {
        fluid.position[i] = fluid.position[i].xyz() + d;
        displacement[i] = displacement[i].xyz() + d;
    };
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        const Densities sum = densities(i, fluid, context.neighbors);
        const Pressures p = pressures(sum.density, sum.near_density, materials[fluid.material[i]]);
        fields.number_density[i] = sum.density;
        fields.pressure[i] = p.pressure;
        fields.near_pressure[i] = p.near_pressure;
        typename S::Vec own{};
        const auto row = context.neighbors.row(i);
        for_each_pair<S>(i, row, fluid.position, fluid.id, support_radius, [&](const Pair<S>& pair) {
            const Real w = 1 - pair.q;
            const auto d = (dt * dt * (p.pressure * w + p.near_pressure * w * w)) * pair.direction;
            move(pair.j, share_of(mass[pair.j], mass[i]) * d);
            own -= share_of(mass[i], mass[pair.j]) * d;
        });
        typename S::Vec push{};
        if (!walls_.row(i).empty()) push = wall_push(i, fluid, fields, dt);
        wall_displacement[i] = push;
        move(i, own + push);
    }
}

template <class S>
Compression DoubleDensity<S>::gauge_density(const FluidView<S>& fluid, const BlockContext<S>& context,
                                            std::span<const Real> number_density) const {
    assert(promises::sized(fluid.size(), fluid.density, fluid.material, number_density));
    assert(promises::within(materials.size(), fluid.material));
    const auto stage = context.timer.stage("double density");
    const double gauge = 1 / (1 + packing_density);
    const auto ratio = [&](std::size_t i) { return (1 + static_cast<double>(number_density[i])) * gauge; };
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        fluid.density[i] = static_cast<Real>(materials[fluid.material[i]].density * ratio(i));
    });
    return measure_compression(fluid.rows(), context.parallel, ratio);
}

template class DoubleDensity<Space2f>;
template class DoubleDensity<Space3f>;
template class DoubleDensity<Space2d>;
template class DoubleDensity<Space3d>;

}  // namespace treacle
