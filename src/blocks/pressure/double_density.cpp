#include "blocks/pressure/double_density.h"

#include <algorithm>

#include "blocks/pair.h"

namespace treacle {

template <class S>
auto DoubleDensity<S>::pressures(Real density, Real near_density, Material m) const -> Pressures {
    const Real pressure = std::max(m.stiffness * (density - m.rest_density), m.lowest_pressure);
    return {pressure, m.near_stiffness * (as_printed ? pressure : near_density)};
}

template <class S>
auto DoubleDensity<S>::densities(std::size_t i, const Neighbors<S>& neighbors, std::span<const Wall> walls,
                                 std::span<const typename S::Row> position,
                                 std::span<const std::uint32_t> id) const -> Densities {
    Densities sum{0, 0};
    for_each_pair<S>(i, neighbors.row(i), position, id, support_radius, [&](const Pair<S>& pair) {
        const Real w = 1 - pair.q;
        sum.density += w * w;
        sum.near_density += w * w * w;
    });
    if (half_space && !walls.empty()) {
        const FreeShares free = free_shares(walls);
        sum.density += static_cast<Real>(half_space->whole_density() * (1 - free.density));
        sum.near_density += static_cast<Real>(half_space->whole_near_density() * (1 - free.near_density));
    }
    return sum;
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
auto DoubleDensity<S>::wall_push(std::span<const Wall> walls, Pressures p, Real dt) const -> typename S::Vec {
    typename S::Vec push{};
    if (!half_space || walls.empty()) return push;
    const FreeShares free = free_shares(walls);
    for (const Wall& wall : walls) {
        const HalfSpaceSums behind = half_space->at(wall.distance);
        // What the other walls leave free; a wall never takes more than half, so the division is safe.
        const double others = free.density / (1 - behind.density / half_space->whole_density());
        const double others_near = free.near_density / (1 - behind.near_density / half_space->whole_near_density());
        const Real strength = p.pressure * static_cast<Real>(behind.push * others) +
                              p.near_pressure * static_cast<Real>(behind.near_push * others_near);
        push += (Real(0.5) * dt * dt * strength) * cast<Real>(wall.normal);
    }
    return push;
}

template <class S>
void DoubleDensity<S>::measure(const Neighbors<S>& neighbors, const WallRows<S>& walls,
                               std::span<const typename S::Row> position, std::span<const std::uint32_t> id,
                               std::span<const std::uint8_t> material, const Parallel& parallel,
                               std::span<Real> number_density, std::span<Real> pressure,
                               std::span<Real> near_pressure) const {
    parallel.for_each(position.size(), [&](std::size_t i) {
        const Densities sum = densities(i, neighbors, walls.row(i), position, id);
        const Pressures p = pressures(sum.density, sum.near_density, materials[material[i]]);
        number_density[i] = sum.density;
        pressure[i] = p.pressure;
        near_pressure[i] = p.near_pressure;
    });
}

template <class S>
void DoubleDensity<S>::gather(const Neighbors<S>& neighbors, const WallRows<S>& walls,
                              std::span<const typename S::Row> position, std::span<const Real> mass,
                              std::span<const std::uint32_t> id, std::span<const Real> pressure,
                              std::span<const Real> near_pressure, Real dt, const Parallel& parallel,
                              std::span<typename S::Row> displacement,
                              std::span<typename S::Row> wall_displacement) const {
    parallel.for_each(position.size(), [&](std::size_t i) {
        typename S::Vec sum{};
        for_each_pair<S>(i, neighbors.row(i), position, id, support_radius, [&](const Pair<S>& pair) {
            const Real w = 1 - pair.q;
            const Real both = (pressure[i] + pressure[pair.j]) * w + (near_pressure[i] + near_pressure[pair.j]) * w * w;
            sum -= (share_of(mass[i], mass[pair.j]) * both) * pair.direction;
        });
        const auto push = wall_push(walls.row(i), {pressure[i], near_pressure[i]}, dt);
        displacement[i] = (dt * dt) * sum + push;
        wall_displacement[i] = push;
    });
}

template <class S>
void DoubleDensity<S>::sweep(const Neighbors<S>& neighbors, const WallRows<S>& walls, std::span<const Real> mass,
                             std::span<const std::uint32_t> id, std::span<const std::uint8_t> material, Real dt,
                             std::span<typename S::Row> position, std::span<typename S::Row> displacement,
                             std::span<typename S::Row> wall_displacement, std::span<Real> number_density) const {
    std::fill(displacement.begin(), displacement.end(), typename S::Row{});
    const auto move = [&](std::size_t i, typename S::Vec d) {
        position[i] = position[i].xyz() + d;
        displacement[i] = displacement[i].xyz() + d;
    };
    for (std::size_t i = 0; i < position.size(); ++i) {
        const Densities sum = densities(i, neighbors, walls.row(i), position, id);
        const Pressures p = pressures(sum.density, sum.near_density, materials[material[i]]);
        number_density[i] = sum.density;
        typename S::Vec own{};
        for_each_pair<S>(i, neighbors.row(i), position, id, support_radius, [&](const Pair<S>& pair) {
            const Real w = 1 - pair.q;
            const auto d = (dt * dt * (p.pressure * w + p.near_pressure * w * w)) * pair.direction;
            move(pair.j, share_of(mass[pair.j], mass[i]) * d);
            own -= share_of(mass[i], mass[pair.j]) * d;
        });
        const auto push = wall_push(walls.row(i), p, dt);
        wall_displacement[i] = push;
        move(i, own + push);
    }
}

template struct DoubleDensity<Space2f>;
template struct DoubleDensity<Space3f>;
template struct DoubleDensity<Space2d>;
template struct DoubleDensity<Space3d>;

}  // namespace treacle
