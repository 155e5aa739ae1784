#include "neighbors/even_points.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <queue>
#include <utility>

#include "math/random.h"
#include "neighbors/neighbors.h"

namespace treacle {

namespace {

/// Weight of a neighbor at this share of the reach: steep, so that the nearest one counts most.
double crowding(double share) {
    const double square = (1 - share) * (1 - share);
    return (square * square) * (square * square);
}

/// The push of a point at this offset.
Vec3d push(Vec3d offset, double range) {
    const double square = dot(offset, offset);
    if (!(square < range * range) || square == 0) return {};
    const double distance = std::sqrt(square);
    const double left = 1 - distance / range;
    return (left * left / distance) * offset;
}

/// Direction in which i leaves j when both are at one place: the opposite of that in which j leaves i.
Vec3d parting(std::size_t i, std::size_t j, int dimension) {
    Random random(std::max(i, j) << 32 | std::min(i, j));
    const double x = random.next() - 0.5, y = random.next() - 0.5, z = dimension == 3 ? random.next() - 0.5 : 0;
    return (i < j ? 1.0 : -1.0) * Vec3d{x, y, z};
}

std::vector<Row4<double>> rows_of(std::span<const Vec3d> points) { return {points.begin(), points.end()}; }

}  // namespace

std::vector<Vec3d> thin_out(std::span<const Vec3d> points, std::size_t count, double reach, const Parallel& parallel) {
    Neighbors<Space3d> neighbors;
    neighbors.update(rows_of(points), reach, parallel);
    const auto weight_between = [&](std::size_t i, std::size_t j) {
        return crowding(std::min(1.0, length(points[i] - points[j]) / reach));
    };
    std::vector<double> weight(points.size());
    parallel.for_each(points.size(), [&](std::size_t i) {
        for (const std::uint32_t j : neighbors.row(i)) weight[i] += weight_between(i, j);
    });

    // Weights only fall: an entry that is out of date stands too high and is put back when it comes up.
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
    constexpr double step = 0.3;       // of a spacing; twice as much still converges
    const double skin = 0.25 * range;   // more than points move between searches once the first sweeps are over
    std::vector<KeptPoint> kept(points.size());
    parallel.for_each(points.size(), [&](std::size_t i) { kept[i] = keep(i, points[i]); });
    std::vector<KeptPoint> next = kept;
    Neighbors<Space3d> neighbors;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        if (sweep % sweeps_per_search == 0) {
            for (std::size_t i = 0; i < points.size(); ++i) points[i] = kept[i].place;
            neighbors.update(rows_of(points), range + skin, parallel);
        }
        parallel.for_each(points.size(), [&](std::size_t i) {
            const Vec3d x = kept[i].place;
            Vec3d pushed{};
            const auto push_mirrored = [&](const KeptPoint& other) {
                if (other.depth < range) pushed += push(x - (other.place + (2 * other.depth) * other.outward), range);
            };
            for (const std::uint32_t j : neighbors.row(i)) {
                const Vec3d offset = x - kept[j].place;
                pushed += offset == Vec3d{} ? parting(i, j, dimension) : push(offset, range);
                if (kept[i].depth < range) push_mirrored(kept[j]);
            }
            push_mirrored(kept[i]);
            next[i] = keep(i, x + (step * spacing) * pushed);
        });
        kept.swap(next);
    }
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = kept[i].place;
}

}  // namespace treacle
