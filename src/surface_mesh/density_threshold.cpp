#include "surface_mesh/density_threshold.h"

#include <algorithm>
#include <cmath>

#include "surface_mesh/density_field.h"
#include "surface_mesh/marching_cubes.h"
#include "surface_mesh/smoothing.h"

namespace treacle {

namespace {

constexpr int block_side = 8;

/// Place of the dense grid.
struct DenseGrid {
    Vec3f low{};     ///< place of point (0, 0, 0), m
    float step = 0;  ///< m

    DenseGrid(const std::vector<Vec3f>& positions, const std::array<int, 3>& points, float distance) {
        Vec3f high = low = positions[0];
        for (const Vec3f& p : positions) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
        const auto steps = [&](int axis) { return static_cast<float>(points[static_cast<std::size_t>(axis)] - 1); };
        for (const int axis : {0, 1, 2}) {  // two steps of air at either end
            step = std::max(step, (high[axis] - low[axis] + 2 * distance) / (steps(axis) - 4));
        }
        for (const int axis : {0, 1, 2}) low[axis] = 0.5f * (low[axis] + high[axis] - step * steps(axis));
    }
};

/// For every block of the grid the particles that reach into it.
struct Reaching {
    std::array<int, 3> blocks{};
    std::vector<std::uint32_t> first, particle;

    Reaching(const std::vector<Vec3f>& points, const std::array<int, 3>& grid, float reach) {
        for (std::size_t axis = 0; axis < 3; ++axis) blocks[axis] = (grid[axis] + block_side - 1) / block_side;
        first.assign(static_cast<std::size_t>(blocks[0] * blocks[1] * blocks[2]) + 1, 0);
        const auto visit = [&](const auto& body) {
            for (std::uint32_t i = 0; i < points.size(); ++i) {
                std::array<int, 3> low, high;
                for (const int axis : {0, 1, 2}) {
                    const int last = blocks[static_cast<std::size_t>(axis)] - 1;
                    const auto block_at = [&](float x) {
                        return std::clamp(static_cast<int>(std::floor(x / block_side)), 0, last);
                    };
                    low[static_cast<std::size_t>(axis)] = block_at(points[i][axis] - reach);
                    high[static_cast<std::size_t>(axis)] = block_at(points[i][axis] + reach);
                }
                for (int z = low[2]; z <= high[2]; ++z) {
                    for (int y = low[1]; y <= high[1]; ++y) {
                        const auto row = static_cast<std::size_t>((z * blocks[1] + y) * blocks[0]);
                        for (int x = low[0]; x <= high[0]; ++x) body(row + static_cast<std::size_t>(x), i);
                    }
                }
            }
        };
        visit([&](std::size_t block, std::uint32_t) { ++first[block + 1]; });
        for (std::size_t b = 1; b < first.size(); ++b) first[b] += first[b - 1];
        particle.resize(first.back());
        std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
        visit([&](std::size_t block, std::uint32_t i) { particle[next[block]++] = i; });
    }
};

/// visit(row, square) for the rows of a block that come within `reach` of p (relative to the block, in steps); `square`
/// holds the squared distances of its points. Rows are whole, because compilers vectorize loops of constant length.
template <class Visit>
void for_each_row(float* block, Vec3f p, float reach, const Visit& visit) {
    const auto first = [&](float x) { return std::max(0, static_cast<int>(std::ceil(x - reach))); };
    const auto last = [&](float x) { return std::min(block_side - 1, static_cast<int>(std::floor(x + reach))); };
    std::array<float, block_side> along;
    for (int x = 0; x < block_side; ++x) {
        const float dx = static_cast<float>(x) - p.x;
        along[static_cast<std::size_t>(x)] = dx * dx;
    }
    for (int z = first(p.z); z <= last(p.z); ++z) {
        const float dz = static_cast<float>(z) - p.z;
        for (int y = first(p.y); y <= last(p.y); ++y) {
            const float dy = static_cast<float>(y) - p.y, away = dz * dz + dy * dy;
            if (away >= reach * reach) continue;
            std::array<float, block_side> square;
            for (std::size_t x = 0; x < block_side; ++x) square[x] = away + along[x];
            visit(block + (z * block_side + y) * block_side, square);
        }
    }
}

/// `distance` minus the distance to the nearest surface particle, in steps. Points near inner particles only have
/// `distance`.
BlockGrid distance_field(const std::vector<Vec3f>& points, const std::vector<std::uint8_t>& on_surface,
                         const std::array<int, 3>& size, float distance, const Parallel& parallel) {
    constexpr float margin = 1.8f;  // the far end of a step that crosses the surface needs its distance as well
    const float reach = distance + margin;
    const Reaching reaching(points, size, reach);
    BlockGrid grid;
    grid.side = block_side;
    std::vector<std::uint64_t> keys;
    for (int z = 0; z < reaching.blocks[2]; ++z) {
        for (int y = 0; y < reaching.blocks[1]; ++y) {
            for (int x = 0; x < reaching.blocks[0]; ++x) keys.push_back(BlockIndex::key({x, y, z}));
        }
    }
    grid.index = BlockIndex(std::move(keys));  // in the order of `reaching`
    grid.values.resize(grid.index.size() * grid.points_per_block());
    parallel.for_blocks(grid.index.size(), 8, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t b = begin; b < end; ++b) {
            float* values = grid.block(b);
            const std::size_t first = reaching.first[b], last = reaching.first[b + 1];
            const auto particles = std::span(reaching.particle).subspan(first, last - first);
            std::fill(values, values + grid.points_per_block(), particles.empty() ? distance - reach : reach * reach);
            if (particles.empty()) continue;
            const BlockPlace place = grid.index.place(b);
            const Vec3f corner{static_cast<float>(place[0] * block_side), static_cast<float>(place[1] * block_side),
                               static_cast<float>(place[2] * block_side)};
            for (const std::uint32_t i : particles) {
                if (!on_surface[i]) continue;
                for_each_row(values, points[i] - corner, reach, [](float* row, const auto& square) {
                    for (std::size_t x = 0; x < block_side; ++x) row[x] = std::min(row[x], square[x]);
                });
            }
            const float near = distance * distance;
            for (const std::uint32_t i : particles) {
                if (on_surface[i]) continue;
                for_each_row(values, points[i] - corner, distance, [near](float* row, const auto& square) {
                    for (std::size_t x = 0; x < block_side; ++x) {
                        row[x] = square[x] < near && row[x] >= near ? 0 : row[x];
                    }
                });
            }
            for (std::size_t n = 0; n < grid.points_per_block(); ++n) values[n] = distance - std::sqrt(values[n]);
        }
    });
    return grid;
}

}  // namespace

std::vector<std::uint8_t> DensityThreshold::surface_particles(const std::vector<Vec3f>& positions,
                                                              const Parallel& parallel) const {
    const ParticleCells cells(positions, spacing, 1, parallel);
    const std::vector<float> crowding = cells.crowding(parallel);
    const auto lowest = static_cast<float>(threshold) * ParticleCells::lattice_crowding(2);
    std::vector<std::uint8_t> on_surface(positions.size());
    for (std::size_t n = 0; n < crowding.size(); ++n) on_surface[cells.particle(n)] = crowding[n] < lowest;
    return on_surface;
}

Result<SurfaceMesh> DensityThreshold::reconstruct(const SurfaceParticles& particles, const Parallel& parallel) const {
    if (auto right = ParticleCells::check(particles.positions, spacing); !right) return tl::unexpected(right.error());
    SurfaceMesh mesh;
    if (particles.positions.empty()) return mesh;
    const auto reach = static_cast<float>(distance * spacing);
    const DenseGrid dense(particles.positions, grid, reach);
    std::vector<Vec3f> points = particles.positions;
    for (Vec3f& p : points) p = (p - dense.low) / dense.step;
    const auto on_surface = surface_particles(particles.positions, parallel);
    const BlockGrid field = distance_field(points, on_surface, grid, reach / dense.step, parallel);
    const GridSurface surface = march_cubes(field, 0, parallel);
    mesh.normals = point_normals(surface.points, surface.triangles);
    place_mesh(mesh, surface, cast<double>(dense.low), dense.step, parallel);
    if (!particles.columns.empty()) {
        const ParticleCells cells(particles.positions, spacing, 1, parallel);
        std::vector<Vec3f> places = mesh.points;
        for (Vec3f& p : places) p = cast<float>(cast<double>(p) / cells.step());
        mesh.columns = DensityField(cells, parallel).inherit(places, particles.columns, parallel);
    }
    return mesh;
}

}  // namespace treacle
