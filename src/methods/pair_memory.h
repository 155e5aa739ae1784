#pragma once

#include "methods/method_input.h"

namespace treacle {

/// Memory of the pairs of a particle, for estimates, bytes.
struct PairMemory {
    double neighbors;  ///< within the support, of a lattice
    double real;       ///< bytes of a number

    /// With a support radius in spacings.
    static PairMemory of(const MethodInput& input, double radius) {
        const double disc = 3.14 * radius * radius;
        return with_neighbors(input, input.dimension == 3 ? 4.0 / 3 * disc * radius : disc);
    }
    static PairMemory with_neighbors(const MethodInput& input, double neighbors) {
        return {neighbors, input.double_precision ? 8.0 : 4.0};
    }

    /// Neighbor rows and the buffers in which they are built, with a third to spare.
    double rows() const { return 2 * 4 * 1.33 * neighbors; }

    /// A vector for every pair, with a quarter to spare.
    double vectors() const { return 1.25 * 4 * real * neighbors; }

    /// Connections with the index of the other end and `numbers` values, with half or so to spare.
    double connections(double numbers, double spare = 1.5) const { return spare * (4 + numbers * real) * neighbors; }
};

}  // namespace treacle
