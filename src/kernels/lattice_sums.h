#pragma once

#include <cmath>

#include "math/space.h"

namespace treacle {

/// Σ W over a square lattice (2D: a row) in a plane at this height above or below.
template <class Kernel>
double sheet_sum(const Kernel& kernel, int dimension, double spacing, double height) {
    const double h = kernel.support_radius();
    const int reach = static_cast<int>(std::ceil(h / spacing));
    double sum = 0;
    for (int v = dimension == 3 ? -reach : 0; v <= (dimension == 3 ? reach : 0); ++v) {
        for (int u = -reach; u <= reach; ++u) {
            const double along = static_cast<double>(u * u + v * v) * spacing * spacing;
            sum += kernel.value(std::sqrt(along + height * height) / h);
        }
    }
    return sum;
}

/// Volume that each sample of a single layer must have so that a particle one spacing above it feels all layers of a
/// lattice below a flat surface.
template <class Kernel>
double layer_volume(const Kernel& kernel, int dimension, double spacing) {
    double below = 0;
    for (int layer = 1; layer * spacing < static_cast<double>(kernel.support_radius()); ++layer) {
        below += sheet_sum(kernel, dimension, spacing, layer * spacing);
    }
    return below * cell_volume(dimension, spacing) / sheet_sum(kernel, dimension, spacing, spacing);
}

}  // namespace treacle
