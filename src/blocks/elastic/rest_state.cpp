#include "blocks/elastic/rest_state.h"

#include <cassert>
#include <cmath>

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
void RestState<S>::store(std::span<const Real> bonded, const Neighbors<S>& neighbors, std::span<const Row> position,
                         const Parallel& parallel, ConnectionGraph& connections) const {
    assert(promises::rows_within(position.size(), neighbors) && promises::reaching(support_radius, neighbors));
    assert(bonded.size() == position.size() && connections.particle_count() == position.size());
    assert(promises::finite(position));
    const Real h = static_cast<Real>(support_radius);
    connections.rewrite(parallel, [&](std::size_t i, ConnectionGraph::RowDraft& row) {
        if (!(bonded[i] > 0)) return;
        for (const std::uint32_t j : neighbors.row(i)) {
            const Real distance = length(position[j].xyz() - position[i].xyz());
            if (bonded[j] > 0 && distance < h) row.add(j, static_cast<double>(distance));
        }
    });
    const auto others = connections.others();
    const auto member = connections.template values<Row>("member");
    parallel.for_each(position.size(), [&](std::size_t i) {
        for (std::size_t slot = connections.begin(i); slot < connections.begin(i) + connections.count(i); ++slot) {
            member[slot] = position[others[slot]].xyz() - position[i].xyz();
            member[slot].w = dot(member[slot].xyz(), member[slot].xyz());
        }
    });
}

template <class S>
void RestState<S>::deform(const ConnectionGraph& connections, std::span<const Row> position, const Parallel& parallel) {
    const CubicSpline<S> kernel(support_radius);
    const Real inverse_h = static_cast<Real>(1 / support_radius), longest = break_stretch * break_stretch;
    const auto others = connections.others();
    const auto member = connections.template values<Row>("member");
    stretched_.resize(position.size()), deformation_.resize(position.size());
    parallel.for_each(position.size(), [&](std::size_t i) {
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
void RestState<S>::straighten(const ConnectionGraph& connections, std::span<const Real> mass, const Parallel& parallel,
                              MovingPositions<S>& moving) {
    assert(promises::rows_within(moving.size(), connections.rows()) && mass.size() == moving.size());
    assert(promises::finite(moving.position()) && promises::positive(mass));
    const std::span<const Row> position = moving.position();
    deform(connections, position, parallel);
    const CubicSpline<S> kernel(support_radius);
    const Real inverse_h = static_cast<Real>(1 / support_radius), share = static_cast<Real>(0.5 / lattice_weight);
    const auto others = connections.others();
    const auto member = connections.template values<Row>("member");
    const auto spans = [&](std::size_t i) { return deformation_[i].trace() != 0; };
    change_.assign(position.size(), Row{});
    parallel.for_each(position.size(), [&](std::size_t i) {
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
            sum += (share * weight * mass[j] / (mass[i] + mass[j]) * excess / distance) * x;
        }
        change_[i] = sum;
    });
    parallel.for_each(position.size(), [&](std::size_t i) { moving.move(i, change_[i].xyz()); });
}

template <class S>
void RestState<S>::recall(const ConnectionGraph& connections, std::span<const Row> position, const Parallel& parallel,
                          std::span<SymMat<Real>> conformation) {
    assert(promises::sized(connections.particle_count(), position, conformation));
    deform(connections, position, parallel);
    parallel.for_each(position.size(), [&](std::size_t i) {
        if (connections.count(i) == 0) return;
        const Mat3<Real>& f = deformation_[i];
        conformation[i] = f.trace() != 0 ? symmetric_part(f * f.transposed()) : SymMat<Real>::identity();
    });
}

template class RestState<Space2f>;
template class RestState<Space3f>;
#if TREACLE_DOUBLE
template class RestState<Space2d>;
template class RestState<Space3d>;
#endif

}  // namespace treacle
