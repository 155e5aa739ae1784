#pragma once

#include <limits>

namespace treacle {

/// Facts about a fluid that is pulled apart. They outlast the step that found them, so they are part of the state.
struct Rupture {
    static constexpr double never = std::numeric_limits<double>::infinity();

    int lower = -1, upper = -1;  ///< ids of the bodies that the fluid joined at the start; -1: it joined none
    double start_distance = 0;   ///< m, between the two then
    double sides_met = never;    ///< s, when particles of opposite sides first came within reach of each other
    double parted = never;       ///< s, when no chain of particles joined the two bodies any more

    bool joined() const { return lower >= 0; }
    friend bool operator==(const Rupture&, const Rupture&) = default;
};

}  // namespace treacle
