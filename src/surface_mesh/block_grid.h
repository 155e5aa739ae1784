#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace treacle {

/// Integer coordinates of a block.
using BlockPlace = std::array<std::int32_t, 3>;

/// Blocks of space by their place, sorted; only those that are needed exist.
class BlockIndex {
public:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::int32_t farthest = (1 << 20) - 2;  ///< coordinate; the key of a place has 21 bits per axis

    BlockIndex() = default;

    /// Keys in any order; repetitions are allowed.
    explicit BlockIndex(std::vector<std::uint64_t> keys);

    /// Grows with x, then y, then z.
    static std::uint64_t key(const BlockPlace& place) {
        const auto part = [](std::int32_t c) { return static_cast<std::uint64_t>(c + (1 << 20)); };
        return part(place[2]) << 42 | part(place[1]) << 21 | part(place[0]);
    }

    std::size_t size() const { return keys_.size(); }
    BlockPlace place(std::size_t block) const;
    std::uint32_t find(const BlockPlace& place) const;  ///< number of a block, or none

    /// These and all blocks that touch them.
    BlockIndex grown() const;

private:
    std::vector<std::uint64_t> keys_;
};

/// Numbers on the points of a grid, block by block; 0 where there is no block. Point (x, y, z) of the block at place p
/// is point p · side + (x, y, z) of the grid.
struct BlockGrid {
    BlockIndex index;
    int side = 8;               ///< points of a block along an axis
    std::vector<float> values;  ///< x fastest, then y, z, block

    std::size_t points_per_block() const { return static_cast<std::size_t>(side * side * side); }
    float* block(std::size_t b) { return values.data() + b * points_per_block(); }
    const float* block(std::size_t b) const { return values.data() + b * points_per_block(); }
};

}  // namespace treacle
