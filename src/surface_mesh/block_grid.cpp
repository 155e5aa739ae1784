#include "surface_mesh/block_grid.h"

#include <algorithm>

namespace treacle {

BlockIndex::BlockIndex(std::vector<std::uint64_t> keys) : keys_(std::move(keys)) {
    std::sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
}

BlockPlace BlockIndex::place(std::size_t block) const {
    const auto part = [](std::uint64_t c) { return static_cast<std::int32_t>(c & 0x1FFFFF) - (1 << 20); };
    return {part(keys_[block]), part(keys_[block] >> 21), part(keys_[block] >> 42)};
}

std::uint32_t BlockIndex::find(const BlockPlace& place) const {
    const std::uint64_t wanted = key(place);
    const auto found = std::lower_bound(keys_.begin(), keys_.end(), wanted);
    return found == keys_.end() || *found != wanted ? none : static_cast<std::uint32_t>(found - keys_.begin());
}

BlockIndex BlockIndex::grown() const {
    // One axis after the other: three passes of three instead of one of 27.
    BlockIndex all = *this;
    for (const std::size_t axis : {0u, 1u, 2u}) {
        std::vector<std::uint64_t> keys;
        keys.reserve(3 * all.size());
        for (const int step : {-1, 0, 1}) {
            for (std::size_t b = 0; b < all.size(); ++b) {
                BlockPlace p = all.place(b);
                p[axis] += step;
                keys.push_back(key(p));
            }
        }
        all = BlockIndex(std::move(keys));
    }
    return all;
}

}  // namespace treacle
