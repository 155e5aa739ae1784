#pragma once

#include "math/vec.h"

namespace treacle {

/// Types and constants with which one source is compiled for 2D and 3D, float and double. Pair kernels use Vec in both
/// dimensions (z = 0 in 2D); the dimension enters through constants and through the cells that are visited.
template <int Dim, class RealType>
struct Space {
    static_assert(Dim == 2 || Dim == 3);
    static constexpr int dim = Dim;
    using Real = RealType;
    using Vec = Vec3<Real>;
    using Row = Row4<Real>;
};

using Space2f = Space<2, float>;
using Space3f = Space<3, float>;
using Space2d = Space<2, double>;
using Space3d = Space<3, double>;

/// spacing^Dim: the volume (3D, m³) or area (2D, m²) that one lattice point stands for.
constexpr double cell_volume(int dim, double spacing) {
    return dim == 2 ? spacing * spacing : spacing * spacing * spacing;
}

}  // namespace treacle
