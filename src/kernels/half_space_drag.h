#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace treacle {

/// The drag of a half space of fluid behind a flat wall on a particle in front of it, for dashpots along the lines
/// between particles that weaken as 1 - q (viscous/implicit_viscosity.h).
///
/// The fluid goes on behind the surface with the opposite velocity there (Morris, Fox, Zhu 1997; Adami, Hu, Adams
/// 2012), so that steady shear is at rest at the surface: a particle at the distance y that moves along the wall with v
/// meets the velocity -v z/y at the depth z. With s = y + z and t along the wall, r² = s² + t²,
///
///   D(y) v = v c n ∫ (1 - q) (t/r)² s/y dV over the half space,     n particles per volume
///
/// where c makes a fluid of these dashpots one of viscosity 1. It comes from a table over y.
///
/// Fluid need not begin half a spacing from the surface, and walls may be curved. So the drag is divided by what the
/// particles that there are, together, hold of linear shear,
///
///   C_i = Σ_j k(s_ij) V_j D(y_j) y_j / ∫ k dA,     k(s) = 1 - (2s/h)²
///
/// with s the distance between the feet of i and j on the surface: 1 in fluid without gaps.
class HalfSpaceDrag {
public:
    HalfSpaceDrag() = default;

    /// `strength` is c n, 1/m² per volume.
    HalfSpaceDrag(int dimension, double spacing, double support_radius, double strength)
        : step_(support_radius / (entries - 1)), patch_(0.5 * support_radius) {
        const double h = support_radius;
        lay_patch(dimension);
        for (std::size_t n = 0; n < entries; ++n) {
            // The drag of a point on the surface would grow without end.
            const double y = std::max(static_cast<double>(n) * step_, 0.25 * spacing);
            constexpr int slices = 64;
            const double slice = (h - y) / slices;
            for (int s = 0; s < slices; ++s) {
                const double height = y + (s + 0.5) * slice;
                drags_[n] += strength * height / y * sheet(dimension, height, h) * slice;
            }
        }
    }

    /// For a particle this far (m) from the surface, 1/m²: times viscosity and the particle's volume it is a force per
    /// velocity.
    double operator()(double distance) const {
        const double place = std::clamp(distance / step_, 0.0, static_cast<double>(entries - 1));
        const auto n = std::min(static_cast<std::size_t>(place), entries - 2);
        const double part = place - static_cast<double>(n);
        return (1 - part) * drags_[n] + part * drags_[n + 1];
    }

    /// k at this square of a distance along the surface.
    double weight(double square) const { return std::max(0.0, 1 - square / (patch_ * patch_)); }

    /// ∫ k dA over the part of the surface that another wall, across it, leaves free when it is this far from the
    /// middle; for several the product of shares.
    double patch_area() const { return area_; }
    double free_share(double distance) const {
        const double place = std::clamp(distance / patch_, 0.0, 1.0) * static_cast<double>(parts);
        const auto n = std::min(static_cast<std::size_t>(place), parts - 1);
        const double part = place - static_cast<double>(n);
        return (1 - part) * free_[n] + part * free_[n + 1];
    }

private:
    static constexpr double pi = 3.14159265358979323846;
    static constexpr std::size_t entries = 129;
    static constexpr std::size_t parts = 32;

    /// ∫ k over the patch, and the share of it on the near side of a line at n/parts of its radius.
    void lay_patch(int dimension) {
        const auto across = [&](double x) {  // k along the line, with a factor that is the same for all
            const double left = 1 - x * x;
            return dimension == 2 ? left : left * std::sqrt(left);
        };
        std::array<double, parts + 1> sums{};
        for (std::size_t n = 0; n < parts; ++n)
            sums[n + 1] = sums[n] + across((static_cast<double>(n) + 0.5) / static_cast<double>(parts));
        for (std::size_t n = 0; n <= parts; ++n) free_[n] = 0.5 + 0.5 * sums[n] / sums[parts];
        area_ = dimension == 2 ? 4.0 / 3 * patch_ : 0.5 * pi * patch_ * patch_;
    }

    /// ∫ (1 - q) (t/r)² over a plane at this height; of t² the part along one direction.
    static double sheet(int dimension, double height, double h) {
        constexpr int rings = 64;
        const double ring = std::sqrt(h * h - height * height) / rings;
        double sum = 0;
        for (int n = 0; n < rings; ++n) {
            const double t = (n + 0.5) * ring, square = height * height + t * t;
            sum += (1 - std::sqrt(square) / h) * t * t / square * (dimension == 2 ? 2 : pi * t) * ring;
        }
        return sum;
    }

    double step_ = 1;  ///< m, between entries of the table
    std::array<double, entries> drags_{};
    double patch_ = 1;  ///< m, radius of what counts for C
    double area_ = 1;   ///< m² (2D: m)
    std::array<double, parts + 1> free_{};
};

}  // namespace treacle
