#pragma once

#include <vector>

#include "math/sym_mat.h"
#include "math/vec.h"

namespace treacle {

/// How solids hold particles: per particle the impulse at the present velocities, and the matrix by which it falls when
/// they change. Empty: nothing is held.
template <class Real>
struct HeldRows {
    std::vector<Row4<Real>> impulse;   ///< kg m/s
    std::vector<SymMat<Real>> matrix;  ///< kg
};

}  // namespace treacle
