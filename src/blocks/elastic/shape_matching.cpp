#include "blocks/elastic/shape_matching.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "blocks/elastic/rotation_extraction.h"
#include "blocks/pair_pack.h"
#include "core/promises.h"

namespace treacle {

namespace {

/// The quaternion of the rotation nearest to A in the plane; the one before if A says nothing.
template <class Real>
Row4<Real> rotation_in_plane(Real xx, Real yx, Real xy, Real yy, const Row4<Real>& before) {
    const Real along = xx + yy, across = yx - xy;
    const Real size = std::sqrt(along * along + across * across);
    if (!(size > 0)) return before;
    const Real cosine = along / size, sine = across / size;
    Row4<Real> q;
    // Half the angle, from the larger of its sine and cosine.
    if (cosine >= 0) {
        q.w = std::sqrt(Real(0.5) * (1 + cosine));
        q.z = sine / (2 * q.w);
    } else {
        q.z = std::sqrt(Real(0.5) * (1 - cosine));
        q.w = sine / (2 * q.z);
    }
    return q;
}

/// Eight rows that follow each other, the last one repeating where fewer are left.
template <class P>
TREACLE_SIMD_INLINE simd::RowPack<P> load_places(const Row4<typename P::Real>* first, int count) {
    std::uint32_t index[simd::lanes] = {0, 1, 2, 3, 4, 5, 6, 7};
    if (count < simd::lanes) {
        for (int l = count; l < simd::lanes; ++l) index[l] = static_cast<std::uint32_t>(count - 1);
    }
    return simd::load_rows<P>(first, index);
}

/// Zero in lanes that are not of the row.
template <class P>
TREACLE_SIMD_INLINE P of_row(int count, const P& value) {
    return count < simd::lanes ? select(simd::first_lanes<P>(count), value, P(0)) : value;
}

}  // namespace

template <class S>
void ShapeMatching<S>::prepare(ConnectionGraph& clusters) {
    clusters.add_value<Row>("member", "m");
    clusters.add_value<Row>("place", "m");
}

template <class S>
void ShapeMatching<S>::set_references(const FluidView<S>& fluid, const BlockContext<S>& context, const Births& births,
                                      ConnectionGraph& clusters) {
    assert(promises::rows_within(fluid.size(), clusters.rows()) && births.of(fluid.size()));
    const auto others = clusters.others();
    const auto member = clusters.values<Row>("member"), place = clusters.values<Row>("place");
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        if (!births[i]) return;
        const std::size_t begin = clusters.begin(i);
        for (std::size_t slot = begin; slot < begin + clusters.count(i); ++slot) {
            member[slot] = fluid.position[others[slot]].xyz() - fluid.position[i].xyz();
            place[slot] = fluid.position[i].xyz() - fluid.position[others[slot]].xyz();
        }
    });
}

template <class S>
auto ShapeMatching<S>::turned_back(Vec r, const Row& rotation) -> Vec {
    const Vec axis{-rotation.x, -rotation.y, -rotation.z};
    const Vec twice = Real(2) * cross(axis, r);
    return r + rotation.w * twice + cross(axis, twice);
}

template <class S>
void ShapeMatching<S>::sum_clusters(const FluidView<S>& fluid, const BlockContext<S>& context,
                                    const ConnectionGraph& clusters, std::span<const Real> mass) {
    const std::size_t count = fluid.size();
    const Parallel& parallel = context.parallel;
    const std::size_t padded = (count + simd::lanes - 1) / simd::lanes * simd::lanes;
    for (auto* rows : {&weighted_, &spread_, &center_, &reference_center_}) rows->resize(count);
    stretched_.resize(count);
    for (auto& component : moment_) component.resize(padded);
    const auto rows = clusters.rows();
    const std::span<const Row> member = clusters.values<Row>("member");
    const Real longest = break_stretch * break_stretch;
    parallel.for_each(fluid.rows(), [&](std::size_t i) {
        weighted_[i] = fluid.position[i];
        weighted_[i].w = mass[i] / static_cast<Real>(1 + clusters.count(i));
    });
    // All sums are relative to the particle, which adds nothing to them but its weight. Lanes beyond the row repeat it.
    simd::for_each<Real>(parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        P total(0), excess(0);
        Vec3<P> spread{}, x_sum{}, r_sum{}, column_x{}, column_y{}, column_z{};
        const Row* places = member.data() + clusters.begin(i);
        const Row here = weighted_[i];
        for_each_eight(
            i, rows.row(i), [&](const std::uint32_t* j, int in_row, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
                const auto there = simd::load_rows<P>(weighted_.data(), j);
                const auto r = load_places<P>(places + n, in_row);
                const P weight = of_row(in_row, there.w);
                const Vec3<P> apart{there.x - P(here.x), there.y - P(here.y), there.z - P(here.z)}, x = weight * apart;
                excess = max(excess, dot(apart, apart) - P(longest) * r.w);
                spread += apart;
                total += weight;
                x_sum += x;
                r_sum += weight * r.xyz();
                column_x += r.x * x;
                column_y += r.y * x;
                if constexpr (S::dim == 3) column_z += r.z * x;
            });
        spread_[i] = sum_of_lanes(spread);
        stretched_[i] = (excess > P(0)).any();
        const Real all = here.w + sum_of_lanes(total);
        const Real inverse = all > 0 ? 1 / all : Real(0);
        const auto x_all = sum_of_lanes(x_sum), r_all = inverse * sum_of_lanes(r_sum);
        center_[i] = inverse * x_all;
        reference_center_[i] = r_all;
        const Vec3<Real> columns[3] = {sum_of_lanes(column_x) - r_all.x * x_all,
                                       sum_of_lanes(column_y) - r_all.y * x_all,
                                       sum_of_lanes(column_z) - r_all.z * x_all};
        for (int c = 0; c < 3; ++c) {
            for (int axis = 0; axis < 3; ++axis) moment_[static_cast<std::size_t>(3 * c + axis)][i] = columns[c][axis];
        }
    });
}

template <class S>
void ShapeMatching<S>::fit(const FluidView<S>& fluid, const BlockContext<S>& context, const ConnectionGraph& clusters,
                           std::span<const Real> mass, std::span<Row> rotation) {
    assert(promises::rows_within(fluid.size(), clusters.rows()) && promises::sized(fluid.size(), mass, rotation));
    assert(promises::finite(fluid.position, mass));
    sum_clusters(fluid, context, clusters, mass);
    const std::size_t count = fluid.size();
    offset_.resize(count);
    // Eight particles at a time.
    simd::for_each<Real>(
        context.parallel, moment_[0].size() / simd::lanes,
        [&]<class P>(simd::Use<P>, std::size_t eight) TREACLE_SIMD_INLINE_LAMBDA {
            const std::size_t first = eight * simd::lanes;
            const int some = static_cast<int>(std::min<std::size_t>(simd::lanes, count - first));
            std::uint32_t index[simd::lanes];
            for (int l = 0; l < simd::lanes; ++l) {
                const std::size_t i = first + static_cast<std::size_t>(l < some ? l : 0);
                index[l] = static_cast<std::uint32_t>(i);
                Row& q = rotation[i];
                if (q.x == 0 && q.y == 0 && q.z == 0 && q.w == 0) q.w = 1;
            }
            if constexpr (S::dim == 2) {
                for (int l = 0; l < some; ++l) {
                    const std::size_t i = index[l];
                    rotation[i] =
                        rotation_in_plane(moment_[0][i], moment_[1][i], moment_[3][i], moment_[4][i], rotation[i]);
                }
            } else {
                Matrices<P> a;
                for (int c = 0; c < 3; ++c) {
                    const auto component = [&](int axis) TREACLE_SIMD_INLINE_LAMBDA {
                        return simd::load<P>(moment_[static_cast<std::size_t>(3 * c + axis)].data() + first);
                    };
                    a.column[c] = {component(0), component(1), component(2)};
                }
                const auto start = simd::load_rows<P>(rotation.data(), index);
                const Quaternions<P> before{start.x, start.y, start.z, start.w};
                const Quaternions<P> q = extract_rotation(a, before, iterations);
                for (int l = 0; l < some; ++l) {
                    Row& row = rotation[index[l]];
                    row.x = q.x.lane(l), row.y = q.y.lane(l), row.z = q.z.lane(l), row.w = q.w.lane(l);
                }
            }
            const auto turned = simd::load_rows<P>(rotation.data(), index);
            const Vec3<P> moved = Quaternions<P>{turned.x, turned.y, turned.z, turned.w}.rotate(
                simd::load_rows<P>(reference_center_.data(), index).xyz());
            for (int l = 0; l < some; ++l) {
                const Vec3<Real> from{moved.x.lane(l), moved.y.lane(l), moved.z.lane(l)};
                offset_[index[l]] = from_barycenter ? center_[index[l]].xyz() - from : center_[index[l]].xyz();
            }
        });
}

template <class S>
void ShapeMatching<S>::gather(const BlockContext<S>& context, const ConnectionGraph& clusters,
                              std::span<const Row> rotation, std::span<Row> displacement) const {
    assert(promises::sized(offset_.size(), rotation, displacement) && clusters.particle_count() == offset_.size());
    const auto rows = clusters.rows();
    const std::span<const Row> place = clusters.values<Row>("place");
    simd::for_each<Real>(
        context.parallel, displacement.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            Vec3<P> sum{};
            const Row* places = place.data() + clusters.begin(i);
            for_each_eight(i, rows.row(i),
                           [&](const std::uint32_t* j, int in_row, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
                               // R_j X_ji + offset_j; x_j - x_i is in the sums already
                               const auto q = simd::load_rows<P>(rotation.data(), j);
                               const Vec3<P> goal =
                                   Quaternions<P>{q.x, q.y, q.z, q.w}.rotate(load_places<P>(places + n, in_row).xyz()) +
                                   simd::load_rows<P>(offset_.data(), j).xyz();
                               sum += Vec3<P>{of_row(in_row, goal.x), of_row(in_row, goal.y), of_row(in_row, goal.z)};
                           });
            const Vec all = spread_[i].xyz() + sum_of_lanes(sum) + offset_[i].xyz();
            displacement[i] = all / static_cast<Real>(1 + clusters.count(i));
        });
}

template class ShapeMatching<Space2f>;
template class ShapeMatching<Space3f>;
template class ShapeMatching<Space2d>;
template class ShapeMatching<Space3d>;

}  // namespace treacle
