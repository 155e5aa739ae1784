#include "blocks/elastic/cluster_update.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "blocks/elastic/row_set.h"
#include "core/promises.h"
#include "core/pieces.h"

namespace treacle {

template <class S>
void ClusterUpdate<S>::renew(const FluidView<S>& fluid, const BlockContext<S>& context, const Choice& choice,
                             const ShapeMatching<S>& fitted, std::span<const Row> rotation,
                             ConnectionGraph& clusters) const {
    assert(promises::rows_within(fluid.size(), clusters.rows()));
    assert(promises::reaching(support_radius, context.neighbors) && promises::finite(fluid.position));
    assert(promises::sized(fluid.size(), choice.chosen, context.neighbors, rotation, fitted.stretched()));
    assert(!choice.within_fluids || fluid.fluid.size() == fluid.size());
    const auto chosen = choice.chosen;
    const auto position = fluid.position;
    const auto offset = [&](std::size_t i, std::size_t j) { return position[j].xyz() - position[i].xyz(); };
    const auto within = [&](std::size_t i, std::size_t j) {
        return dot(offset(i, j), offset(i, j)) < support_radius * support_radius;
    };
    clusters.rewrite(context.parallel, fluid.id, [&](std::size_t i, ConnectionGraph::RowDraft& row) {
        const auto others = clusters.others();
        const std::size_t begin = clusters.begin(i), end = begin + clusters.count(i);
        for (std::size_t slot = begin; slot < end; ++slot) {
            const std::size_t j = others[slot];
            if ((!chosen[i] && !chosen[j]) || within(i, j)) row.keep(slot);
        }
        const RowSet present(others.subspan(begin, end - begin), RowSet::memory(fluid.size()));
        for (const std::uint32_t j : context.neighbors.row(i)) {
            if (!chosen[i] && !chosen[j]) continue;
            if (choice.within_fluids && fluid.fluid[i] != fluid.fluid[j]) continue;
            if (!present.has(j) && within(i, j)) row.add(j, static_cast<double>(length(offset(i, j))));
        }
    });
    const auto others = clusters.others();
    const auto member = clusters.template values<Row>("member"), place = clusters.template values<Row>("place");
    // A chosen cluster has the frame it had, and no offset.
    const auto place_in = [&](std::size_t cluster, typename S::Vec r) {
        return chosen[cluster] ? ShapeMatching<S>::turned_back(r, rotation[cluster])
                               : fitted.place_of(cluster, r, rotation[cluster]);
    };
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        for (std::size_t slot = clusters.begin(i); slot < clusters.begin(i) + clusters.count(i); ++slot) {
            const std::size_t j = others[slot];
            const bool is_new = member[slot].w == 0;
            if (is_new || chosen[i]) member[slot] = place_in(i, offset(i, j));
            if (is_new || chosen[j]) place[slot] = place_in(j, offset(j, i));
            // The square of the longer of both; never zero, which stands for new.
            const auto here = member[slot].xyz(), there = place[slot].xyz();
            member[slot].w = std::max({dot(here, here), dot(there, there), std::numeric_limits<Real>::min()});
        }
    });
}

template <class S>
bool ClusterUpdate<S>::cut_overstretched(const FluidView<S>& fluid, const BlockContext<S>& context,
                                         std::span<const std::uint8_t> stretched, std::span<const Real> stretch,
                                         ConnectionGraph& clusters) {
    assert(promises::sized(clusters.particle_count(), stretched, fluid.position, fluid.material));
    assert(promises::within(stretch.size(), fluid.material));
    if (std::find(stretched.begin(), stretched.end(), 1) == stretched.end()) return false;
    const std::span<const Row> member = std::as_const(clusters).template values<Row>("member");
    const auto torn = [&](std::size_t i, std::size_t slot, std::size_t j) {
        const Real limit = std::min(stretch[fluid.material[i]], stretch[fluid.material[j]]);
        const auto apart = fluid.position[j].xyz() - fluid.position[i].xyz();
        return dot(apart, apart) > limit * limit * member[slot].w;
    };
    std::vector<std::uint8_t> rows(fluid.size(), 0);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        if (!stretched[i]) return;
        const auto others = clusters.others();
        for (std::size_t slot = clusters.begin(i); slot < clusters.begin(i) + clusters.count(i); ++slot) {
            if (torn(i, slot, others[slot])) rows[i] = 1;
        }
    });
    if (std::find(rows.begin(), rows.end(), 1) == rows.end()) return false;
    clusters.rewrite(context.parallel, fluid.id, rows, [&](std::size_t i, ConnectionGraph::RowDraft& row) {
        const auto others = clusters.others();
        for (std::size_t slot = clusters.begin(i); slot < clusters.begin(i) + clusters.count(i); ++slot) {
            if (!torn(i, slot, others[slot])) row.keep(slot);
        }
    });
    return true;
}

template <class S>
void ClusterUpdate<S>::label_pieces(const FluidView<S>& fluid, const ConnectionGraph& clusters,
                                    std::span<std::uint32_t> piece) {
    assert(promises::sized(clusters.particle_count(), fluid.id, piece));
    const auto id = fluid.id;
    const auto rows = clusters.rows();
    const std::vector<std::uint32_t> set = find_pieces(id.size(), [&](std::size_t i) { return rows.row(i); });
    std::vector<std::uint32_t> smallest(id.begin(), id.end());
    for (std::size_t i = 0; i < id.size(); ++i) smallest[set[i]] = std::min(smallest[set[i]], id[i]);
    for (std::size_t i = 0; i < id.size(); ++i) piece[i] = smallest[set[i]];
}

template struct ClusterUpdate<Space2f>;
template struct ClusterUpdate<Space3f>;
template struct ClusterUpdate<Space2d>;
template struct ClusterUpdate<Space3d>;

}  // namespace treacle
