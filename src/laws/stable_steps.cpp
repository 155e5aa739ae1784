#include "laws/stable_steps.h"

#include <algorithm>
#include <cmath>

#include "kernels/mps_weight.h"
#include "math/space.h"

namespace treacle {

double longest_tension_step(double tension, double density, double support_radius) {
    return 0.07 * std::sqrt(density * support_radius * support_radius * support_radius / tension);
}

double longest_viscous_step(double kinematic_viscosity, double support_radius) {
    return 0.0125 * support_radius * support_radius / kinematic_viscosity;
}

double longest_conduction_step(double diffusivity, double support_radius) {
    return 0.03 * support_radius * support_radius / diffusivity;
}

namespace {

template <class S>
double largest_number(double support_radius, double spacing) {
    const MpsWeight<S> weight(support_radius, spacing);
    const int reach = static_cast<int>(std::ceil(support_radius / spacing)), deep = S::dim == 3 ? reach : 0;
    // Waves whose sign changes from one particle to the next along some of the axes: n0 minus the sum of weights with
    // signs.
    double fastest = 0;
    for (int axes = 1; axes <= S::dim; ++axes) {
        double rate = 0;
        for (int z = -deep; z <= deep; ++z) {
            for (int y = -reach; y <= reach; ++y) {
                for (int x = -reach; x <= reach; ++x) {
                    const double r = spacing * std::sqrt(static_cast<double>(x * x + y * y + z * z));
                    const int along = x + (axes > 1 ? y : 0) + (axes > 2 ? z : 0);
                    if (r > 0 && along % 2 != 0) rate += 2 * weight(r);
                }
            }
        }
        fastest = std::max(fastest, rate);
    }
    return 2 / (2 * S::dim / (weight.lattice_sum() * weight.mean_square()) * fastest * spacing * spacing);
}

}  // namespace

double largest_laplacian_number(int dimension, double support_radius, double spacing) {
    return dimension == 3 ? largest_number<Space3d>(support_radius, spacing)
                          : largest_number<Space2d>(support_radius, spacing);
}

}  // namespace treacle
