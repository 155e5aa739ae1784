#include "ordinary/draw.h"

#include <cmath>

namespace treacle::ordinary {

namespace {

std::uint64_t number_of(std::uint64_t seed, std::string_view name, int dimension) {
    std::uint64_t number = mix64(seed + static_cast<std::uint64_t>(dimension) * Random::stride);
    for (const char letter : name) number = mix64(number + static_cast<unsigned char>(letter));
    return number;
}

}  // namespace

Draw::Draw(std::uint64_t seed, std::string_view name, int dimension)
    : seed_(seed), random_(number_of(seed, name, dimension)) {}

double Draw::between(double low, double high) {
    const double share = random_.next();
    return low + (high - low) * (seed_ == 0 ? 0.5 : share);
}

int Draw::whole(int low, int high) { return low + static_cast<int>(std::floor(between(0, 1) * (high - low + 1))); }

bool Draw::coin() { return between(0, 1) > 0.5; }

}  // namespace treacle::ordinary
