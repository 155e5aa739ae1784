#include "geometry/mouth.h"

#include <algorithm>
#include <cmath>

#include "math/reproducible.h"

namespace treacle {

namespace {

constexpr double rounding = 1e-9;  // share of a distance: a point on the rim, up to rounding, is not inside

double area(const Disk& disk) { return reproducible::pi * disk.radius * disk.radius; }

/// Twice as many triangles as points, each with its corners at the center, a tip and a notch.
double area(const Star& star) {
    return star.points * star.radius * star.inner_radius * reproducible::sin(reproducible::pi / star.points);
}

bool contains(const Disk& disk, double x, double y) { return x * x + y * y < disk.radius * disk.radius; }

/// Folds the point into the triangle between the nearest tip and a notch beside it.
bool contains(const Star& star, double x, double y) {
    const double step = 2 * reproducible::pi / star.points;
    const double c = reproducible::cos(step), s = reproducible::sin(step);
    double along = x, across = y;
    for (int n = 1; n < star.points; ++n) {  // turn from tip to tip
        const double turned = c * x + s * y;
        y = c * y - s * x;
        x = turned;
        if (x > along) {
            along = x;
            across = y;
        }
    }
    across = std::abs(across);
    const double notch_x = star.inner_radius * reproducible::cos(step / 2);
    const double notch_y = star.inner_radius * reproducible::sin(step / 2);
    return (notch_x - star.radius) * across - notch_y * (along - star.radius) > 0;
}

std::vector<Vec3d> slit_points(double width, double spacing) {
    const int count = static_cast<int>(std::max(1.0, std::floor(width / spacing + 0.5)));
    std::vector<Vec3d> points;
    for (int n = 0; n < count; ++n) points.push_back({((n + 0.5) / count - 0.5) * width, 0, 0});
    return points;
}

/// Columns and rows of a lattice with one point per spacing², and by how much every other row is shifted.
struct MouthRows {
    double column, row, shift;
};

MouthRows rows_of(MouthLattice lattice, double spacing) {
    if (lattice == MouthLattice::square) return {spacing, spacing, 0};
    const double height = std::sqrt(3.0) / 2;  // of a triangle with edges of one
    const double edge = spacing / std::sqrt(height);
    return {edge, height * edge, 0.5};
}

std::vector<Vec3d> lattice_points(const Mouth& mouth, const MouthRows& rows, double shift_x, double shift_y) {
    const int reach = static_cast<int>(outer_radius(mouth) / std::min(rows.column, rows.row)) + 1;
    std::vector<Vec3d> points;
    for (int j = -reach; j <= reach; ++j) {
        const double shift = shift_x + (j % 2 != 0 ? rows.shift : 0);
        for (int i = -reach; i <= reach; ++i) {
            const double x = (i + shift) * rows.column, y = (j + shift_y) * rows.row;
            if (contains(mouth, x * (1 + rounding), y * (1 + rounding))) points.push_back({x, y, 0});
        }
    }
    return points;
}

}  // namespace

double area(const Mouth& mouth) {
    if (mouth.dimension == 2) return 2 * outer_radius(mouth);
    return std::visit([](const auto& form) { return area(form); }, mouth.form);
}

bool contains(const Mouth& mouth, double x, double y) {
    if (mouth.dimension == 2) return std::abs(x) < outer_radius(mouth);
    return std::visit([&](const auto& form) { return contains(form, x, y); }, mouth.form);
}

double outer_radius(const Mouth& mouth) {
    return std::visit([](const auto& form) { return form.radius; }, mouth.form);
}

std::vector<Vec3d> sample_mouth(const Mouth& mouth, double spacing, MouthLattice lattice) {
    if (mouth.dimension == 2) return slit_points(area(mouth), spacing);
    const double wanted = area(mouth) / (spacing * spacing);
    std::vector<Vec3d> best{Vec3d{}};
    for (const auto& [x, y] : {std::pair{0.0, 0.0}, {0.5, 0.5}, {0.5, 0.0}}) {
        std::vector<Vec3d> points = lattice_points(mouth, rows_of(lattice, spacing), x, y);
        const auto miss = [&](std::size_t count) { return std::abs(static_cast<double>(count) - wanted); };
        if (!points.empty() && miss(points.size()) < miss(best.size())) best = std::move(points);
    }
    return best;
}

}  // namespace treacle
