#pragma once

#include "math/vec.h"

namespace treacle {

/// What the health of a run is judged by beyond a single step. A resumed run goes on with it, so that it is judged as
/// one that was never interrupted.
struct VitalSigns {
    /// J, the most that can be stored in the fluid (as elastic, pressure and surface energy) and come back as speed or
    /// height. Below zero: energy for which there is no source.
    double stored_energy = 0;
    bool has_box = false;
    Vec3d low{}, high{};        ///< m, the box in which fluid and dynamic solids have been
    Vec3d gravity{};            ///< m/s², the strongest there was along each axis
    double particles_ever = 0;  ///< that have been in the fluid, by their ids
    double longest_step = 0;    ///< s, since parameters changed or particles came in
    int short_steps = 0;        ///< one after the other that are a hundredth of it or less

    void include(Vec3d from, Vec3d to);
    bool operator==(const VitalSigns&) const = default;
    Vec3d extent() const { return has_box ? high - low : Vec3d{}; }
};

}  // namespace treacle
