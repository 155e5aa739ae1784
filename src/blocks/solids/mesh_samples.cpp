#include "blocks/solids/mesh_samples.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>

#include "math/random.h"
#include "math/reproducible.h"
#include "packing/even_points.h"

namespace treacle {

namespace {

constexpr double half_shell = 0.25;  // of the edge of a cell: random points that close to the layer are candidates
constexpr int sweeps_per_query = 5;  // where a sample stays on the layer meanwhile
constexpr double off_layer = 0.02;   // spacings; at an edge a tangent plane leads away, and every sweep asks

/// A surface at some depth below that of a mesh. `triangle` is where a search begins, and then the nearest.
struct Layer {
    const SolidMesh& mesh;
    double depth;

    SurfacePoint nearest(Vec3d p, std::uint32_t& triangle) const {
        SurfacePoint hit = mesh.nearest(p, triangle);
        hit.distance += depth;
        return hit;
    }
    Vec3d project(Vec3d p, std::uint32_t& triangle) const {
        const SurfacePoint hit = nearest(p, triangle);
        return p - hit.distance * hit.normal;
    }
};

/// A cube that the shell around a layer may touch.
struct ShellCell {
    Vec3d low;
    double distance;  ///< of its center to the layer
    std::uint32_t triangle;
};

/// Finds the cells of a shell, along a Morton curve: no point of a cube is closer to the layer than its center is, but
/// for half of the diagonal.
class ShellTree {
public:
    ShellTree(const Layer& layer, double cell) : layer_(layer), cell_(cell) {
        const Bounds& box = layer.mesh.bounds();
        const Vec3d size = box.high - box.low;
        const double reach = std::max({size.x, size.y, size.z}) + 2 * std::max(0.0, -layer.depth) + 2 * cell;
        double side = cell;
        while (side < reach) side *= 2;
        descend(0.5 * (box.low + box.high) - 0.5 * side * Vec3d{1, 1, 1}, side, 0);
    }

    std::vector<ShellCell> cells;

private:
    void descend(Vec3d low, double side, std::uint32_t triangle) {
        const double distance = layer_.nearest(low + 0.5 * side * Vec3d{1, 1, 1}, triangle).distance;
        if (std::abs(distance) > 0.5 * std::sqrt(3.0) * side + half_shell * cell_) return;
        if (side < 1.5 * cell_) {
            cells.push_back({low, distance, triangle});
            return;
        }
        for (int child = 0; child < 8; ++child) {
            const Vec3d corner{child & 1 ? 1.0 : 0.0, child & 2 ? 1.0 : 0.0, child & 4 ? 1.0 : 0.0};
            descend(low + 0.5 * side * corner, 0.5 * side, triangle);
        }
    }

    const Layer& layer_;
    double cell_;
};

/// Random points on the layer, four for each cell² of it: of those in the eight parts of a cell, the ones in the shell.
std::vector<Vec3d> scatter(const Layer& layer, double cell, const Parallel& parallel) {
    const std::vector<ShellCell> cells = ShellTree(layer, cell).cells;
    std::vector<std::vector<Vec3d>> by_block(Parallel::block_count(cells.size()));
    parallel.for_blocks(cells.size(), [&](std::size_t first, std::size_t last, std::size_t block) {
        for (std::size_t n = first; n < last; ++n) {
            const Vec3d center = cells[n].low + 0.5 * cell * Vec3d{1, 1, 1};
            Random random = Random::of_number(static_cast<std::uint32_t>(n));
            for (int part = 0; part < 8; ++part) {
                const double x = (part & 1) + random.next(), y = (part / 2 & 1) + random.next();
                const Vec3d p = cells[n].low + 0.5 * cell * Vec3d{x, y, part / 4 + random.next()};
                if (std::abs(cells[n].distance) > length(p - center) + half_shell * cell) continue;
                std::uint32_t triangle = cells[n].triangle;
                const SurfacePoint hit = layer.nearest(p, triangle);
                if (std::abs(hit.distance) < half_shell * cell)
                    by_block[block].push_back(p - hit.distance * hit.normal);
            }
        }
    });
    std::vector<Vec3d> points;
    for (const auto& some : by_block) points.insert(points.end(), some.begin(), some.end());
    return points;
}

/// Moves samples apart on their layer.
void spread(std::vector<Vec3d>& samples, const Layer& layer, double spacing, const Parallel& parallel) {
    struct Foot {
        Vec3d place{}, normal{};
        std::uint32_t triangle = 0;
        int moves_to_query = 0;
    };
    std::vector<Foot> feet(samples.size());
    const auto keep = [&](std::size_t i, Vec3d wish) {
        Foot& foot = feet[i];
        if (--foot.moves_to_query <= 0) {
            const SurfacePoint hit = layer.nearest(wish, foot.triangle);
            foot.moves_to_query = std::abs(hit.distance) > off_layer * spacing ? 1 : sweeps_per_query;
            foot.normal = hit.normal;
            foot.place = wish - hit.distance * hit.normal;
        } else {
            foot.place = wish - dot(wish - foot.place, foot.normal) * foot.normal;
        }
        return KeptPoint{.place = foot.place};
    };
    const Spreading spreading{.dimension = 3, .spacing = spacing, .range = 1.75 * spacing, .sweeps = 40};
    spreading.spread(samples, keep, parallel);
    // A point at some depth in an edge takes a step for each of its faces.
    parallel.for_each(samples.size(), [&](std::size_t i) {
        for (int step = 0; step < (layer.depth == 0 ? 1 : 3); ++step)
            samples[i] = layer.project(samples[i], feet[i].triangle);
    });
}

}  // namespace

std::vector<Vec3d> sample_mesh(const SolidMesh& mesh, const SurfaceSampling& sampling, const Parallel& parallel) {
    assert(sampling.spacing > 0 || (sampling.count && *sampling.count > 0));
    const Layer layer{mesh, sampling.depth};
    const double size = reproducible::exp(reproducible::log(mesh.matter().volume) / 3);
    const double surface = mesh.matter().surface;
    double spacing = sampling.count ? std::sqrt(surface / static_cast<double>(*sampling.count)) : sampling.spacing;
    const double cell = std::min(spacing, size / 16);
    std::vector<Vec3d> points = scatter(layer, cell, parallel);
    if (points.empty()) return {};
    const double area = sampling.depth == 0 ? surface : static_cast<double>(points.size()) * 0.25 * cell * cell;
    double count = std::max(1.0, std::floor(area / (spacing * spacing) + 0.5));
    if (sampling.count) {
        count = static_cast<double>(*sampling.count);
        spacing = std::sqrt(area / count);
    }
    auto samples = thin_out(points, static_cast<std::size_t>(count), spacing, parallel);
    spread(samples, layer, spacing, parallel);
    return samples;
}

}  // namespace treacle
