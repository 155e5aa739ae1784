#pragma once

#include <cstdint>
#include <string_view>

#include "math/random.h"

namespace treacle::ordinary {

/// What a seed decides about an ordinary scene: sizes, spacing, packing, length of the steps. Seed 0 draws nothing and
/// gives the middle of every range. The draw knows the case but not the method, so all methods get the same scene.
class Draw {
public:
    Draw(std::uint64_t seed, std::string_view name, int dimension);

    /// Evenly from a range.
    double between(double low, double high);

    /// A whole number, both ends included.
    int whole(int low, int high);

    /// Seed 0: false.
    bool coin();

private:
    std::uint64_t seed_;
    Random random_;
};

}  // namespace treacle::ordinary
