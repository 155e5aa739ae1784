#pragma once

#include <algorithm>
#include <cmath>

#include "math/space.h"
#include "simd/pack.h"

namespace treacle {

/// Strength of the dashpot between two particles at distance r, with q = r/r_e:
///   w(r) = (1/q - 1) + b q² (1 - q)² for r < r_e, and 0 beyond
/// The first term is the weight of the moving particle semi-implicit method (mps_weight.h). With it alone a lattice
/// with r_e = 2.1 spacings is 6 % softer in shear along its axes and 9 % stiffer along diagonals than a fluid. The
/// second term makes up for that, with b such that dashpots on the square or cubic lattice resist equally in all
/// directions:
///   Σ w (x⁴ - 3 x² y²)/r² = 0
/// Where this would give a negative b (radii at which many points of the lattice are about to leave), b is 0.
///
/// For numbers and for packs of them.
template <class S>
class DashpotWeight {
public:
    using Real = typename S::Real;

    DashpotWeight() = default;
    DashpotWeight(double support_radius, double spacing)
        : radius_(static_cast<Real>(support_radius)), closest_(static_cast<Real>(0.1 * spacing)) {
        const auto anisotropy = [](double w, double x, double y, double r) {
            return w * (x * x * x * x - 3 * x * x * y * y) / (r * r);
        };
        double of_mps = 0, of_bump = 0;
        for_each_point(spacing, [&](double x, double y, double r) {
            of_mps += anisotropy(mps(r / support_radius), x, y, r);
            of_bump += anisotropy(bump(r / support_radius), x, y, r);
        });
        const double balance = of_bump != 0 ? std::max(0.0, -of_mps / of_bump) : 0;
        balance_ = static_cast<Real>(balance);
        double sum = 0, squares = 0;
        for_each_point(spacing, [&](double, double, double r) {
            const double q = r / support_radius, w = mps(q) + balance * bump(q);
            sum += w;
            squares += r * r * w;
        });
        lattice_sum_ = sum;
        square_sum_ = squares;
    }

    Real support_radius() const { return radius_; }
    double lattice_sum() const { return lattice_sum_; }  ///< Σ w
    double square_sum() const { return square_sum_; }    ///< Σ w r², m²

    template <class T>
    TREACLE_SIMD_INLINE T operator()(const T& distance) const {
        using std::max;
        using std::min;
        const T q = min(max(distance, T(closest_)) * T(1 / radius_), T(1));
        return mps(q) + T(balance_) * bump(q);
    }

private:
    template <class T>
    static TREACLE_SIMD_INLINE T mps(const T& q) {
        return T(1) / q - T(1);
    }
    template <class T>
    static TREACLE_SIMD_INLINE T bump(const T& q) {
        const T root = q * (T(1) - q);
        return root * root;
    }

    /// visit(x, y, r) for the points of the lattice within the radius, except the one in the middle.
    template <class Visit>
    void for_each_point(double spacing, const Visit& visit) const {
        const double radius = static_cast<double>(radius_);
        const int reach = static_cast<int>(std::ceil(radius / spacing)), deep = S::dim == 3 ? reach : 0;
        for (int z = -deep; z <= deep; ++z) {
            for (int y = -reach; y <= reach; ++y) {
                for (int x = -reach; x <= reach; ++x) {
                    const double r = spacing * std::sqrt(static_cast<double>(x * x + y * y + z * z));
                    if (r > 0 && r < radius) visit(x * spacing, y * spacing, r);
                }
            }
        }
    }

    Real radius_ = 0, closest_ = 0, balance_ = 0;
    double lattice_sum_ = 0, square_sum_ = 0;
};

}  // namespace treacle
