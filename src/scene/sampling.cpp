#include "scene/sampling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include "math/reproducible.h"
#include "math/space.h"
#include "scene/relaxed_packing.h"

namespace treacle {

namespace {

/// Points anchor + index · cell in the frame of the shape as drawn, for every index from first to last whose
/// squared length is at most max_square; if there is a form to cut it out of, of these the points inside.
struct Lattice {
    Vec3d anchor{};
    Vec3d cell{};
    std::int64_t first[3]{};
    std::int64_t last[3]{};
    std::int64_t max_square = std::numeric_limits<std::int64_t>::max();
    std::optional<Shape> cut{};
};

/// Visits the points in order; visit(point) returns false to stop.
template <class Visit>
void visit_points(const Lattice& lattice, const Visit& visit) {
    // A point on the surface, up to rounding, is not inside.
    const double outside = -1e-9 * lattice.cell.x;
    for (std::int64_t k = lattice.first[2]; k <= lattice.last[2]; ++k) {
        for (std::int64_t j = lattice.first[1]; j <= lattice.last[1]; ++j) {
            for (std::int64_t i = lattice.first[0]; i <= lattice.last[0]; ++i) {
                if (i * i + j * j + k * k > lattice.max_square) continue;
                const Vec3d offset{static_cast<double>(i) * lattice.cell.x, static_cast<double>(j) * lattice.cell.y,
                                   static_cast<double>(k) * lattice.cell.z};
                const Vec3d point = lattice.anchor + offset;
                if (lattice.cut) {
                    const double distance = surface_point(*lattice.cut, point).distance;
                    if (distance >= outside) {  // so are all points closer to it than the surface
                        i += static_cast<std::int64_t>(std::max(0.0, distance) / lattice.cell.x);
                        continue;
                    }
                }
                if (!visit(point)) return;
            }
        }
    }
}

std::int64_t square_root_floor(std::int64_t square) {
    auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(square)));
    while (root * root > square) --root;
    while ((root + 1) * (root + 1) <= square) ++root;
    return root;
}

/// Number of integer points with squared length up to max_square, in 2D or 3D.
std::int64_t points_in_ball(std::int64_t max_square, int dimension) {
    if (max_square < 0) return 0;
    const std::int64_t reach = square_root_floor(max_square);
    const std::int64_t depth = dimension == 3 ? reach : 0;
    std::int64_t points = 0;
    for (std::int64_t k = -depth; k <= depth; ++k) {
        const std::int64_t left = max_square - k * k;
        const std::int64_t height = square_root_floor(left);
        for (std::int64_t j = -height; j <= height; ++j) points += 2 * square_root_floor(left - j * j) + 1;
    }
    return points;
}

/// Points along one axis of a box.
double points_along(double size, double spacing) { return std::max(1.0, std::floor(size / spacing + 0.5)); }

/// Edge of a cell of this volume.
double edge_of(double cell_volume, int dimension) {
    return dimension == 2 ? std::sqrt(cell_volume) : reproducible::exp(reproducible::log(cell_volume) / 3);
}

using Cells = std::array<std::int64_t, 3>;

/// Edge of the cells when a box is split into `count` cubes. Axes shorter than the edge hold one layer, and the
/// others share the count.
double cube_edge(const Box& box, int dimension, int count) {
    std::array<double, 3> sizes{box.size.x, box.size.y, box.size.z};
    std::sort(sizes.begin(), sizes.end(), std::greater<>());  // in 2D the size along z is 0 and comes last
    for (int active = dimension; active > 1; --active) {
        const double product = sizes[0] * sizes[1] * (active == 3 ? sizes[2] : 1.0);
        const double edge = edge_of(product / count, active);
        if (sizes[static_cast<std::size_t>(active - 1)] >= edge) return edge;
    }
    return sizes[0] / count;
}

/// Searches for the best split of a box into cells; see sample_fluid.
class BoxFit {
public:
    BoxFit(const Box& box, int dimension, int count) : box_(box), dimension_(dimension), count_(count) {
        constexpr double slack = 1.25;
        const double edge = cube_edge(box, dimension, count);
        for (int axis = 0; axis < dimension; ++axis) {
            const double ideal = box.size[axis] / edge;
            const auto n = static_cast<std::size_t>(axis);
            least_[n] = static_cast<std::int64_t>(std::max(1.0, std::floor(ideal / slack)));
            most_[n] = static_cast<std::int64_t>(std::max(1.0, std::ceil(ideal * slack)));
        }
    }

    Cells best() {
        // The two shorter axes determine the longest, so only they are searched.
        std::array<std::size_t, 3> axes{0, 1, 2};
        std::stable_sort(axes.begin(), axes.end(), [&](std::size_t a, std::size_t b) { return most_[a] < most_[b]; });
        const auto [a, b, longest] = axes;
        Cells cells{1, 1, 1};
        for (cells[a] = least_[a]; cells[a] <= most_[a]; ++cells[a]) {
            for (cells[b] = least_[b]; cells[b] <= most_[b]; ++cells[b]) {
                const double others = static_cast<double>(cells[a] * cells[b]);
                const auto wanted = static_cast<std::int64_t>(std::floor(count_ / others + 0.5));
                cells[longest] = std::clamp(wanted, least_[longest], most_[longest]);
                consider(cells);
            }
        }
        return best_;
    }

private:
    void consider(const Cells& cells) {
        const double miss = std::abs(static_cast<double>(cells[0] * cells[1] * cells[2]) - count_);
        double shortest = std::numeric_limits<double>::infinity();
        double longest = 0;
        for (int axis = 0; axis < dimension_; ++axis) {
            const double edge = box_.size[axis] / static_cast<double>(cells[static_cast<std::size_t>(axis)]);
            shortest = std::min(shortest, edge);
            longest = std::max(longest, edge);
        }
        const double stretch = longest / shortest;
        if (miss > best_miss_ || (miss == best_miss_ && stretch >= best_stretch_)) return;
        best_ = cells;
        best_miss_ = miss;
        best_stretch_ = stretch;
    }

    const Box& box_;
    int dimension_;
    int count_;
    Cells least_{1, 1, 1}, most_{1, 1, 1};
    Cells best_{1, 1, 1};
    double best_miss_ = std::numeric_limits<double>::infinity();
    double best_stretch_ = std::numeric_limits<double>::infinity();
};

Lattice box_lattice(const Box& box, int dimension, double spacing, std::optional<int> count) {
    Cells fitted{1, 1, 1};
    if (count) fitted = BoxFit(box, dimension, *count).best();
    Lattice lattice;
    for (int axis = 0; axis < dimension; ++axis) {
        const double along =
            count ? static_cast<double>(fitted[static_cast<std::size_t>(axis)]) : points_along(box.size[axis], spacing);
        lattice.cell[axis] = box.size[axis] / along;
        lattice.anchor[axis] = box.center[axis] - 0.5 * box.size[axis] + 0.5 * lattice.cell[axis];
        lattice.last[axis] = static_cast<std::int64_t>(along) - 1;
    }
    return lattice;
}

/// Largest squared index length inside a sphere of this radius (in cells). A point on the surface, up to rounding, is
/// not inside.
std::int64_t inside_square(double radius_in_cells) {
    const double square = radius_in_cells * radius_in_cells * (1 - 1e-9);
    return std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil(square)) - 1);
}

/// The squared index length that holds as close to `count` points as possible, and the next one that would add some.
struct Shells {
    std::int64_t last, next;
};

Shells fit_shells(int count, int dimension) {
    std::int64_t too_few = -1;
    std::int64_t enough = 1;
    while (points_in_ball(enough, dimension) < count) enough *= 2;
    while (enough - too_few > 1) {
        const std::int64_t middle = too_few + (enough - too_few) / 2;
        (points_in_ball(middle, dimension) < count ? too_few : enough) = middle;
    }
    // `enough` is a shell with points of its own, too_few = enough - 1 holds the shells below it.
    const std::int64_t fewer = points_in_ball(too_few, dimension);
    const std::int64_t more = points_in_ball(enough, dimension);
    if (fewer > 0 && count - fewer <= more - count) return {too_few, enough};
    std::int64_t next = enough + 1;
    while (points_in_ball(next, dimension) == more) ++next;
    return {enough, next};
}

Lattice sphere_lattice(const Sphere& sphere, int dimension, double spacing, std::optional<int> count) {
    Lattice lattice;
    double edge = spacing;
    if (count) {
        const Shells shells = fit_shells(*count, dimension);
        const auto points = static_cast<double>(points_in_ball(shells.last, dimension));
        const double r = sphere.radius;
        const double volume = dimension == 2 ? reproducible::pi * r * r : 4.0 / 3.0 * reproducible::pi * r * r * r;
        // The edge at which each point stands for one cell, if the shells allow it.
        const double ideal = r / edge_of(volume / points, dimension);
        const auto gap = static_cast<double>(shells.next - shells.last);
        const double low = static_cast<double>(shells.last) + 0.1 * gap;
        edge = r / std::sqrt(std::clamp(ideal * ideal, low, low + 0.8 * gap));
        lattice.max_square = shells.last;
    } else {
        lattice.max_square = inside_square(sphere.radius / spacing);
    }
    lattice.anchor = sphere.center;
    const std::int64_t reach = square_root_floor(lattice.max_square);
    for (int axis = 0; axis < dimension; ++axis) {
        lattice.cell[axis] = edge;
        lattice.first[axis] = -reach;
        lattice.last[axis] = reach;
    }
    return lattice;
}

/// Points of a lattice through the whole bounds of a form, shifted by parts of a cell, that are inside.
Lattice cut_lattice(const Shape& drawn, double edge, Vec3d shift) {
    const Bounds around = *bounds(drawn);
    Lattice lattice;
    lattice.cut = drawn;
    lattice.anchor = 0.5 * (around.low + around.high) + edge * shift;
    for (int axis = 0; axis < drawn.dimension; ++axis) {
        lattice.cell[axis] = edge;
        lattice.first[axis] = static_cast<std::int64_t>(std::floor((around.low[axis] - lattice.anchor[axis]) / edge));
        lattice.last[axis] = static_cast<std::int64_t>(std::ceil((around.high[axis] - lattice.anchor[axis]) / edge));
    }
    return lattice;
}

/// Cells in the bounds of a shape.
double cells_around(const Shape& shape, double edge) {
    const Bounds around = *bounds(shape);
    double product = 1;
    for (int axis = 0; axis < shape.dimension; ++axis) product *= (around.high[axis] - around.low[axis]) / edge + 1;
    return product;
}

double count_points(const Lattice& lattice) {
    double points = 0;
    visit_points(lattice, [&](Vec3d) {
        ++points;
        return true;
    });
    return points;
}

/// The best of the lattices that have a point, or the middle between two, in the middle of the form.
struct Fit {
    Lattice lattice;
    double points = 0;
};

Fit fit_shift(const Shape& drawn, double edge, double wanted) {
    Fit best;
    for (int n = 0; n < (drawn.dimension == 2 ? 4 : 8); ++n) {
        const Vec3d shift{n & 1 ? 0.5 : 0, n & 2 ? 0.5 : 0, n & 4 ? 0.5 : 0};
        Fit fit{cut_lattice(drawn, edge, shift), 0};
        fit.points = count_points(fit.lattice);
        // A few particles too many are better than none: no correction leads back from none.
        const bool better = std::abs(fit.points - wanted) < std::abs(best.points - wanted);
        if (best.points == 0 || (better && fit.points > 0)) best = std::move(fit);
    }
    return best;
}

/// Points of forms other than boxes and balls are counted one by one. Fitting more than this takes too long; their
/// number differs from the volume in cells by less than a percent then anyway.
constexpr double fitted_exactly = 1e6;
constexpr double patience = 2e7;  // points to look at in all: seconds for forms with slow distances

Fit fit_form(const Fluid& fluid, double spacing) {
    const Shape drawn{fluid.shape.form, {}, fluid.shape.dimension};
    const double form_volume = *volume(drawn);
    const auto cells = [&](double edge) { return form_volume / cell_volume(drawn.dimension, edge); };
    if (!fluid.count && cells_around(drawn, spacing) > fitted_exactly)
        return {cut_lattice(drawn, spacing, {}), cells(spacing)};
    if (!fluid.count) return fit_shift(drawn, spacing, cells(spacing));
    // Thin forms hold more or fewer points than their volume says, so the edge is corrected by the result.
    constexpr int rounds = 12;
    double edge = edge_of(form_volume / *fluid.count, drawn.dimension);
    Fit best{cut_lattice(drawn, edge, {}), static_cast<double>(*fluid.count)};
    if (*fluid.count > fitted_exactly) return best;
    double searched = 0;  // thin forms fill little of their bounds, and smaller edges mean more cells there
    for (int n = 0; n < rounds && (searched += 8 * cells_around(drawn, edge)) < patience; ++n) {
        const Fit fit = fit_shift(drawn, edge, *fluid.count);
        const bool better = std::abs(fit.points - *fluid.count) < std::abs(best.points - *fluid.count);
        if (n == 0 || best.points == 0 || (better && fit.points > 0)) best = fit;
        edge *= edge_of(std::clamp(fit.points / *fluid.count, 0.5, 2.0), drawn.dimension);
    }
    return best;
}

/// Spacing in the frame of the shape as drawn.
double lattice_spacing(const Fluid& fluid, const Scene& scene) {
    return scene.particle_spacing / fluid.shape.transform.scale;
}

double lattice_points(const Lattice& lattice, int dimension) {
    if (lattice.cut) return count_points(lattice);
    const bool box = lattice.max_square == std::numeric_limits<std::int64_t>::max();
    if (!box) return static_cast<double>(points_in_ball(lattice.max_square, dimension));
    double product = 1;
    for (const std::int64_t last : lattice.last) product *= static_cast<double>(last + 1);
    return product;
}

Lattice lattice_of(const Fluid& fluid, const Scene& scene) {
    const double spacing = lattice_spacing(fluid, scene);
    if (const auto* box = std::get_if<Box>(&fluid.shape.form)) {
        return box_lattice(*box, scene.dimension, spacing, fluid.count);
    }
    if (const auto* sphere = std::get_if<Sphere>(&fluid.shape.form)) {
        return sphere_lattice(*sphere, scene.dimension, spacing, fluid.count);
    }
    return fit_form(fluid, spacing).lattice;
}

double smallest_edge(const Lattice& lattice, const Fluid& fluid, int dimension) {
    double edge = std::min(lattice.cell.x, lattice.cell.y);
    if (dimension == 3) edge = std::min(edge, lattice.cell.z);
    return edge * fluid.shape.transform.scale;
}

/// The solids as they stand at time 0.
class SolidsAtStart {
public:
    explicit SolidsAtStart(const Scene& scene) : solids_(scene.solids) {
        for (const Solid& solid : solids_) poses_.push_back(pose_at(solid.motion, 0));
    }

    bool closer_than(double distance, Vec3d point) const {
        for (std::size_t n = 0; n < solids_.size(); ++n) {
            const double signed_distance = surface_point(solids_[n].shape, poses_[n].to_local(point)).distance;
            if ((solids_[n].invert ? -signed_distance : signed_distance) < distance) return true;
        }
        return false;
    }

private:
    const std::vector<Solid>& solids_;
    std::vector<Pose> poses_;
};

constexpr double overlap_share = 0.25;

}  // namespace

FluidSamples sample_fluid(const Fluid& fluid, const Scene& scene, const Parallel& parallel) {
    const Lattice lattice = lattice_of(fluid, scene);
    const bool relaxed = fluid.packing == Packing::relaxed;
    const SolidsAtStart solids(scene);
    const Vec3d middle = *center(fluid.shape);
    const Vec3d turning = (reproducible::pi / 180) * fluid.angular_velocity;

    FluidSamples samples;
    const double points = predicted_count(fluid, scene);
    samples.spacing = relaxed ? edge_of(*volume(fluid.shape) / points, scene.dimension)
                              : smallest_edge(lattice, fluid, scene.dimension);
    samples.positions.reserve(static_cast<std::size_t>(points));
    samples.velocities.reserve(static_cast<std::size_t>(points));
    const auto put = [&](Vec3d position) {
        if (solids.closer_than(overlap_share * samples.spacing, position)) {
            ++samples.removed;
        } else {
            samples.positions.push_back(position);
            samples.velocities.push_back(fluid.velocity + cross(turning, position - middle));
        }
    };
    if (relaxed) {
        for (const Vec3d& p : relaxed_packing(fluid.shape, static_cast<std::size_t>(points), parallel)) put(p);
    } else {
        visit_points(lattice, [&](Vec3d drawn) {
            put(fluid.shape.transform.apply(drawn));
            return true;
        });
    }
    const double density = scene.materials[fluid.material].density;
    samples.particle_mass =
        density * *volume(fluid.shape) / static_cast<double>(samples.positions.size() + samples.removed);
    return samples;
}

double predicted_count(const Fluid& fluid, const Scene& scene) {
    constexpr double counted_exactly = 1e8;
    const bool solved =
        std::holds_alternative<Box>(fluid.shape.form) || std::holds_alternative<Sphere>(fluid.shape.form);
    if (fluid.count && (fluid.packing == Packing::relaxed || (!solved && *fluid.count > fitted_exactly)))
        return *fluid.count;
    const double spacing = lattice_spacing(fluid, scene);
    if (!fluid.count) {
        if (const auto* box = std::get_if<Box>(&fluid.shape.form)) {
            double product = 1;
            for (int axis = 0; axis < scene.dimension; ++axis) product *= points_along(box->size[axis], spacing);
            return product;
        }
        const double by_volume = *volume(fluid.shape) / cell_volume(scene.dimension, scene.particle_spacing);
        if (by_volume > (solved ? counted_exactly : fitted_exactly)) return by_volume;
        // A long, thin, oblique shape: searching its bounds for the few points inside would take forever.
        const double searched = cells_around(fluid.shape, scene.particle_spacing);
        if (searched > 10 * max_particles) return searched;
        if (searched > counted_exactly) return by_volume;
    }
    return lattice_points(lattice_of(fluid, scene), scene.dimension);
}

std::optional<double> endless_search(const Fluid& fluid) {
    constexpr double soon = 1e8, places_per_particle = 30;
    const bool relaxed = fluid.packing == Packing::relaxed;
    const bool solved =
        std::holds_alternative<Box>(fluid.shape.form) || std::holds_alternative<Sphere>(fluid.shape.form);
    if (!fluid.count || (solved && !relaxed)) return std::nullopt;
    const Shape searched{fluid.shape.form, relaxed ? fluid.shape.transform : Transform{}, fluid.shape.dimension};
    const double places = cells_around(searched, edge_of(*volume(searched) / *fluid.count, searched.dimension));
    if (places > soon + places_per_particle * *fluid.count) return places;
    return std::nullopt;
}

bool has_particles(const Fluid& fluid, const Scene& scene) {
    const Lattice lattice = lattice_of(fluid, scene);
    const SolidsAtStart solids(scene);
    const double distance = overlap_share * smallest_edge(lattice, fluid, scene.dimension);
    constexpr int enough = 1000000;
    int looked_at = 0;
    bool found = false;
    visit_points(lattice, [&](Vec3d drawn) {
        found = ++looked_at > enough || !solids.closer_than(distance, fluid.shape.transform.apply(drawn));
        return !found;
    });
    return found;
}

}  // namespace treacle
