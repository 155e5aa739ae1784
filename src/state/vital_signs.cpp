#include "state/vital_signs.h"

#include <algorithm>

namespace treacle {

void VitalSigns::include(Vec3d from, Vec3d to) {
    if (!has_box) low = from, high = to;
    has_box = true;
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], from[axis]);
        high[axis] = std::max(high[axis], to[axis]);
    }
}

}  // namespace treacle
