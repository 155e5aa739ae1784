#include "blocks/elastic/plastic_springs.h"

#include <algorithm>
#include <utility>

#include "blocks/pair.h"
#include "math/reproducible.h"

namespace treacle {

template <class S>
bool PlasticSprings<S>::active() const {
    return std::any_of(materials.begin(), materials.end(), [](const Material& m) { return m.stiffness > 0; });
}

template <class S>
auto PlasticSprings<S>::crept(Real rest_length, Real length, Material c, Real dt) const -> Real {
    const bool stretched = length > rest_length * (1 + c.yield_stretch);
    const bool compressed = length < rest_length * (1 - c.yield_compress);
    if (!stretched && !compressed) return rest_length;
    // dL/dt = α (r - (1±γ) L): L tends to r/(1±γ) at the rate α (1±γ).
    const Real factor = stretched ? 1 + c.yield_stretch : 1 - c.yield_compress;
    if (as_printed) return rest_length + dt * (length - factor * rest_length);
    const Real share = reproducible::quick_one_minus_exp_minus(c.creep_rate * factor * dt);
    return std::max(rest_length + share * (length / factor - rest_length), smallest_length);
}

template <class S>
void PlasticSprings<S>::adjust(ConnectionGraph& connections, std::span<const typename S::Row> position,
                               std::span<const std::uint8_t> material, Real dt, const Parallel& parallel) const {
    const auto others = connections.others();
    const auto rest = connections.values<Real>("rest_length");
    parallel.for_each(position.size(), [&](std::size_t i) {
        const std::size_t end = connections.begin(i) + connections.count(i);
        for (std::size_t slot = connections.begin(i); slot < end; ++slot) {
            const std::uint32_t j = others[slot];
            const Real distance = length(position[j].xyz() - position[i].xyz());
            rest[slot] = crept(rest[slot], distance, between(material[i], material[j]), dt);
        }
    });
}

template <class S>
void PlasticSprings<S>::renew(ConnectionGraph& connections, const Neighbors<S>& neighbors,
                              std::span<const typename S::Row> position, std::span<const std::uint8_t> material,
                              bool at_start, const Parallel& parallel) const {
    const Real h = support_radius;
    connections.rewrite(parallel, [&](std::size_t i, ConnectionGraph::RowDraft& row) {
        // Asked for here, not outside: rows that outgrow their room move.
        const auto others = connections.others().subspan(connections.begin(i), connections.count(i));
        const auto rest = std::as_const(connections).template values<Real>("rest_length");
        const auto x_i = position[i].xyz();
        for (std::size_t n = 0; n < others.size(); ++n) {
            const std::size_t slot = connections.begin(i) + n;
            const Real distance = length(position[others[n]].xyz() - x_i);
            if (rest[slot] <= h && distance <= break_length) row.keep(slot);
        }
        for (const std::uint32_t j : neighbors.row(i)) {
            const Real distance = length(position[j].xyz() - x_i);
            const Material& a = materials[material[i]];
            const Material& b = materials[material[j]];
            if (!(distance < h) || !(a.stiffness + b.stiffness > 0)) continue;
            if (!at_start && !(a.renews && b.renews)) continue;
            if (std::find(others.begin(), others.end(), j) != others.end()) continue;
            row.add(j, start_at_support_radius ? h : std::max(distance, smallest_length));
        }
    });
}

template <class S>
auto PlasticSprings<S>::displacement_of(Real stiffness, Real rest_length, typename S::Vec r, std::uint32_t id_i,
                                        std::uint32_t id_j, Real dt) const -> typename S::Vec {
    const Real distance = length(r);
    const auto direction = distance > 0 ? r / distance : direction_from_ids<S>(id_i, id_j);
    const Real fade = 1 - (as_printed ? distance : rest_length) / support_radius;
    return (dt * dt * stiffness * fade * (rest_length - distance)) * direction;
}

template <class S>
void PlasticSprings<S>::gather(const ConnectionGraph& connections, std::span<const typename S::Row> position,
                               std::span<const Real> mass, std::span<const std::uint32_t> id,
                               std::span<const std::uint8_t> material, Real dt, const Parallel& parallel,
                               std::span<typename S::Row> displacement) const {
    const auto others = connections.others();
    const auto rest = connections.values<Real>("rest_length");
    parallel.for_each(position.size(), [&](std::size_t i) {
        typename S::Vec sum{};
        const std::size_t end = connections.begin(i) + connections.count(i);
        for (std::size_t slot = connections.begin(i); slot < end; ++slot) {
            const std::uint32_t j = others[slot];
            const Real stiffness = between(material[i], material[j]).stiffness;
            const auto r = position[j].xyz() - position[i].xyz();
            sum -= share_of(mass[i], mass[j]) * displacement_of(stiffness, rest[slot], r, id[i], id[j], dt);
        }
        displacement[i] = sum;
    });
}

template <class S>
void PlasticSprings<S>::sweep(const ConnectionGraph& connections, std::span<const Real> mass,
                              std::span<const std::uint32_t> id, std::span<const std::uint8_t> material, Real dt,
                              std::span<typename S::Row> position, std::span<typename S::Row> displacement) const {
    const auto others = connections.others();
    const auto rest = connections.values<Real>("rest_length");
    std::fill(displacement.begin(), displacement.end(), typename S::Row{});
    const auto move = [&](std::size_t i, typename S::Vec d) {
        position[i] = position[i].xyz() + d;
        displacement[i] = displacement[i].xyz() + d;
    };
    for (std::size_t i = 0; i < position.size(); ++i) {
        const std::size_t end = connections.begin(i) + connections.count(i);
        for (std::size_t slot = connections.begin(i); slot < end; ++slot) {
            const std::uint32_t j = others[slot];
            if (j < i) continue;   // every spring once
            const Real stiffness = between(material[i], material[j]).stiffness;
            const auto r = position[j].xyz() - position[i].xyz();
            const auto d = displacement_of(stiffness, rest[slot], r, id[i], id[j], dt);
            move(i, -share_of(mass[i], mass[j]) * d);
            move(j, share_of(mass[j], mass[i]) * d);
        }
    }
}

template struct PlasticSprings<Space2f>;
template struct PlasticSprings<Space3f>;
template struct PlasticSprings<Space2d>;
template struct PlasticSprings<Space3d>;

}  // namespace treacle
