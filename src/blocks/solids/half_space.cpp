#include "blocks/solids/half_space.h"

#include <algorithm>
#include <cmath>

#include "math/reproducible.h"
#include "math/space.h"

namespace treacle {

namespace {

constexpr int intervals = 256;

/// Measure of the directions in which a ray of length r from the particle ends behind a wall at distance s, and
/// the integral of cos θ over them.
struct Cap {
    double measure;
    double cosine;
};

Cap cap_in_3d(double r, double s) {
    const double c = s / r;
    return {2 * reproducible::pi * r * r * (1 - c), reproducible::pi * r * r * (1 - c * c)};
}

/// Chord in 2D: angles up to arccos(s/r) on both sides.
Cap cap_in_2d(double r, double s) {
    const double c = s / r;
    const double sine = std::sqrt(std::max(0.0, 1 - c * c));
    // arccos c = 2 arctan(sqrt((1-c)/(1+c))); arctan by halving the argument twice and a series.
    double t = std::sqrt((1 - c) / (1 + c));
    t = t / (1 + std::sqrt(1 + t * t));
    t = t / (1 + std::sqrt(1 + t * t));
    const double square = t * t;
    double sum = 0;
    for (int n = 27; n >= 3; n -= 2) sum = square * (1.0 / n - sum);
    const double angle = 8 * t * (1 - sum);
    return {2 * r * angle, 2 * r * sine};
}

/// Integrates over shells of radius r from s to h by Gauss's two-point rule on many intervals.
HalfSpaceSums integrate(int dimension, double s, double h, double number_density) {
    HalfSpaceSums sums{};
    constexpr int shells = 400;
    const double width = (h - s) / shells;
    for (int n = 0; n < shells; ++n) {
        for (const double offset : {0.21132486540518712, 0.78867513459481288}) {
            const double r = s + (n + offset) * width;
            if (r <= 0) continue;
            const double w = 1 - r / h;
            const Cap cap = dimension == 3 ? cap_in_3d(r, s) : cap_in_2d(r, s);
            const double weight = 0.5 * width * number_density;
            sums.density += weight * cap.measure * w * w;
            sums.near_density += weight * cap.measure * w * w * w;
            sums.push += weight * cap.cosine * w;
            sums.near_push += weight * cap.cosine * w * w;
        }
    }
    return sums;
}

}  // namespace

HalfSpaceTable::HalfSpaceTable(int dimension, double spacing, double support_radius) : support_radius_(support_radius) {
    const double number_density = 1 / cell_volume(dimension, spacing);
    rows_.reserve(intervals + 2);
    for (int n = 0; n <= intervals; ++n) {
        rows_.push_back(integrate(dimension, support_radius * n / intervals, support_radius, number_density));
    }
    rows_.push_back({});
}

HalfSpaceSums HalfSpaceTable::at(double distance) const {
    if (distance >= support_radius_) return {};
    const double place = std::max(0.0, distance) / support_radius_ * intervals;
    const auto n = static_cast<std::size_t>(place);
    const double t = place - static_cast<double>(n);
    const HalfSpaceSums& a = rows_[n];
    const HalfSpaceSums& b = rows_[n + 1];
    const auto mix = [t](double from, double to) { return from + t * (to - from); };
    return {mix(a.density, b.density), mix(a.near_density, b.near_density), mix(a.push, b.push),
            mix(a.near_push, b.near_push)};
}

}  // namespace treacle
