#include "blocks/elastic/plastic_springs.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "blocks/elastic/row_set.h"
#include "blocks/motion.h"
#include "blocks/pair.h"
#include "blocks/pair_pack.h"
#include "core/promises.h"
#include "math/reproducible.h"

namespace treacle {

template <class S>
bool PlasticSprings<S>::active() const {
    return std::any_of(materials.begin(), materials.end(), [](const Material& m) { return m.stiffness > 0; });
}

template <class S>
auto PlasticSprings<S>::crept(Real rest_length, Real length, Material c, Real dt) const -> Real {
    return crept_of<Real>(rest_length, length, c.creep_rate, c.yield_stretch, c.yield_compress, dt);
}

template <class S>
template <class Number>
TREACLE_SIMD_INLINE Number PlasticSprings<S>::crept_of(const Number& rest_length, const Number& length,
                                                       const Number& creep_rate, const Number& yield_stretch,
                                                       const Number& yield_compress, Real dt) const {
    using simd::select;
    using std::max;
    const auto stretched = length > rest_length * (1 + yield_stretch);
    const auto compressed = length < rest_length * (1 - yield_compress);
    // dL/dt = α (r - (1±γ) L): L tends to r/(1±γ) at the rate α (1±γ).
    const Number factor = select(stretched, 1 + yield_stretch, 1 - yield_compress);
    if (as_printed)
        return select(stretched | compressed, rest_length + dt * (length - factor * rest_length), rest_length);
    const Number share = reproducible::quick_one_minus_exp_minus(creep_rate * factor * dt);
    const Number after = max(rest_length + share * (length / factor - rest_length), Number(smallest_length));
    return select(stretched | compressed, after, rest_length);
}

template <class S>
void PlasticSprings<S>::adjust(const FluidView<S>& fluid, const BlockContext<S>& context,
                               ConnectionGraph& connections) const {
    assert(promises::rows_within(fluid.size(), connections.rows()) && promises::finite(fluid.position));
    assert(fluid.material.size() == fluid.size() && promises::within(materials.size(), fluid.material));
    assert(context.dt > 0);
    const auto stage = context.timer.stage("springs");
    if (!active()) return;
    const Real dt = static_cast<Real>(context.dt);
    const auto others = connections.others();
    const auto rest = connections.values<Real>("rest_length");
    simd::for_each<Real>(
        context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const std::size_t begin = connections.begin(i);
            for_each_eight(i, others.subspan(begin, connections.count(i)),
                           [&](const std::uint32_t* j, int count, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
                               const auto coefficient = [&](Real Material::*member) TREACLE_SIMD_INLINE_LAMBDA {
                                   return by_materials<P>(
                                       fluid.material, materials.size(), i, j, [&](std::uint8_t a, std::uint8_t b) {
                                           return Real(0.5) * (materials[a].*member + materials[b].*member);
                                       });
                               };
                               Real* slot = rest.data() + begin + n;
                               const P after =
                                   crept_of<P>(simd::load_first<P>(slot, count), distances<P>(fluid.position, i, j),
                                               coefficient(&Material::creep_rate),
                                               coefficient(&Material::yield_stretch),
                                               coefficient(&Material::yield_compress), dt);
                               simd::store_first(after, slot, count);
                           });
        });
}

template <class S>
std::vector<std::uint8_t> PlasticSprings<S>::outdated_rows(const FluidView<S>& fluid, const BlockContext<S>& context,
                                                           const Births& births,
                                                           const ConnectionGraph& connections) const {
    const auto others = connections.others();
    const auto rest = connections.values<Real>("rest_length");
    const Real h = support_radius;
    const auto position = fluid.position;
    const std::size_t own = fluid.rows().own;
    std::vector<std::uint8_t> outdated(fluid.size());
    context.parallel.for_blocks(own, Parallel::small_block, [&](std::size_t first, std::size_t last, std::size_t) {
        auto& memory = RowSet::memory(fluid.size());
        simd::run<Real>(first, last, [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const auto row = others.subspan(connections.begin(i), connections.count(i));
            unsigned change = 0;
            for_each_eight(i, row, [&](const std::uint32_t* j, int count, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
                const P length = simd::load_first<P>(rest.data() + connections.begin(i) + n, count);
                const auto keep = (length <= P(h)) & (distances<P>(position, i, j) <= P(break_length));
                change |= ~keep.bits() & ((1u << count) - 1);
            });
            const bool single = materials.size() == 1;
            const bool all_connect = single && may_connect(0, 0, false);
            // Springs of one material that does not renew them are asked about only where somebody is new.
            if (change == 0 && (all_connect || !single || births.any())) {
                const RowSet connected(row, memory);
                for_each_eight(i, context.neighbors.row(i),
                               [&](const std::uint32_t* j, int count, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
                                   const unsigned near = (distances<P>(position, i, j) < P(h)).bits();
                                   for (int l = 0; l < count; ++l) {
                                       const bool one_is_new = births[i] || births[j[l]];
                                       const bool wanted = all_connect || may_connect(fluid.material[i],
                                                                                      fluid.material[j[l]], one_is_new);
                                       change |= static_cast<unsigned>(wanted && !connected.has(j[l])) << l & near;
                                   }
                               });
            }
            outdated[i] = change != 0;
        });
    });
    return outdated;
}

template <class S>
void PlasticSprings<S>::renew(const FluidView<S>& fluid, const BlockContext<S>& context, const Births& births,
                              ConnectionGraph& connections) const {
    assert(connections.particle_count() == fluid.size() && births.of(fluid.size()));
    assert(promises::sized(fluid.size(), context.neighbors, fluid.material) && promises::finite(fluid.position));
    assert(promises::within(materials.size(), fluid.material));
    const auto stage = context.timer.stage("springs");
    if (!active()) return;
    const Real h = support_radius;
    const auto position = fluid.position;
    const auto material = fluid.material;
    // Most rows stay as they are; finding out is much cheaper than writing them again.
    const auto outdated = outdated_rows(fluid, context, births, connections);
    connections.rewrite(context.parallel, fluid.id, outdated, [&](std::size_t i, ConnectionGraph::RowDraft& row) {
        // Asked for here, not outside: rows that outgrow their room move.
        const auto others = connections.others().subspan(connections.begin(i), connections.count(i));
        const auto rest = std::as_const(connections).template values<Real>("rest_length");
        const RowSet connected(others, RowSet::memory(position.size()));
        const auto x_i = position[i].xyz();
        for (std::size_t n = 0; n < others.size(); ++n) {
            const std::size_t slot = connections.begin(i) + n;
            const Real distance = length(position[others[n]].xyz() - x_i);
            if (rest[slot] <= h && distance <= break_length) row.keep(slot);
        }
        for (const std::uint32_t j : context.neighbors.row(i)) {
            const Real distance = length(position[j].xyz() - x_i);
            const bool one_is_new = births[i] || births[j];
            if (!(distance < h) || !may_connect(material[i], material[j], one_is_new) || connected.has(j)) continue;
            row.add(j, start_at_support_radius ? h : std::max(distance, smallest_length));
        }
    });
}

template <class S>
bool PlasticSprings<S>::may_connect(std::uint8_t material_i, std::uint8_t material_j, bool one_is_new) const {
    const Material& a = materials[material_i];
    const Material& b = materials[material_j];
    return a.stiffness + b.stiffness > 0 && (one_is_new || (a.renews && b.renews));
}

template <class S>
void PlasticSprings<S>::apply(const FluidView<S>& fluid, const BlockContext<S>& context,
                              const ConnectionGraph& connections, std::span<typename S::Row> displacement) const {
    assert(promises::sized(fluid.size(), fluid.velocity, displacement) && context.dt > 0);
    const auto stage = context.timer.stage("springs");
    if (!active()) return;
    if (sequential) {
        sweep(fluid, context, connections, displacement);
        displace_velocity<S>(fluid, context, displacement);
    } else {
        gather(fluid, context, connections, displacement);
        displace<S>(fluid, context, displacement);
    }
}

template <class S>
void PlasticSprings<S>::gather(const FluidView<S>& fluid, const BlockContext<S>& context,
                               const ConnectionGraph& connections, std::span<typename S::Row> displacement) const {
    assert(connections.particle_count() == fluid.size() && promises::within(materials.size(), fluid.material));
    assert(promises::sized(fluid.size(), fluid.mass, fluid.id, fluid.material, displacement));
    assert(promises::finite(fluid.position) && promises::positive(fluid.mass) && context.dt > 0);
    const auto others = connections.others();
    const auto rest = connections.values<Real>("rest_length");
    const auto position = fluid.position;
    const MassShares<Real> shares(fluid.mass);
    const Real inverse_h = 1 / support_radius, dt = static_cast<Real>(context.dt);
    simd::for_each<Real>(
        context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            Vec3<P> sum{};
            const std::size_t begin = connections.begin(i);
            for_each_eight(
                i, others.subspan(begin, connections.count(i)),
                [&](const std::uint32_t* j, int count, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
                    const P rest_length = simd::load_first<P>(rest.data() + begin + n, count);
                    const P stiffness =
                        by_materials<P>(fluid.material, materials.size(), i, j, [&](std::uint8_t a, std::uint8_t b) {
                            return Real(0.5) * (materials[a].stiffness + materials[b].stiffness);
                        });
                    const Vec3<P> r = offsets<P>(position, i, j);
                    const P distance = sqrt(dot(r, r));
                    const P fade = 1 - (as_printed ? distance : rest_length) * inverse_h;
                    const P pull = (dt * dt) * stiffness * fade * (rest_length - distance);  // D of eq. 5
                    const PairPack<S, P> pair{i, j, simd::first_lanes<P>(count), distance, P(0), r, fluid.id.data()};
                    sum -= (shares.template of<P>(i, j) * pull) * pair.direction();
                });
            displacement[i] = sum_of_lanes(sum);
        });
}

template <class S>
void PlasticSprings<S>::sweep(const FluidView<S>& fluid, const BlockContext<S>& context,
                              const ConnectionGraph& connections, std::span<typename S::Row> displacement) const {
    assert(connections.particle_count() == fluid.size() && promises::within(materials.size(), fluid.material));
    assert(promises::sized(fluid.size(), fluid.mass, fluid.id, fluid.material, displacement));
    assert(promises::finite(fluid.position) && promises::positive(fluid.mass) && context.dt > 0);
    const Real dt = static_cast<Real>(context.dt);
    const auto position = fluid.position;
    const auto mass = fluid.mass;
    const auto others = connections.others();
    const auto rest = connections.values<Real>("rest_length");
    std::fill(displacement.begin(), displacement.end(), typename S::Row{});
    const auto move = [&](std::size_t i, typename S::Vec d) {
        position[i] = position[i].xyz() + d;
        displacement[i] = displacement[i].xyz() + d;
    };
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        const std::size_t end = connections.begin(i) + connections.count(i);
        for (std::size_t slot = connections.begin(i); slot < end; ++slot) {
            const std::uint32_t j = others[slot];
            if (j < i) continue;  // every spring once
            const Real stiffness = between(fluid.material[i], fluid.material[j]).stiffness;
            const auto r = position[j].xyz() - position[i].xyz();
            const Real distance = length(r);
            const auto direction = distance > 0 ? r / distance : direction_from_ids<S>(fluid.id[i], fluid.id[j]);
            const Real fade = 1 - (as_printed ? distance : rest[slot]) / support_radius;
            const auto d = (dt * dt * stiffness * fade * (rest[slot] - distance)) * direction;  // D of eq. 5
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
