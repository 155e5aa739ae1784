#pragma once

#include <algorithm>
#include <cmath>

#include "math/space.h"
#include "simd/pack.h"

namespace treacle {

/// The weight of the moving particle semi-implicit method (Koshizuka, Oka 1996), by the distance r:
///   w(r) = r_e/r - 1 for r < r_e, and 0 beyond
/// with its sums over the square or cubic lattice of the particles at the start:
///   n0 = Σ w        the particle number density
///   λ  = Σ r² w / Σ w
///
/// For numbers and for packs of them.
///
/// Departure: closer than a tenth of a spacing the weight stays constant, so that two particles at one place do not
///   make it infinite.
template <class S>
class MpsWeight {
public:
    using Real = typename S::Real;

    MpsWeight() = default;
    MpsWeight(double support_radius, double spacing)
        : radius_(static_cast<Real>(support_radius)), closest_(static_cast<Real>(0.1 * spacing)) {
        const int reach = static_cast<int>(std::ceil(support_radius / spacing));
        const int deep = S::dim == 3 ? reach : 0;
        double sum = 0, squares = 0;
        for (int z = -deep; z <= deep; ++z) {
            for (int y = -reach; y <= reach; ++y) {
                for (int x = -reach; x <= reach; ++x) {
                    const double r = spacing * std::sqrt(static_cast<double>(x * x + y * y + z * z));
                    if (r == 0 || r >= support_radius) continue;
                    const double w = support_radius / r - 1;
                    sum += w;
                    squares += r * r * w;
                }
            }
        }
        lattice_sum_ = sum;
        mean_square_ = squares / sum;
    }

    Real support_radius() const { return radius_; }
    double lattice_sum() const { return lattice_sum_; }  ///< n0
    double mean_square() const { return mean_square_; }  ///< λ, m²

    template <class T>
    TREACLE_SIMD_INLINE T operator()(const T& distance) const {
        using std::max;
        return max(T(radius_) / max(distance, T(closest_)) - T(1), T(0));
    }

private:
    Real radius_ = 0, closest_ = 0;
    double lattice_sum_ = 0, mean_square_ = 0;
};

}  // namespace treacle
