#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace treacle {

/// How much more a flat wall must drag than its samples do, so that fluid in steady shear is at rest at the drawn
/// surface.
///
/// The fluid goes on behind the surface with the opposite velocity there (Morris, Fox, Zhu 1997; Adami, Hu, Adams
/// 2012): a particle at the distance y that moves with v meets a half space whose velocity at the depth z is -v z/y.
/// The drag of that half space is
///
///   D(y) = v ∫ w(r) (y + z)/y t² dV,     w = -W'(r) / (r (r² + 0.01 h²)),   t along the wall, r² = (y + z)² + t²
///
/// with w as in viscous_pair.h. Samples at rest, sheets of the volume V per area at some depths, give less: they are
/// too few, and fluid would be at rest where they are. The factor is the ratio of both. It comes from a table over y.
class NoSlipDrag {
public:
    NoSlipDrag() = default;

    /// Depths (m) of the sheets of samples below the surface, and their volumes per area (m).
    template <class Kernel>
    NoSlipDrag(const Kernel& kernel, int dimension, double spacing, std::span<const double> depths,
               std::span<const double> thicknesses)
        : step_(spacing / (entries - 1)) {
        const double h = kernel.support_radius();
        for (std::size_t n = 0; n < entries; ++n) {
            const double y = std::max(static_cast<double>(n) * step_, 0.25 * spacing);
            constexpr int slices = 64;
            const double slice = (h - y) / slices;
            double wanted = 0, there = 0;
            for (int s = 0; s < slices; ++s) {
                const double height = y + (s + 0.5) * slice;
                wanted += height / y * sheet(kernel, dimension, height) * slice;
            }
            for (std::size_t layer = 0; layer < depths.size(); ++layer)
                there += thicknesses[layer] * sheet(kernel, dimension, y + depths[layer]);
            factors_[n] = there > 0 ? wanted / there : 1;
        }
    }

    /// For a particle this far (m) from the surface. It is bounded: closer than a quarter of a spacing, where the drag
    /// of a point grows without end, and farther than a spacing, where samples hardly reach, it stays as it is there.
    template <class Real>
    Real operator()(Real distance) const {
        const double place = std::clamp(static_cast<double>(distance) / step_, 0.0, static_cast<double>(entries - 1));
        const auto n = std::min(static_cast<std::size_t>(place), entries - 2);
        const double part = place - static_cast<double>(n);
        return static_cast<Real>((1 - part) * factors_[n] + part * factors_[n + 1]);
    }

private:
    static constexpr std::size_t entries = 17;

    /// ∫ w t² over a plane at this height.
    template <class Kernel>
    static double sheet(const Kernel& kernel, int dimension, double height) {
        const double h = kernel.support_radius();
        if (!(height < h)) return 0;
        constexpr int rings = 64;
        const double ring = std::sqrt(h * h - height * height) / rings;
        double sum = 0;
        for (int r = 0; r < rings; ++r) {
            const double t = (r + 0.5) * ring, distance = std::sqrt(height * height + t * t);
            const double w = -kernel.slope(distance / h) / (distance * (distance * distance + 0.01 * h * h));
            // Of t² the part along one direction; areas without the factor 2 (2D: two points) or 2π that all share.
            sum += w * t * t * (dimension == 2 ? 1 : t / 2) * ring;
        }
        return sum;
    }

    double step_ = 1;  ///< m, between entries of the table
    std::array<double, entries> factors_{};
};

}  // namespace treacle
