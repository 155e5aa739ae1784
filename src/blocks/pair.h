#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "math/space.h"
#include "neighbors/neighbors.h"

namespace treacle {

/// Direction for two particles at the same place: any will do, as long as it depends on the two ids alone, is
/// opposite for the other one, and has no preferred axis.
template <class S>
typename S::Vec direction_from_ids(std::uint32_t id_i, std::uint32_t id_j) {
    using Real = typename S::Real;
    const std::uint32_t low = id_i < id_j ? id_i : id_j;
    const std::uint32_t high = id_i < id_j ? id_j : id_i;
    std::uint64_t h = (static_cast<std::uint64_t>(high) << 32 | low) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
    const auto component = [&](int shift) {  // -1 … 1, never exactly 0
        return (static_cast<Real>((h >> shift) & 0xFFFF) - Real(32767.5)) / Real(32767.5);
    };
    typename S::Vec d{component(0), component(16), S::dim == 3 ? component(32) : Real(0)};
    d = d / length(d);
    return id_i < id_j ? d : -d;
}

/// A neighbor within the support radius as particle i sees it.
template <class S>
struct Pair {
    std::uint32_t j;
    typename S::Real distance;
    typename S::Real q;         ///< distance / support radius, below 1
    typename S::Vec direction;  ///< unit vector from i to j
};

/// visit(Pair) for every j of a row that lies within the support radius h, in row order. Everything it passes is
/// bitwise symmetric in i and j, the direction exactly opposite.
template <class S, class Visit>
void for_each_pair(std::size_t i, std::span<const std::uint32_t> row, std::span<const typename S::Row> position,
                   std::span<const std::uint32_t> id, typename S::Real h, const Visit& visit) {
    using Real = typename S::Real;
    const auto x_i = position[i].xyz();
    for (const std::uint32_t j : row) {
        const auto r = position[j].xyz() - x_i;
        const Real square = dot(r, r);
        if (!(square < h * h)) continue;
        const Real distance = std::sqrt(square);
        const Real q = distance / h;
        if (!(q < 1)) continue;
        const auto direction = distance > 0 ? r / distance : direction_from_ids<S>(id[i], id[j]);
        visit(Pair<S>{j, distance, q, direction});
    }
}

/// Share of a pair's relative displacement or impulse that i takes: one half for equal masses. Heavier moves less.
template <class Real>
Real share_of(Real mass_i, Real mass_j) {
    return mass_j / (mass_i + mass_j);
}

}  // namespace treacle
