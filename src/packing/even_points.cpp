#include "packing/even_points.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <queue>
#include <utility>

#include "math/random.h"
#include "neighbors/neighbors.h"
#include "neighbors/row_pack.h"
#include "simd/dispatch.h"
#include "simd/load.h"

namespace treacle {

namespace {

/// Weight of a neighbor at this share of the reach: steep, so that the nearest one counts most.
double crowding(double share) {
    const double square = (1 - share) * (1 - share);
    return (square * square) * (square * square);
}

/// Direction in which a point leaves others at exactly its place. Two of them part in opposite directions.
Vec3d parting(std::size_t i, std::span<const std::uint32_t> row, std::span<const Row4<double>> place, int dimension) {
    Vec3d sum{};
    for (const std::uint32_t j : row) {
        if (place[i].xyz() != place[j].xyz()) continue;
        Random random(std::max<std::uint64_t>(i, j) << 32 | std::min<std::uint64_t>(i, j));
        const double x = random.next() - 0.5, y = random.next() - 0.5, z = dimension == 3 ? random.next() - 0.5 : 0;
        sum += (i < j ? 1.0 : -1.0) * Vec3d{x, y, z};
    }
    return sum;
}

std::vector<Row4<double>> rows_of(std::span<const Vec3d> points) { return {points.begin(), points.end()}; }

/// The push by a point at this offset.
Vec3d push(Vec3d offset, double range) {
    const double distance = length(offset);
    if (!(distance < range && distance > 0)) return {};
    const double left = 1 - distance / range;
    return (left * left / distance) * offset;
}

/// Sum of the pushes on a point at x by the points of a row, except those at exactly the same place.
template <class P>
TREACLE_SIMD_INLINE Vec3d sum_of_pushes(std::size_t i, Vec3d x, std::span<const std::uint32_t> row,
                                        std::span<const Row4<double>> points, double range) {
    Vec3<P> sum{};
    const P inverse_range(1 / range);
    for_each_eight(i, row, [&](const std::uint32_t* j, int count, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
        const auto y = simd::load_rows<P>(points.data(), j);
        const Vec3<P> r{P(x.x) - y.x, P(x.y) - y.y, P(x.z) - y.z};
        const P square = (r.x * r.x + r.y * r.y) + r.z * r.z;
        const auto within = simd::first_lanes<P>(count) & (square < P(range * range)) & (square > P(0));
        const P distance = select(within, sqrt(square), P(1));
        const P left = P(1) - distance * inverse_range;
        const P factor = select(within, left * left / distance, P(0));
        sum.x += factor * r.x;
        sum.y += factor * r.y;
        sum.z += factor * r.z;
    });
    return {sum_of_lanes(sum.x), sum_of_lanes(sum.y), sum_of_lanes(sum.z)};
}

}  // namespace

std::vector<Vec3d> thin_out(std::span<const Vec3d> points, std::size_t count, double reach, const Parallel& parallel) {
    Neighbors<Space3d> neighbors;
    neighbors.update(rows_of(points), reach, parallel, no_period);
    const auto weight_between = [&](std::size_t i, std::size_t j) {
        return crowding(std::min(1.0, length(points[i] - points[j]) / reach));
    };
    std::vector<double> weight(points.size());
    parallel.for_each(points.size(), [&](std::size_t i) {
        for (const std::uint32_t j : neighbors.row(i)) weight[i] += weight_between(i, j);
    });

    // Weights only fall: an outdated entry is too high in the heap and is put back when it comes up.
    using Entry = std::pair<double, std::uint32_t>;
    std::vector<Entry> entries;
    for (std::uint32_t i = 0; i < points.size(); ++i) entries.emplace_back(weight[i], i);
    std::priority_queue<Entry> most_crowded(std::less<Entry>(), std::move(entries));
    std::vector<bool> gone(points.size());
    for (std::size_t left = points.size(); left > count;) {
        const auto [when_entered, i] = most_crowded.top();
        most_crowded.pop();
        if (when_entered != weight[i]) {
            most_crowded.emplace(weight[i], i);
            continue;
        }
        gone[i] = true;
        --left;
        for (const std::uint32_t j : neighbors.row(i)) {
            if (!gone[j]) weight[j] = std::max(0.0, weight[j] - weight_between(i, j));
        }
    }
    std::vector<Vec3d> kept;
    kept.reserve(count);
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!gone[i]) kept.push_back(points[i]);
    }
    return kept;
}

void Spreading::spread(std::vector<Vec3d>& points, const Keep& keep, const Parallel& parallel) const {
    constexpr int sweeps_per_search = 5;
    constexpr double step = 0.3;        // of a spacing; twice as much still converges
    const double skin = 0.2 * spacing;  // more than points move between searches once the first sweeps are over
    const Vec3d nowhere{1e100, 1e100, 1e100};
    const std::size_t count = points.size();
    std::vector<Row4<double>> place(count), mirrored(count), next_place(count), next_mirrored(count);
    std::vector<Vec3d> pushed(count);
    const auto put = [&](std::size_t i, Vec3d wish) {
        const KeptPoint kept = keep(i, wish);
        next_place[i] = kept.place;
        next_mirrored[i] = kept.depth < range ? kept.place + (2 * kept.depth) * kept.outward : nowhere;
    };
    parallel.for_each(count, [&](std::size_t i) { put(i, points[i]); });
    Neighbors<Space3d> neighbors;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        place.swap(next_place);
        mirrored.swap(next_mirrored);
        const bool search = sweep % sweeps_per_search == 0;
        if (search) neighbors.update(place, range + skin, parallel, no_period);
        simd::for_each<double>(parallel, count, [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const Vec3d x = place[i].xyz();
            const auto row = neighbors.row(i);
            const bool at_wall = mirrored[i].x != nowhere.x;
            pushed[i] = {};
            for (const auto* others : {&place, &mirrored}) {
                if (others == &place || at_wall) pushed[i] += sum_of_pushes<P>(i, x, row, *others, range);
            }
        });
        // A loop of its own: everything called in the one above is compiled into it, once for every kind of CPU.
        parallel.for_each(count, [&](std::size_t i) {
            if (search) pushed[i] += parting(i, neighbors.row(i), place, dimension);
            pushed[i] += push(place[i].xyz() - mirrored[i].xyz(), range);  // by its own image
            put(i, place[i].xyz() + (step * spacing) * pushed[i]);
        });
    }
    for (std::size_t i = 0; i < count; ++i) points[i] = next_place[i].xyz();
}

}  // namespace treacle
