#include "blocks/elastic/rest_state.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "blocks/elastic/cluster_update.h"
#include "core/promises.h"

namespace treacle {

namespace {

template <class Real>
Real determinant(const SymMat<Real>& m) {
    return m.xx * (m.yy * m.zz - m.yz * m.yz) - m.xy * (m.xy * m.zz - m.yz * m.xz) + m.xz * (m.xy * m.yz - m.yy * m.xz);
}

/// -W'(|X|)/|X|
template <class S>
typename S::Real weight_of(const CubicSpline<S>& kernel, typename S::Real distance, typename S::Real inverse_h) {
    return distance > 0 ? -kernel.slope(distance * inverse_h) / distance : 0;
}

}  // namespace

template <class S>
bool RestState<S>::active() const {
    return std::any_of(break_stretch.begin(), break_stretch.end(), [](Real stretch) { return stretch > 0; });
}

template <class S>
auto RestState<S>::shortest_stretch() const -> Real {
    Real shortest = std::numeric_limits<Real>::infinity();
    for (const Real stretch : break_stretch)
        if (stretch > 0) shortest = std::min(shortest, stretch);
    return shortest;
}

template <class S>
void RestState<S>::store(const FluidView<S>& fluid, const BlockContext<S>& context,
                         ConnectionGraph& connections) const {
    assert(promises::rows_within(fluid.size(), context.neighbors));
    assert(!active() || promises::reaching(support_radius, context.neighbors));
    assert(promises::sized(fluid.size(), fluid.material) && connections.particle_count() == fluid.size());
    assert(promises::within(break_stretch.size(), fluid.material) && promises::finite(fluid.position));
    if (!active()) return;
    const std::span<const Row> position = fluid.position;
    const Real h = static_cast<Real>(support_radius);
    const auto has_shape = [&](std::size_t i) { return break_stretch[fluid.material[i]] > 0; };
    connections.rewrite(context.parallel, fluid.id, [&](std::size_t i, ConnectionGraph::RowDraft& row) {
        if (!has_shape(i)) return;
        for (const std::uint32_t j : context.neighbors.row(i)) {
            const Real distance = length(position[j].xyz() - position[i].xyz());
            if (has_shape(j) && distance < h) row.add(j, static_cast<double>(distance));
        }
    });
    const auto others = connections.others();
    const auto member = connections.template values<Row>("member");
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        for (std::size_t slot = connections.begin(i); slot < connections.begin(i) + connections.count(i); ++slot) {
            member[slot] = position[others[slot]].xyz() - position[i].xyz();
            member[slot].w = dot(member[slot].xyz(), member[slot].xyz());
        }
    });
}

template <class S>
ConformationRows<S> RestState<S>::rows(const Neighbors<S>& neighbors, const ConnectionGraph& connections) const {
    assert(neighbors.size() == connections.particle_count());
    return active() ? ConformationRows<S>(neighbors, connections) : ConformationRows<S>(neighbors);
}

template <class S>
void RestState<S>::measure_deformation(const FluidView<S>& fluid, const BlockContext<S>& context,
                                       const ConnectionGraph& connections) {
    const CubicSpline<S> kernel(support_radius);
    const Real inverse_h = static_cast<Real>(1 / support_radius), longest = shortest_stretch() * shortest_stretch();
    const std::span<const Row> position = fluid.position;
    const auto others = connections.others();
    const auto member = connections.template values<Row>("member");
    stretched_.resize(fluid.size()), deformation_.resize(fluid.size());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        stretched_[i] = 0;
        deformation_[i] = {};
        Mat3<Real> moved;
        SymMat<Real> rest;
        for (std::size_t slot = connections.begin(i); slot < connections.begin(i) + connections.count(i); ++slot) {
            const auto x = position[others[slot]].xyz() - position[i].xyz(), at_rest = member[slot].xyz();
            if (dot(x, x) > longest * member[slot].w) stretched_[i] = 1;
            const Real weight = weight_of(kernel, std::sqrt(member[slot].w), inverse_h);
            moved = moved + Mat3<Real>::outer(weight * x, at_rest);
            rest.add_square(weight, at_rest);
        }
        if (S::dim == 2) moved.z.z = rest.zz = rest.trace() / 2;
        // Neighbors in a plane or a line do not span space.
        const Real size = rest.trace();
        if (!(determinant(rest) > Real(2e-3) * size * size * size)) return;
        deformation_[i] = moved * Mat3<Real>::from(inverse(rest));
    });
}

template <class S>
void RestState<S>::straighten(const FluidView<S>& fluid, const BlockContext<S>& context,
                              const ConnectionGraph& connections, MovingPositions<S>& moving) {
    assert(promises::rows_within(fluid.size(), connections.rows()) && moving.moves(fluid.position));
    assert(promises::finite(fluid.position) && promises::positive(fluid.mass));
    if (!active()) return;
    const auto stage = context.timer.stage("position projection");
    measure_deformation(fluid, context, connections);
    const CubicSpline<S> kernel(support_radius);
    const Real inverse_h = static_cast<Real>(1 / support_radius), share = static_cast<Real>(0.5 / lattice_weight);
    const auto others = connections.others();
    const auto member = connections.template values<Row>("member");
    const auto spans = [&](std::size_t i) { return deformation_[i].trace() != 0; };
    change_.assign(fluid.size(), Row{});
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        if (!spans(i)) return;
        typename S::Vec sum{};
        for (std::size_t slot = connections.begin(i); slot < connections.begin(i) + connections.count(i); ++slot) {
            const std::size_t j = others[slot];
            const auto x = moving.offset(i, j), at_rest = member[slot].xyz();
            const Real distance = length(x);
            if (!spans(j) || !(distance > 0)) continue;
            // Both ends see the same length; each expects its own.
            const Real excess =
                2 * distance - (dot(x, deformation_[i] * at_rest) + dot(x, deformation_[j] * at_rest)) / distance;
            const Real weight = weight_of(kernel, std::sqrt(member[slot].w), inverse_h);
            sum += (share * weight * fluid.mass[j] / (fluid.mass[i] + fluid.mass[j]) * excess / distance) * x;
        }
        change_[i] = sum;
    });
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) { moving.move(i, change_[i].xyz()); });
}

template <class S>
void RestState<S>::measure_conformation(const FluidView<S>& fluid, const BlockContext<S>& context,
                                        const ConnectionGraph& connections, std::span<SymMat<Real>> conformation) {
    assert(promises::sized(connections.particle_count(), fluid.position, conformation));
    if (!active()) return;
    const auto stage = context.timer.stage("update");
    measure_deformation(fluid, context, connections);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        if (connections.count(i) == 0) return;
        const Mat3<Real>& f = deformation_[i];
        conformation[i] = f.trace() != 0 ? symmetric_part(f * f.transposed()) : SymMat<Real>::identity();
    });
}

template <class S>
void RestState<S>::cut_overstretched(const FluidView<S>& fluid, const BlockContext<S>& context,
                                     ConnectionGraph& connections) const {
    assert(!active() || promises::sized(fluid.size(), stretched_, fluid.material));
    if (!active()) return;
    const auto stage = context.timer.stage("update");
    ClusterUpdate<S>::cut_overstretched(fluid, context, stretched_, break_stretch, connections);
}

template class RestState<Space2f>;
template class RestState<Space3f>;
#if TREACLE_DOUBLE
template class RestState<Space2d>;
template class RestState<Space3d>;
#endif

}  // namespace treacle
