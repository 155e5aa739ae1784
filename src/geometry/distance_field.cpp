#include "geometry/distance_field.h"

#include <algorithm>
#include <cmath>

namespace treacle {

namespace {

constexpr double deepest = 1.5;          // spacings; particles get no deeper into a solid unless something is wrong
constexpr std::size_t short_list = 8;    // comparing this many triangles is as fast as interpolating corners
constexpr std::size_t long_list = 32;    // still faster than the tree
constexpr std::size_t known_list = 128;  // while a field is made: beyond this many the tree is asked
constexpr double finest = 0.25;          // edge of the smallest cubes, as a share of the spacing or the distance

/// One of the eight corners of a unit cube: 1, 2 and 4 stand for the upper end along x, y and z.
Vec3d corner(std::size_t n) { return {n & 1 ? 1.0 : 0.0, n & 2 ? 1.0 : 0.0, n & 4 ? 1.0 : 0.0}; }

}  // namespace

/// The tree that grows out of one cube of the grid; its indices start at 0.
struct DistanceField::Branch {
    Branch(const SolidMesh& of, const DistanceBand& within) : mesh(of), band(within) {}

    const SolidMesh& mesh;
    const DistanceBand& band;
    std::vector<Cube> cubes{1};
    std::vector<Sample> far{};
    std::vector<Corners> corners{};
    std::vector<std::uint32_t> lists{};

    /// The triangles that can be nearest to a point of a cube; none: they are too many, or not known.
    using Candidates = std::vector<std::uint32_t>;

    SurfacePoint nearest(Vec3d at, const Candidates& near) const {
        return near.empty() ? mesh.nearest(at) : mesh.nearest_among(near, at);
    }

    Sample sample(Vec3d at, const Candidates& near) const {
        const SurfacePoint hit = nearest(at, near);
        return {static_cast<float>(hit.distance), cast<float>(hit.normal)};
    }

    Corners sample_corners(Vec3d low, double edge) const {
        Corners all{};
        for (std::size_t n = 0; n < 8; ++n) all[n] = sample(low + edge * corner(n), {});
        return all;
    }

    /// A triangle that is nearest to some point of the cube is no farther from the center than `distance` plus the
    /// diagonal. Those of a part of a cube are among those of the cube.
    Candidates candidates(Vec3d center, double distance, double edge, const Candidates& around) const {
        Candidates near;
        const double bound = (distance + std::sqrt(3.0) * edge) * (1 + 1e-9);
        if (around.empty()) mesh.list_within(bound, center, known_list, near);
        else mesh.list_within(bound, center, around, near);
        return near;
    }

    /// `outer`: the candidates of the cube that this one is a part of.
    void grow(std::size_t cube, Vec3d low, double edge, const Corners& around, std::vector<Vec3d> on_surface,
              const Candidates& outer) {
        const Vec3d center = low + 0.5 * edge * Vec3d{1, 1, 1};
        const SurfacePoint hit = nearest(center, outer);
        const double distance = std::abs(hit.distance), half_diagonal = 0.5 * std::sqrt(3.0) * edge;
        const bool in_fluid = (hit.distance < 0) == band.inside;
        if (distance - half_diagonal > (in_fluid ? band.reach : deepest * band.spacing)) {
            if (in_fluid) put_far(cube, hit, half_diagonal);
            return;
        }
        const Candidates near = candidates(center, distance, edge, outer);
        if (list(cube, near, short_list)) return;
        if (is_smooth(low, edge, around, on_surface, hit, near)) {
            cubes[cube] = {static_cast<std::uint32_t>(corners.size()), 0, Kind::interpolated};
            corners.push_back(around);
        } else if (edge > finest * std::max(band.spacing, distance)) {
            split(cube, low, edge, refine(low, edge, around, near), std::move(on_surface), near);
        } else {
            list(cube, near, long_list);
        }
    }

    /// Stores a lower bound: points of the cube are nearer to the surface than its center by half the diagonal at most.
    void put_far(std::size_t cube, const SurfacePoint& hit, double half_diagonal) {
        cubes[cube] = {static_cast<std::uint32_t>(far.size()), 0, Kind::far};
        const double bound = hit.distance < 0 ? hit.distance + half_diagonal : hit.distance - half_diagonal;
        far.push_back({static_cast<float>(bound), cast<float>(hit.normal)});
    }

    bool list(std::size_t cube, const Candidates& near, std::size_t most) {
        if (near.empty() || near.size() > most) return false;
        cubes[cube] = {static_cast<std::uint32_t>(lists.size()), static_cast<std::uint16_t>(near.size()), Kind::listed};
        lists.insert(lists.end(), near.begin(), near.end());
        return true;
    }

    /// Samples at the corners and halfway between them, x running fastest.
    std::array<Sample, 27> refine(Vec3d low, double edge, const Corners& around, const Candidates& near) const {
        std::array<Sample, 27> all{};
        for (std::size_t n = 0; n < 27; ++n) {
            const std::size_t x = n % 3, y = n / 3 % 3, z = n / 9;
            const bool at_corner = x != 1 && y != 1 && z != 1;
            all[n] = at_corner ? around[x / 2 + y + 2 * z] : sample(low + edge * halves(n), near);
        }
        return all;
    }
    static Vec3d halves(std::size_t n) {
        return 0.5 * Vec3d{static_cast<double>(n % 3), static_cast<double>(n / 3 % 3), static_cast<double>(n / 9)};
    }

    /// Checks the middle of the cube and of its faces, and the corners and middles of triangles.
    bool is_smooth(Vec3d low, double edge, const Corners& around, const std::vector<Vec3d>& on_surface,
                   const SurfacePoint& at_center, const Candidates& near) const {
        const auto fits = [&](Vec3d share, double expected) {
            return std::abs(interpolate(around, edge, share).distance - expected) <= tolerance * band.spacing;
        };
        if (!fits(halves(13), at_center.distance)) return false;
        for (const std::size_t middle : {4u, 10u, 12u, 14u, 16u, 22u}) {
            if (!fits(halves(middle), nearest(low + edge * halves(middle), near).distance)) return false;
        }
        return std::all_of(on_surface.begin(), on_surface.end(), [&](Vec3d v) { return fits((v - low) / edge, 0); });
    }

    void split(std::size_t cube, Vec3d low, double edge, const std::array<Sample, 27>& samples,
               std::vector<Vec3d> on_surface, const Candidates& near) {
        const std::size_t first = cubes.size();
        cubes[cube] = {static_cast<std::uint32_t>(first), 0, Kind::split};
        cubes.resize(first + 8);
        const Vec3d center = low + 0.5 * edge * Vec3d{1, 1, 1};
        std::array<std::vector<Vec3d>, 8> shares;
        for (const Vec3d& v : on_surface) {
            shares[(v.x >= center.x) + 2u * (v.y >= center.y) + 4u * (v.z >= center.z)].push_back(v);
        }
        on_surface = {};
        for (std::size_t n = 0; n < 8; ++n) {
            Corners around{};
            for (std::size_t c = 0; c < 8; ++c) {
                const std::size_t x = (n & 1) + (c & 1), y = (n / 2 & 1) + (c / 2 & 1), z = n / 4 + c / 4;
                around[c] = samples[x + 3 * y + 9 * z];
            }
            grow(first + n, low + 0.5 * edge * corner(n), 0.5 * edge, around, std::move(shares[n]), near);
        }
    }
};

DistanceField::DistanceField(std::shared_ptr<const SolidMesh> mesh, const DistanceBand& band)
    : mesh_(std::move(mesh)), band_(band) {
    constexpr double cubes_along = 8;
    const Vec3d around = (band.inside ? deepest * band.spacing : band.reach) * Vec3d{1, 1, 1};
    low_ = mesh_->bounds().low - around;
    const Vec3d extent = mesh_->bounds().high + around - low_;
    edge_ = std::max({extent.x, extent.y, extent.z}) / cubes_along;
    for (int axis = 0; axis < 3; ++axis) {
        size_[static_cast<std::size_t>(axis)] = static_cast<std::size_t>(std::ceil(extent[axis] / edge_));
    }
    roots_ = std::make_unique<Root[]>(cube_count());
    const auto put = [&](Vec3d p) {
        const Vec3d at = (p - low_) / edge_;
        const auto x = static_cast<std::size_t>(at.x), y = static_cast<std::size_t>(at.y);
        const auto z = static_cast<std::size_t>(at.z);
        roots_[x + size_[0] * (y + size_[1] * z)].on_surface.push_back(p);
    };
    const auto& corners = mesh_->mesh().vertices;
    for (const Vec3d& v : corners) put(v);
    for (const auto& [a, b, c] : mesh_->mesh().triangles) put((corners[a] + corners[b] + corners[c]) / 3.0);
}

DistanceField::~DistanceField() {
    for (std::size_t root = 0; root < cube_count(); ++root) delete roots_[root].branch.load();
}

std::size_t DistanceField::divided_count() const {
    std::size_t count = 0;
    for (std::size_t root = 0; root < cube_count(); ++root) count += roots_[root].branch.load() != nullptr;
    return count;
}

/// Divides a cube of the grid, unless another thread has just done so.
const DistanceField::Branch& DistanceField::grow(std::size_t number) const {
    Root& root = roots_[number];
    const std::lock_guard lock(root.growing);
    if (const Branch* branch = root.branch.load()) return *branch;
    const Vec3d at{static_cast<double>(number % size_[0]), static_cast<double>(number / size_[0] % size_[1]),
                   static_cast<double>(number / (size_[0] * size_[1]))};
    const Vec3d low = low_ + edge_ * at;
    auto branch = std::make_unique<Branch>(*mesh_, band_);
    branch->grow(0, low, edge_, branch->sample_corners(low, edge_), std::move(root.on_surface), {});
    root.branch.store(branch.get(), std::memory_order_release);
    return *branch.release();
}

/// The mean of two interpolations, one of the distances and one of their tangent planes. Where the one is too high the
/// other is too low by as much, so that second derivatives do no harm.
SurfacePoint DistanceField::interpolate(const Corners& corners, double edge, Vec3d share) {
    double distance = 0;
    Vec3d gradient{};
    for (std::size_t n = 0; n < 8; ++n) {
        const Vec3d off = share - corner(n);
        const double weight = (1 - std::abs(off.x)) * (1 - std::abs(off.y)) * (1 - std::abs(off.z));
        const Vec3d slope = cast<double>(corners[n].gradient);
        distance += weight * (static_cast<double>(corners[n].distance) + 0.5 * edge * dot(slope, off));
        gradient += weight * slope;
    }
    return {distance, gradient};
}

SurfacePoint DistanceField::nearest(Vec3d point) const {
    Vec3d at = (point - low_) / edge_;
    for (int axis = 0; axis < 3; ++axis) {
        const auto end = static_cast<double>(size_[static_cast<std::size_t>(axis)]);
        if (!(at[axis] >= 0 && at[axis] < end)) return mesh_->nearest(point);
    }
    const auto x = static_cast<std::size_t>(at.x), y = static_cast<std::size_t>(at.y),
               z = static_cast<std::size_t>(at.z);
    const std::size_t root = x + size_[0] * (y + size_[1] * z);
    const Branch* grown = roots_[root].branch.load(std::memory_order_acquire);
    const Branch& branch = grown ? *grown : grow(root);
    Cube cube = branch.cubes.front();
    at -= Vec3d{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
    double edge = edge_;
    while (cube.kind == Kind::split) {
        const std::size_t n = (at.x >= 0.5) + 2u * (at.y >= 0.5) + 4u * (at.z >= 0.5);
        at = 2.0 * at - corner(n);
        edge *= 0.5;
        cube = branch.cubes[cube.first + n];
    }
    if (cube.kind == Kind::far) {
        return {static_cast<double>(branch.far[cube.first].distance), cast<double>(branch.far[cube.first].gradient)};
    }
    if (cube.kind == Kind::listed) return mesh_->nearest_of({branch.lists.data() + cube.first, cube.count}, point);
    if (cube.kind == Kind::interpolated) {
        const SurfacePoint hit = interpolate(branch.corners[cube.first], edge, at);
        const double norm = length(hit.normal);
        if (norm > 0.5) return {hit.distance, hit.normal / norm};  // else the directions disagree: ask the mesh
    }
    return mesh_->nearest(point);
}

}  // namespace treacle
