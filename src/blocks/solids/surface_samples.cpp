#include "blocks/solids/surface_samples.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "blocks/solids/mesh_samples.h"
#include "geometry/mass_properties.h"
#include "math/random.h"
#include "math/reproducible.h"
#include "math/space.h"
#include "packing/even_points.h"

namespace treacle {

namespace {

/// A surface at some depth below that of a shape.
struct Level {
    const Shape& shape;
    double depth;

    double distance(Vec3d p) const { return surface_point(shape, p).distance + depth; }

    /// The nearest point of the surface; one at some depth in an edge takes a step for each of its faces.
    Vec3d project(Vec3d p) const {
        for (int step = 0; step < (depth == 0 ? 1 : 3); ++step) {
            const SurfacePoint hit = surface_point(shape, p);
            p -= (hit.distance + depth) * hit.normal;
        }
        return p;
    }
};

/// Cells near a surface, found in a tree that is fine there only: no point of a cube is closer to the surface than its
/// center is, but for half of the diagonal.
class ShellCells {
public:
    ShellCells(const Level& level, double cell) : level_(level), cell_(cell), dimension_(level.shape.dimension) {
        const Bounds box = *bounds(level.shape);
        double reach = 0;
        for (int axis = 0; axis < dimension_; ++axis) reach = std::max(reach, box.high[axis] - box.low[axis]);
        reach += 2 * std::max(0.0, -level.depth) + 2 * cell;
        while (static_cast<double>(side_) * cell < reach) side_ *= 2;
        const double half = 0.5 * static_cast<double>(side_) * cell;
        low_ = 0.5 * (box.low + box.high) - Vec3d{half, half, dimension_ == 3 ? half : 0};
    }

    struct Cell {
        std::int64_t x, y, z;
    };

    /// visit(cell, distance of its center) for all cells that touch what is closer to the surface than one cell.
    template <class Visit>
    void visit(const Visit& visit) const {
        descend({0, 0, 0}, side_, visit);
    }

    /// A place in a cell, by shares of its side.
    Vec3d at(Cell cell, double x, double y, double z) const {
        return low_ + cell_ * Vec3d{static_cast<double>(cell.x) + x, static_cast<double>(cell.y) + y,
                                    dimension_ == 3 ? static_cast<double>(cell.z) + z : 0};
    }

    std::uint64_t number(Cell cell) const {
        return static_cast<std::uint64_t>((cell.z * side_ + cell.y) * side_ + cell.x);
    }

private:
    template <class Visit>
    void descend(Cell corner, std::int64_t side, const Visit& visit) const {
        const double half = 0.5 * static_cast<double>(side);
        const double distance = level_.distance(at(corner, half, half, half));
        if (std::abs(distance) > (half * std::sqrt(static_cast<double>(dimension_)) + 1) * cell_) return;
        if (side == 1) return visit(corner, distance);
        const std::int64_t step = side / 2;
        for (int child = 0; child < (dimension_ == 3 ? 8 : 4); ++child) {
            descend({corner.x + (child & 1 ? step : 0), corner.y + (child & 2 ? step : 0),
                     corner.z + (child & 4 ? step : 0)},
                    step, visit);
        }
    }

    Level level_;
    double cell_;
    int dimension_;
    std::int64_t side_ = 1;  ///< of the whole tree, in cells
    Vec3d low_{};
};

/// Edge of the cube with the volume of the shape.
double size_of(const Shape& shape) {
    return shape.dimension == 2 ? std::sqrt(*volume(shape)) : reproducible::exp(reproducible::log(*volume(shape)) / 3);
}

/// Every cell adds 1 - distance / cell: across a flat face that aligns with the cells this adds up to one exactly, and
/// nearly so across others.
double area_of(const Level& level, double cell) {
    double cells = 0;
    ShellCells(level, cell).visit([&](ShellCells::Cell, double distance) {
        cells += std::max(0.0, 1 - std::abs(distance) / cell);
    });
    return cells * cell_volume(level.shape.dimension, cell) / cell;
}

/// Of the surface itself it is known. Another level's cells must be finer than the shape is thin, within reason.
double area_of(const Level& level) {
    const MassProperties matter = *mass_properties(level.shape);
    if (level.depth == 0) return matter.surface;
    const double coarse = size_of(level.shape) / 16, thickness = matter.volume / matter.surface;
    return area_of(level, std::clamp(0.1 * thickness, coarse / 8, coarse / 4));
}

/// Random points on the surface, one or more for each cell × cell of it.
std::vector<Vec3d> scatter(const Level& level, double cell, const Parallel& parallel) {
    std::vector<Vec3d> points;
    const ShellCells cells(level, cell);
    cells.visit([&](ShellCells::Cell place, double) {
        Random random(cells.number(place));
        const double x = random.next(), y = random.next(), z = random.next();
        const Vec3d point = cells.at(place, x, y, z);
        if (std::abs(level.distance(point)) < 0.5 * cell) points.push_back(point);
    });
    parallel.for_each(points.size(), [&](std::size_t i) { points[i] = level.project(points[i]); });
    return points;
}

}  // namespace

double surface_area(const Shape& shape) { return mass_properties(shape)->surface; }

std::vector<Vec3d> sample_surface(const Shape& shape, const SurfaceSampling& sampling, const Parallel& parallel) {
    if (const auto* mesh = std::get_if<Mesh>(&shape.form)) {
        const double scale = shape.transform.scale;
        const SurfaceSampling drawn{sampling.spacing / scale, sampling.depth / scale, sampling.count};
        std::vector<Vec3d> samples = sample_mesh(*mesh->solid, drawn, parallel);
        for (Vec3d& sample : samples) sample = shape.transform.apply(sample);
        return samples;
    }
    const Level level{shape, sampling.depth};
    const double area = area_of(level);
    if (area == 0) return {};
    const bool flat = shape.dimension == 2;
    double spacing = sampling.spacing;
    double count = std::max(1.0, std::floor((flat ? area / spacing : area / (spacing * spacing)) + 0.5));
    if (sampling.count) {
        count = static_cast<double>(*sampling.count);
        spacing = flat ? area / count : std::sqrt(area / count);
    }
    // Four or more candidates for each sample.
    const double cell = std::min(flat ? 0.25 * spacing : 0.5 * spacing, size_of(shape) / 16);
    auto samples = thin_out(scatter(level, cell, parallel), static_cast<std::size_t>(count), spacing, parallel);
    const Spreading spreading{.dimension = shape.dimension, .spacing = spacing, .range = 1.75 * spacing, .sweeps = 40};
    spreading.spread(
        samples, [&](std::size_t, Vec3d wish) { return KeptPoint{.place = level.project(wish)}; }, parallel);
    return samples;
}

PlaneLattice::PlaneLattice(const Shape& plane, double spacing, double depth)
    : spacing_(spacing), dimension_(plane.dimension) {
    const SurfacePoint hit = surface_point(plane, {});
    normal_ = hit.normal;
    origin_ = -(hit.distance + depth) * normal_;
    if (dimension_ == 2) {
        along_u_ = {normal_.y, -normal_.x, 0};
        along_v_ = {};
    } else {
        // Along the axis that is most nearly in the plane, so that an axis-aligned plane has an axis-aligned lattice.
        int axis = 0;
        for (int other = 1; other < 3; ++other) {
            if (std::abs(normal_[other]) < std::abs(normal_[axis])) axis = other;
        }
        Vec3d direction{};
        direction[axis] = 1;
        direction -= dot(direction, normal_) * normal_;
        along_u_ = direction / length(direction);
        along_v_ = cross(normal_, along_u_);
    }
}

PlaneLattice::Coordinates PlaneLattice::coordinates(Vec3d place) const {
    return {dot(place - origin_, along_u_) / spacing_, dot(place - origin_, along_v_) / spacing_};
}

std::vector<Vec3d> PlaneLattice::patch(const Bounds& bounds) const {
    Coordinates low{1e300, 1e300}, high{-1e300, -1e300};
    for (int corner = 0; corner < 8; ++corner) {
        const Coordinates c =
            coordinates({corner & 1 ? bounds.high.x : bounds.low.x, corner & 2 ? bounds.high.y : bounds.low.y,
                         corner & 4 ? bounds.high.z : bounds.low.z});
        low = {std::min(low.u, c.u), std::min(low.v, c.v)};
        high = {std::max(high.u, c.u), std::max(high.v, c.v)};
    }
    std::vector<Vec3d> samples;
    constexpr double hair = 1e-9;  // what stands on the bounds but for rounding is within
    for (double v = std::ceil(low.v - hair); v <= high.v + hair; ++v) {
        for (double u = std::ceil(low.u - hair); u <= high.u + hair; ++u) {
            const Vec3d p = point(u, v);
            bool within = true;
            for (int axis = 0; axis < 3; ++axis) {
                within &=
                    p[axis] >= bounds.low[axis] - hair * spacing_ && p[axis] <= bounds.high[axis] + hair * spacing_;
            }
            if (within) samples.push_back(p);
        }
    }
    return samples;
}

}  // namespace treacle
