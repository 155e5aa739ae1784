#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace treacle {

/// Ids that count from 0.
inline std::vector<std::uint32_t> numbered(std::size_t count) {
    std::vector<std::uint32_t> ids(count);
    std::iota(ids.begin(), ids.end(), 0u);
    return ids;
}

}  // namespace treacle
