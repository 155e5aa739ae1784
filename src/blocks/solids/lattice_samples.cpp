#include "blocks/solids/lattice_samples.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace treacle {

std::vector<Vec3d> lattice_samples(const Shape& shape, bool invert, double spacing, double depth) {
    // The shape as drawn, in units of the transform's scale; the lattice is laid there and then moved to where it
    // stands.
    const double scale = shape.transform.scale;
    Shape drawn = shape;
    drawn.transform = {};
    Vec3d low, high;
    if (const auto* box = std::get_if<Box>(&drawn.form)) {
        low = box->center - 0.5 * box->size;
        high = box->center + 0.5 * box->size;
    } else {
        const Bounds around = *bounds(drawn);
        low = around.low;
        high = around.high;
    }
    Vec3d cell{}, first{};
    std::int64_t count[3] = {1, 1, 1};
    const std::int64_t margin = invert ? static_cast<std::int64_t>(std::ceil(depth / spacing)) + 1 : 0;
    for (int axis = 0; axis < shape.dimension; ++axis) {
        const double size = high[axis] - low[axis];
        const double cells = std::max(1.0, std::floor(scale * size / spacing + 0.5));
        cell[axis] = size / cells;
        first[axis] = low[axis] + (0.5 - static_cast<double>(margin)) * cell[axis];
        count[axis] = static_cast<std::int64_t>(cells) + 2 * margin;
    }
    std::vector<Vec3d> points;
    for (std::int64_t k = 0; k < count[2]; ++k) {
        for (std::int64_t j = 0; j < count[1]; ++j) {
            for (std::int64_t i = 0; i < count[0]; ++i) {
                const Vec3d point = shape.transform.apply(first + Vec3d{static_cast<double>(i) * cell.x,
                                                                        static_cast<double>(j) * cell.y,
                                                                        static_cast<double>(k) * cell.z});
                const double below = (invert ? 1 : -1) * surface_point(shape, point).distance;
                if (below > 0 && below < depth) points.push_back(point);
                // Points nearer than this to the present one are as far from the surface, or too deep: skip them.
                const double idle = below > 0 ? below - depth : -below;
                if (idle > 0) i += static_cast<std::int64_t>(idle / (scale * cell.x));
            }
        }
    }
    return points;
}

}  // namespace treacle
