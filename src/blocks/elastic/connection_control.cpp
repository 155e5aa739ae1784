#include "blocks/elastic/connection_control.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "blocks/elastic/row_set.h"
#include "blocks/pair_pack.h"
#include "core/promises.h"

namespace treacle {

namespace {

/// A distance just below the given one: pairs of a lattice that stand exactly there are left out, whatever the
/// rounding.
constexpr double just_below = 1 - 1e-4;

}  // namespace

template <class S>
auto ConnectionControl<S>::reach(const FluidView<S>& fluid, const Varying* varying, const Births& births, std::size_t i,
                                 std::size_t j) const -> Real {
    const Material& a = materials[fluid.material[i]];
    const Material& b = materials[fluid.material[j]];
    const bool same = fluid.fluid[i] == fluid.fluid[j];
    if (births[i] || births[j]) {
        if (newcomers_among_themselves && (!births[i] || !births[j])) return 0;
        const Real sum = varying ? varying->first_connect_distance[i] + varying->first_connect_distance[j]
                                 : a.first_connect_distance + b.first_connect_distance;
        return same ? Real(0.5 * just_below) * sum : Real(0);
    }
    const bool within = (a.connects_within && b.connects_within) || (varying && varying->melted(i, j));
    if (!(same ? within : a.connects_between && b.connects_between)) return 0;
    const Real sum =
        varying ? varying->connect_distance[i] + varying->connect_distance[j] : a.connect_distance + b.connect_distance;
    return Real(0.5 * just_below) * sum;
}

template <class S>
bool ConnectionControl<S>::holds(const FluidView<S>& fluid, const Varying* varying, std::size_t i, std::size_t j,
                                 Real distance, Real rest_length) const {
    const Material& a = materials[fluid.material[i]];
    const Material& b = materials[fluid.material[j]];
    if (varying && varying->melted(i, j))
        return distance <= Real(0.5) * (varying->connect_distance[i] + varying->connect_distance[j]);
    return distance <= Real(0.5) * (a.break_distance + b.break_distance) &&
           distance <= Real(0.5) * (a.break_stretch + b.break_stretch) * rest_length;
}

/// Rows that update() would change. Most stay as they are, and finding out is much cheaper than writing them again.
template <class S>
std::vector<std::uint8_t> ConnectionControl<S>::outdated_rows(const FluidView<S>& fluid, const BlockContext<S>& context,
                                                              const ElasticLinks<S>& links,
                                                              const Births& births) const {
    const ConnectionGraph& connections = links.connections;
    const auto others = connections.others();
    const auto rest = connections.values<Real>("rest_length");
    Real shortest_hold = std::numeric_limits<Real>::infinity(), least_stretch = shortest_hold, longest_reach = 0;
    // A single fluid that makes no connections within itself need not be asked for any.
    const bool several =
        std::any_of(fluid.fluid.begin(), fluid.fluid.end(), [&](std::uint32_t f) { return f != fluid.fluid.front(); });
    bool connects = births.any();
    for (const Material& m : materials) {
        shortest_hold = std::min(shortest_hold, m.break_distance);
        least_stretch = std::min(least_stretch, m.break_stretch);
        longest_reach = std::max({longest_reach, m.connect_distance, m.first_connect_distance});
        connects |= m.connects_within || (several && m.connects_between);
    }
    if (links.varying) {
        connects = true;
        for (const Real distance : links.varying->connect_distance) shortest_hold = std::min(shortest_hold, distance);
    }
    // Whatever is connected and nearer than this is a neighbor, and whatever may get connected is nearer. So if as many
    // are neighbors as are connected, none is left to connect. (The factor keeps rounding out of both.)
    const Real near_distance = Real(0.5 * (1 + just_below)) * longest_reach;
    std::vector<std::uint8_t> outdated(fluid.size());
    context.parallel.for_blocks(
        outdated.size(), Parallel::small_block, [&](std::size_t first, std::size_t last, std::size_t) {
            auto& memory = RowSet::memory(outdated.size());
            simd::run<Real>(first, last, [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                const auto row = others.subspan(connections.begin(i), connections.count(i));
                bool change = false;
                int near_connected = 0, near_neighbors = 0;
                for_each_eight(
                    i, row, [&](const std::uint32_t* j, int count, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
                        const P distance = distances<P>(fluid.position, i, j);
                        const P length = simd::load_first<P>(rest.data() + connections.begin(i) + n, count);
                        near_connected +=
                            __builtin_popcount((distance < P(near_distance)).bits() & ((1u << count) - 1));
                        const auto held = (distance <= P(shortest_hold)) & (distance <= P(least_stretch) * length);
                        for (unsigned far = ~held.bits() & ((1u << count) - 1); far != 0; far &= far - 1) {
                            const int l = __builtin_ctz(far);
                            change |= !holds(fluid, links.varying, i, j[l], distance.lane(l), length.lane(l));
                        }
                    });
                if (!change && connects) {
                    for_each_eight(i, context.neighbors.row(i),
                                   [&](const std::uint32_t* j, int count, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
                                       const auto near = distances<P>(fluid.position, i, j) < P(near_distance);
                                       near_neighbors += __builtin_popcount(near.bits() & ((1u << count) - 1));
                                   });
                }
                if (!change && connects && near_neighbors != near_connected) {
                    const RowSet connected(row, memory);
                    for_each_eight(i, context.neighbors.row(i),
                                   [&](const std::uint32_t* j, int count, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
                                       const P distance = distances<P>(fluid.position, i, j);
                                       for (unsigned near = (distance < P(longest_reach)).bits() & ((1u << count) - 1);
                                            near != 0; near &= near - 1) {
                                           const int l = __builtin_ctz(near);
                                           if (connected.has(j[l])) continue;
                                           change |= distance.lane(l) < reach(fluid, links.varying, births, i, j[l]);
                                       }
                                   });
                }
                outdated[i] = change;
            });
        });
    return outdated;
}

template <class S>
void ConnectionControl<S>::rewrite(const FluidView<S>& fluid, const BlockContext<S>& context,
                                   const ElasticLinks<S>& links, const Births& births) const {
    assert(promises::sized(context.neighbors.size(), fluid.position, fluid.material, fluid.fluid));
    assert(links.complete(fluid.size()) && promises::rows_within(fluid.size(), links.connections.rows()));
    assert(promises::within(materials.size(), fluid.material) && promises::finite(fluid.position));
    ConnectionGraph& connections = links.connections;
    const auto outdated = outdated_rows(fluid, context, links, births);
    connections.rewrite(context.parallel, fluid.id, outdated, [&](std::size_t i, ConnectionGraph::RowDraft& row) {
        // Asked for here, not outside: rows that outgrow their room move.
        const auto others = connections.others().subspan(connections.begin(i), connections.count(i));
        const auto rest = std::as_const(connections).template values<Real>("rest_length");
        const RowSet connected(others, RowSet::memory(fluid.size()));
        const auto x_i = fluid.position[i].xyz();
        for (std::size_t n = 0; n < others.size(); ++n) {
            const std::size_t slot = connections.begin(i) + n;
            if (holds(fluid, links.varying, i, others[n], length(fluid.position[others[n]].xyz() - x_i), rest[slot]))
                row.keep(slot);
        }
        for (const std::uint32_t j : context.neighbors.row(i)) {
            const Real distance = length(fluid.position[j].xyz() - x_i);
            if (distance < reach(fluid, links.varying, births, i, j) && !connected.has(j)) row.add(j, distance);
        }
    });
}

template <class S>
void ConnectionControl<S>::update(const FluidView<S>& fluid, const BlockContext<S>& context,
                                  const ElasticLinks<S>& links) const {
    assert(links.complete(fluid.size()));
    const auto stage = context.timer.stage("connections");
    rewrite(fluid, context, links, Births::none());
}

template <class S>
void ConnectionControl<S>::connect_births(const FluidView<S>& fluid, const BlockContext<S>& context,
                                          const ElasticLinks<S>& links, const Births& births) const {
    assert(births.of(fluid.size()) && links.complete(fluid.size()));
    const auto stage = context.timer.stage("connections");
    rewrite(fluid, context, links, births);
    const auto others = std::as_const(links.connections).others();
    const auto strength = links.connections.template values<Real>("strength");
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const std::size_t begin = links.connections.begin(i);
        for (std::size_t slot = begin; slot < begin + links.connections.count(i); ++slot) {
            if (births[i] || births[others[slot]]) strength[slot] = 1;
        }
    });
}

template struct ConnectionControl<Space2f>;
template struct ConnectionControl<Space3f>;
template struct ConnectionControl<Space2d>;
template struct ConnectionControl<Space3d>;

}  // namespace treacle
