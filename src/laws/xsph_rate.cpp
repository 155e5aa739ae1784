#include "laws/xsph_rate.h"

namespace treacle {

double xsph_rate(int dimension, double kinematic_viscosity, double support_radius) {
    const double moment = dimension == 3 ? 3.0 / 40 : 31.0 / 392;
    return 2 * kinematic_viscosity / (moment * support_radius * support_radius);
}

}  // namespace treacle
