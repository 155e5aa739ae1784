#include "blocks/solids/walls.h"

namespace treacle {

template <class S>
void WallRows<S>::update(std::span<const typename S::Row> position, const Bodies& bodies, double reach,
                         const Parallel& parallel) {
    const std::size_t count = position.size();
    const std::size_t blocks = Parallel::block_count(count);
    if (block_walls_.size() < blocks) block_walls_.resize(blocks);
    begin_.resize(count + 1);
    begin_[0] = 0;
    parallel.for_blocks(count, [&](std::size_t first, std::size_t last, std::size_t block) {
        auto& walls = block_walls_[block];
        walls.clear();
        for (std::size_t i = first; i < last; ++i) {
            const Vec3d point = cast<double>(position[i].xyz());
            for (std::uint32_t b = 0; b < bodies.size(); ++b) {
                for_each_face(bodies[b], point, reach, [&](double distance, Vec3d normal) {
                    walls.push_back({b, distance, normal, bodies[b].adhesion});
                });
            }
            begin_[i + 1] = walls.size();
        }
    });
    walls_.clear();
    for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t offset = walls_.size();
        walls_.insert(walls_.end(), block_walls_[block].begin(), block_walls_[block].end());
        const std::size_t first = block * Parallel::block_size;
        const std::size_t last = std::min(count, first + Parallel::block_size);
        for (std::size_t i = first; i < last; ++i) begin_[i + 1] += offset;
    }
}

template class WallRows<Space2f>;
template class WallRows<Space3f>;
template class WallRows<Space2d>;
template class WallRows<Space3d>;

}  // namespace treacle
