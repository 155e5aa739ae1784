#include "blocks/pressure/double_density.h"

#include <algorithm>
#include <cassert>

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
auto DoubleDensity<S>::densities(std::size_t i, const Neighbors<S>& neighbors, std::span<const Wall> walls,
                                 std::span<const typename S::Row> position, std::span<const std::uint32_t> id) const
    -> Densities {
    Densities sum{0, 0};
    for_each_pair<S>(i, neighbors.row(i), position, id, support_radius, [&](const Pair<S>& pair) {
        const Real w = 1 - pair.q;
        sum.density += w * w;
        sum.near_density += w * w * w;
    });
    add_walls(walls, sum);
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
void DoubleDensity<S>::for_each_push(std::span<const Wall> walls, Pressures p, const Material& m, Real dt,
                                     const Visit& visit) const {
    if (!half_space) return;
    const FreeShares free = free_shares(walls);
    const Real load = p.pressure - m.pressure_at_rest, near_load = p.near_pressure - m.near_pressure_at_rest;
    for (const Wall& wall : walls) {
        const HalfSpaceSums behind = half_space->at(wall.distance);
        // What the other walls leave free; a wall never takes more than half, so the division is safe.
        const double others = free.density / (1 - behind.density / half_space->whole_density());
        const double others_near = free.near_density / (1 - behind.near_density / half_space->whole_near_density());
        Real strength = load * static_cast<Real>(behind.push * others) +
                        near_load * static_cast<Real>(behind.near_push * others_near);
        if (strength < 0) strength *= 1 + static_cast<Real>(wall.adhesion);
        visit(wall, (Real(0.5) * dt * dt * strength) * cast<Real>(wall.normal));
    }
}

template <class S>
auto DoubleDensity<S>::wall_push(std::span<const Wall> walls, Pressures p, const Material& m, Real dt) const ->
    typename S::Vec {
    typename S::Vec sum{};
    for_each_push(walls, p, m, dt, [&](const Wall&, typename S::Vec push) { sum += push; });
    return sum;
}

template <class S>
void DoubleDensity<S>::press(const WallRows<S>& walls, std::span<const typename S::Row> position,
                             std::span<const Real> mass, std::span<const std::uint8_t> material,
                             std::span<const Real> pressure, std::span<const Real> near_pressure, Real dt,
                             const Parallel& parallel, Bodies& bodies) const {
    assert(promises::sized(walls.size(), position, mass, material, pressure, near_pressure));
    assert(promises::within(materials.size(), material) && walls.of_bodies(bodies.size()));
    assert(promises::finite(position) && promises::positive(mass) && dt > 0);
    push_bodies(Rows::of(position.size()), static_cast<double>(dt), parallel, bodies,
                [&](std::size_t i, BodyLoads& loads) {
                    if (walls.row(i).empty()) return;
                    const double momentum = static_cast<double>(mass[i] / dt);  // of a displacement
                    for_each_push(walls.row(i), {pressure[i], near_pressure[i]}, materials[material[i]], dt,
                                  [&](const Wall& wall, typename S::Vec push) {
                                      loads.add(wall.body, bodies[wall.body], cast<double>(position[i].xyz()),
                                                -momentum * cast<double>(push));
                                  });
                });
}

template <class S>
void DoubleDensity<S>::measure(const Neighbors<S>& neighbors, const WallRows<S>& walls,
                               std::span<const typename S::Row> position, std::span<const std::uint32_t> id,
                               std::span<const std::uint8_t> material, const Parallel& parallel,
                               std::span<Real> number_density, std::span<Real> pressure,
                               std::span<Real> near_pressure) const {
    assert(promises::rows_within(position.size(), neighbors) && promises::reaching(support_radius, neighbors));
    assert(promises::sized(position.size(), walls, id, material, number_density, pressure, near_pressure));
    assert(promises::within(materials.size(), material) && promises::finite(position));
    simd::for_each<Real>(parallel, position.size(),
                         [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                             P density, near_density;
                             for_each_pair_pack<S, P>(i, neighbors.row(i), position, id, support_radius,
                                                      [&](const PairPack<S, P>& pair) TREACLE_SIMD_INLINE_LAMBDA {
                                                          const P w = 1 - pair.q;
                                                          density += w * w;
                                                          near_density += w * w * w;
                                                      });
                             Densities sum{sum_of_lanes(density), sum_of_lanes(near_density)};
                             if (!walls.row(i).empty()) add_walls(walls.row(i), sum);
                             const Pressures p = pressures(sum.density, sum.near_density, materials[material[i]]);
                             number_density[i] = sum.density;
                             pressure[i] = p.pressure;
                             near_pressure[i] = p.near_pressure;
                         });
}

template <class S>
void DoubleDensity<S>::gather(const Neighbors<S>& neighbors, const WallRows<S>& walls,
                              std::span<const typename S::Row> position, std::span<const Real> mass,
                              std::span<const std::uint32_t> id, std::span<const std::uint8_t> material,
                              std::span<const Real> pressure, std::span<const Real> near_pressure, Real dt,
                              const Parallel& parallel, std::span<typename S::Row> displacement,
                              std::span<typename S::Row> wall_displacement) const {
    assert(promises::sized(neighbors.size(), walls, position, mass, id, material, pressure, near_pressure));
    assert(promises::sized(neighbors.size(), displacement, wall_displacement) && dt > 0);
    assert(promises::within(materials.size(), material) && promises::finite(position) && promises::positive(mass));
    const MassShares<Real> shares(mass);
    simd::for_each<Real>(
        parallel, position.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            Vec3<P> sum{};
            for_each_pair_pack<S, P>(
                i, neighbors.row(i), position, id, support_radius,
                [&](const PairPack<S, P>& pair) TREACLE_SIMD_INLINE_LAMBDA {
                    const P w = 1 - pair.q;
                    const P both = P(pressure[i]) + simd::load_lanes<P>(pressure.data(), pair.j);
                    const P both_near = P(near_pressure[i]) + simd::load_lanes<P>(near_pressure.data(), pair.j);
                    sum -= (shares.template of<P>(i, pair.j) * (both * w + both_near * w * w)) * pair.direction();
                });
            typename S::Vec push{};
            if (!walls.row(i).empty()) {
                push = wall_push(walls.row(i), {pressure[i], near_pressure[i]}, materials[material[i]], dt);
            }
            displacement[i] = (dt * dt) * sum_of_lanes(sum) + push;
            wall_displacement[i] = push;
        });
}

template <class S>
void DoubleDensity<S>::sweep(const Neighbors<S>& neighbors, const WallRows<S>& walls, std::span<const Real> mass,
                             std::span<const std::uint32_t> id, std::span<const std::uint8_t> material, Real dt,
                             std::span<typename S::Row> position, std::span<typename S::Row> displacement,
                             std::span<typename S::Row> wall_displacement, std::span<Real> number_density,
                             std::span<Real> pressure, std::span<Real> near_pressure) const {
    assert(promises::rows_within(position.size(), neighbors) && promises::within(materials.size(), material));
    assert(promises::sized(position.size(), walls, mass, id, material, displacement, wall_displacement));
    assert(promises::sized(position.size(), number_density, pressure, near_pressure));
    assert(promises::finite(position) && promises::positive(mass) && dt > 0);
    std::fill(displacement.begin(), displacement.end(), typename S::Row{});
    const auto move = [&](std::size_t i, typename S::Vec d) {
        position[i] = position[i].xyz() + d;
        displacement[i] = displacement[i].xyz() + d;
    };
    for (std::size_t i = 0; i < position.size(); ++i) {
        const Densities sum = densities(i, neighbors, walls.row(i), position, id);
        const Pressures p = pressures(sum.density, sum.near_density, materials[material[i]]);
        number_density[i] = sum.density;
        pressure[i] = p.pressure;
        near_pressure[i] = p.near_pressure;
        typename S::Vec own{};
        for_each_pair<S>(i, neighbors.row(i), position, id, support_radius, [&](const Pair<S>& pair) {
            const Real w = 1 - pair.q;
            const auto d = (dt * dt * (p.pressure * w + p.near_pressure * w * w)) * pair.direction;
            move(pair.j, share_of(mass[pair.j], mass[i]) * d);
            own -= share_of(mass[i], mass[pair.j]) * d;
        });
        typename S::Vec push{};
        if (!walls.row(i).empty()) push = wall_push(walls.row(i), p, materials[material[i]], dt);
        wall_displacement[i] = push;
        move(i, own + push);
    }
}

template struct DoubleDensity<Space2f>;
template struct DoubleDensity<Space3f>;
template struct DoubleDensity<Space2d>;
template struct DoubleDensity<Space3d>;

}  // namespace treacle
