#include "surface_mesh/particle_cells.h"

#include "core/text.h"

namespace treacle {

ParticleCells::Reach ParticleCells::reach_of(double resolution, double size) {
    const double drawn = std::max(size, std::min(1.0, 1 / resolution)), shrink = size / drawn;
    const auto radius = static_cast<float>(radius_in_spacings * resolution * drawn);
    return {radius, 1 / (radius * radius), static_cast<float>(shrink * shrink * shrink)};
}

ParticleCells::ParticleCells(std::span<const Vec3f> positions, double spacing, double resolution,
                             const Parallel& parallel, std::span<const float> sizes)
    : step_(spacing / resolution), whole_(reach_of(resolution, 1)), side_(static_cast<int>(std::ceil(whole_.radius))) {
    struct Keyed {
        std::uint64_t key;
        std::uint32_t particle;
    };
    const std::size_t count = positions.size();
    std::vector<Vec3f> scaled(count);
    std::vector<Keyed> order(count);
    parallel.for_each(count, [&](std::size_t i) {
        scaled[i] = cast<float>(cast<double>(positions[i]) / step_);
        order[i] = {BlockIndex::key(cell_of(scaled[i])), static_cast<std::uint32_t>(i)};
    });
    std::sort(order.begin(), order.end(),
              [](const Keyed& a, const Keyed& b) { return a.key != b.key ? a.key < b.key : a.particle < b.particle; });
    std::vector<std::uint64_t> keys;
    particle_.resize(count);
    position_.resize(count);
    for (std::size_t n = 0; n < count; ++n) {
        particle_[n] = order[n].particle;
        position_[n] = scaled[order[n].particle];
        if (!sizes.empty()) reach_.push_back(reach_of(resolution, static_cast<double>(sizes[order[n].particle])));
        if (n > 0 && order[n].key == order[n - 1].key) continue;
        keys.push_back(order[n].key);
        first_.push_back(static_cast<std::uint32_t>(n));
    }
    first_.push_back(static_cast<std::uint32_t>(count));
    cells_ = BlockIndex(std::move(keys));
}

Result<void> ParticleCells::check(std::span<const Vec3f> positions, double spacing) {
    const double farthest = BlockIndex::farthest * radius_in_spacings * spacing;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const Vec3f p = positions[i];
        for (const int axis : {0, 1, 2}) {
            if (std::abs(p[axis]) < farthest) continue;  // false for NaN
            return fail(ExitCode::file_failed, "particle " + std::to_string(i + 1) + " is at (" + number_text(p.x) +
                                                   ", " + number_text(p.y) + ", " + number_text(p.z) +
                                                   "); a surface needs places within " + number_text(farthest) +
                                                   " m of the origin");
        }
    }
    return {};
}

std::vector<float> ParticleCells::crowding(const Parallel& parallel) const {
    std::vector<float> sums(position_.size(), 0.0f);
    parallel.for_blocks(cells_.size(), 16, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t cell = begin; cell < end; ++cell) {
            for_each_cell_around(cells_.place(cell), [&](std::uint32_t from, std::uint32_t to) {
                for (std::uint32_t i = first_[cell]; i < first_[cell + 1]; ++i) {
                    float sum = 0;
                    for (std::uint32_t j = from; j < to; ++j) {
                        const Vec3f d = position_[j] - position_[i];
                        sum += weight(j, dot(d, d));
                    }
                    sums[i] += sum;
                }
            });
        }
    });
    return sums;
}

float ParticleCells::lattice_crowding(int layers_above) {
    constexpr int reach = static_cast<int>(radius_in_spacings);
    constexpr double square = radius_in_spacings * radius_in_spacings;
    double sum = 0;
    for (int z = -reach; z <= std::min(layers_above, reach); ++z) {
        for (int y = -reach; y <= reach; ++y) {
            for (int x = -reach; x <= reach; ++x) {
                const double rest = std::max(0.0, 1 - (x * x + y * y + z * z) / square);
                sum += rest * rest * rest;
            }
        }
    }
    return static_cast<float>(sum);
}

}  // namespace treacle
