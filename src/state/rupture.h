#pragma once

#include <limits>

namespace treacle {

/// What is known about a fluid that is pulled apart. A fact outlasts the step that found it, so it is part of the
/// state.
struct Rupture {
    static constexpr double never = std::numeric_limits<double>::infinity();

    int lower = -1, upper = -1;  ///< numbers of the bodies that the fluid joined at the start; -1: it joined none
    double start_distance = 0;   ///< m, between the two then
    double sides_met = never;    ///< s, when particles of opposite sides first were within reach of each other
    double parted = never;       ///< s, when no chain of particles led from one body to the other any more

    bool joined() const { return lower >= 0; }
    friend bool operator==(const Rupture&, const Rupture&) = default;
};

}  // namespace treacle
