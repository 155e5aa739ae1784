#include "render/blue_noise.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "render/sampling.h"

namespace treacle::tracing {

namespace {

constexpr int side = 64;

/// Fills the tile point by point, each in the largest void that is left (the "void" half of Ulichney's
/// void-and-cluster method); the order of the points gives their values.
std::vector<float> make_tile() {
    constexpr int reach = 8;
    constexpr float width = 1.9f;  // of the bell that a point puts around itself, in pixels
    constexpr std::size_t count = side * side;
    std::vector<float> crowding(count), tile(count);
    // A random start; otherwise the first points would make a lattice.
    for (std::size_t n = 0; n < count; ++n) crowding[n] = 1e-3f * unit_float(hash(static_cast<std::uint32_t>(n)));
    for (std::size_t rank = 0; rank < count; ++rank) {
        const auto emptiest = static_cast<int>(std::min_element(crowding.begin(), crowding.end()) - crowding.begin());
        tile[static_cast<std::size_t>(emptiest)] = (static_cast<float>(rank) + 0.5f) / count;
        for (int dy = -reach; dy <= reach; ++dy) {
            for (int dx = -reach; dx <= reach; ++dx) {
                const int x = (emptiest % side + dx + side) % side, y = (emptiest / side + dy + side) % side;
                const auto square = static_cast<float>(dx * dx + dy * dy);
                crowding[static_cast<std::size_t>(y * side + x)] += std::exp(-square / (2 * width * width));
            }
        }
        crowding[static_cast<std::size_t>(emptiest)] = 1e30f;  // taken
    }
    return tile;
}

}  // namespace

float blue_noise(unsigned x, unsigned y) {
    static const std::vector<float> tile = make_tile();
    return tile[(y % side) * side + x % side];
}

}  // namespace treacle::tracing
