#include "state/particles.h"

#include <algorithm>
#include <numeric>

namespace treacle {

Particles::Particles(ScalarType real) : real_(real) {
    const auto add_real = [&](const char* name, const char* unit, ColumnShape shape, bool exported,
                              bool persistent = true) {
        add(ColumnInfo{name, unit, shape, real, exported, persistent});
    };
    add_real("position", "m", ColumnShape::vector, true);
    add_real("velocity", "m/s", ColumnShape::vector, true);
    add_real("mass", "kg", ColumnShape::scalar, false);
    add_real("density", "kg/m^3", ColumnShape::scalar, true);
    add_real("volume", "m^3", ColumnShape::scalar, false, false);
    add<std::uint32_t>("id", "", true);
    add<std::uint8_t>("material", "", true);
    add<std::uint32_t>("fluid", "", false);
}

std::vector<std::uint32_t> Particles::id_order() const {
    const auto id = get<std::uint32_t>("id");
    std::vector<std::uint32_t> order(size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return id[a] < id[b]; });
    return order;
}

std::vector<std::uint32_t> Particles::remove(std::span<const std::uint8_t> doomed) {
    std::vector<std::uint32_t> new_index(size());
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        if (doomed[i]) {
            new_index[i] = gone;
            continue;
        }
        if (kept != i) copy_row(i, kept);
        new_index[i] = static_cast<std::uint32_t>(kept++);
    }
    resize(kept);
    return new_index;
}

}  // namespace treacle
