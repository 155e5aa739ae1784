#include "scene/relaxed_packing.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "math/random.h"
#include "math/reproducible.h"
#include "packing/even_points.h"

namespace treacle {

namespace {

/// Centers of lattice cells that lie inside the shape, and the depth of the deepest.
struct Seeds {
    std::vector<Vec3d> points;
    double deepest = 0;
};

Seeds lattice_inside(const Shape& shape, double edge) {
    const Bounds box = *bounds(shape);
    Vec3d cell{}, cells{1, 1, 1};
    for (int axis = 0; axis < shape.dimension; ++axis) {
        const double size = box.high[axis] - box.low[axis];
        cells[axis] = std::max(1.0, std::floor(size / edge + 0.5));
        cell[axis] = size / cells[axis];
    }
    Seeds seeds;
    for (double k = 0.5; k < cells.z; ++k) {
        for (double j = 0.5; j < cells.y; ++j) {
            for (double i = 0.5; i < cells.x; ++i) {
                const Vec3d p = box.low + Vec3d{i * cell.x, j * cell.y, k * cell.z};
                const double depth = -surface_point(shape, p).distance;
                if (!(depth > 0)) continue;
                seeds.points.push_back(p);
                seeds.deepest = std::max(seeds.deepest, depth);
            }
        }
    }
    return seeds;
}

/// A lattice with at least `count` points inside, and few more.
Seeds seeds_for(const Shape& shape, std::size_t count, double edge) {
    Seeds seeds = lattice_inside(shape, edge);
    while (seeds.points.size() < count) {
        edge *= 0.99;
        seeds = lattice_inside(shape, edge);
    }
    return seeds;
}

/// Leaves out surplus points, evenly.
std::vector<Vec3d> evenly_chosen(const std::vector<Vec3d>& points, std::size_t count) {
    std::vector<Vec3d> chosen;
    chosen.reserve(count);
    for (std::size_t n = 0; n < count; ++n) chosen.push_back(points[n * points.size() / count]);
    return chosen;
}

}  // namespace

std::vector<Vec3d> relaxed_packing(const Shape& shape, std::size_t count, const Parallel& parallel) {
    const double cell = *volume(shape) / static_cast<double>(count);
    const double spacing = shape.dimension == 2 ? std::sqrt(cell) : reproducible::exp(reproducible::log(cell) / 3);
    const Seeds seeds = seeds_for(shape, count, spacing);
    std::vector<Vec3d> points = evenly_chosen(seeds.points, count);
    const Spreading spreading{.dimension = shape.dimension, .spacing = spacing, .range = 2 * spacing, .sweeps = 100};

    // Distances change no faster than points move: a point deep inside need not look for the surface again.
    const double margin = std::min(0.4 * spacing, 0.5 * seeds.deepest);
    std::vector<double> safe(count, 0.0);
    std::vector<Vec3d> last = points;
    const auto keep = [&](std::size_t i, Vec3d wish) {
        safe[i] -= length(wish - last[i]);
        if (safe[i] > spreading.range) {
            last[i] = wish;
            return KeptPoint{.place = wish};
        }
        SurfacePoint hit = surface_point(shape, wish);
        for (int face = 0; face < 3 && hit.distance > -margin; ++face) {  // a corner has three
            wish -= (hit.distance + margin) * hit.normal;
            hit = surface_point(shape, wish);
        }
        if (!(hit.distance < 0)) hit = surface_point(shape, wish = last[i]);  // too narrow for the margin: stay
        last[i] = wish;
        safe[i] = -hit.distance;
        return KeptPoint{wish, -hit.distance, hit.normal};
    };

    for (std::size_t i = 0; i < count; ++i) {
        Random random(i);
        const double x = random.next() - 0.5, y = random.next() - 0.5, z = random.next() - 0.5;
        points[i] += (1.5 * spacing) * Vec3d{x, y, shape.dimension == 3 ? z : 0};
    }
    spreading.spread(points, keep, parallel);
    return points;
}

}  // namespace treacle
