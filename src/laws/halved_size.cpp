#include "laws/halved_size.h"

#include <cmath>

namespace treacle {

double halved_size(int dimension, int halvings) {
    double size = std::ldexp(1.0, -(halvings / dimension));
    for (int n = 0; n < halvings % dimension; ++n)
        size *= dimension == 3 ? 0.79370052598409974 : 0.70710678118654752;  // 2^(-1/d)
    return size;
}

}  // namespace treacle
