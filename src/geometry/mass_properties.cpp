#include "geometry/mass_properties.h"

#include <array>
#include <cmath>

#include "math/reproducible.h"
#include "geometry/solid_mesh.h"

namespace treacle {

namespace {

std::optional<MassProperties> drawn(const Plane&, int) { return std::nullopt; }

std::optional<MassProperties> drawn(const Sphere& sphere, int dimension) {
    const double r = sphere.radius;
    if (dimension == 2) {
        const double area = reproducible::pi * r * r;
        return MassProperties{area, 2 * reproducible::pi * r, sphere.center, {}, {0, 0, area * r * r / 2}};
    }
    const double volume = 4.0 / 3 * reproducible::pi * r * r * r;
    const double moment = 0.4 * volume * r * r;
    return MassProperties{volume, 4 * reproducible::pi * r * r, sphere.center, {}, {moment, moment, moment}};
}

std::optional<MassProperties> drawn(const Box& box, int dimension) {
    const auto [x, y, z] = box.size;
    if (dimension == 2) return MassProperties{x * y, 2 * (x + y), box.center, {}, {0, 0, x * y * (x * x + y * y) / 12}};
    const double volume = x * y * z;
    return MassProperties{volume,
                          2 * (x * y + y * z + z * x),
                          box.center,
                          {},
                          (volume / 12) * Vec3d{y * y + z * z, z * z + x * x, x * x + y * y}};
}

std::optional<MassProperties> drawn(const Cylinder& cylinder, int dimension) {
    const double outer = cylinder.radius, inner = cylinder.inner_radius, h = cylinder.height;
    const Quaternion axes = facing(cylinder.axis, dimension);
    if (dimension == 2) {
        const double area = 2 * (outer - inner) * h, ends = 4 * (outer - inner), sides = (inner > 0 ? 4 : 2) * h;
        const double from_axis = 4 * (outer * outer + outer * inner + inner * inner);
        return MassProperties{area, ends + sides, cylinder.center, axes, {0, 0, area * (h * h + from_axis) / 12}};
    }
    const double squares = outer * outer + inner * inner, ring = reproducible::pi * (outer * outer - inner * inner);
    const double volume = ring * h, across = volume * (3 * squares + h * h) / 12;
    return MassProperties{volume,
                          2 * reproducible::pi * (outer + inner) * h + 2 * ring,
                          cylinder.center,
                          axes,
                          {across, across, 0.5 * volume * squares}};
}

/// A cylinder (2D: rectangle) and a ball (disc) whose halves stand at its ends.
std::optional<MassProperties> drawn(const Capsule& capsule, int dimension) {
    const double r = capsule.radius, h = capsule.height;
    const Quaternion axes = facing(capsule.axis, dimension);
    if (dimension == 2) {
        const double bar = 2 * r * h, disc = reproducible::pi * r * r;
        const double inertia =
            bar * (h * h + 4 * r * r) / 12 + disc * (0.5 * r * r + 0.25 * h * h + 4 * r * h / (3 * reproducible::pi));
        return MassProperties{bar + disc, 2 * (h + reproducible::pi * r), capsule.center, axes, {0, 0, inertia}};
    }
    const double bar = reproducible::pi * r * r * h, ball = 4.0 / 3 * reproducible::pi * r * r * r;
    const double along = (0.5 * bar + 0.4 * ball) * r * r;
    const double across = bar * (3 * r * r + h * h) / 12 + ball * (0.4 * r * r + 0.25 * h * h + 0.375 * r * h);
    return MassProperties{
        bar + ball, 2 * reproducible::pi * r * (h + 2 * r), capsule.center, axes, {across, across, along}};
}

std::optional<MassProperties> drawn(const Mesh& mesh, int) { return mesh.solid->matter(); }

using Matrix = std::array<std::array<double, 3>, 3>;

/// Turns a symmetric matrix to its principal axes by Jacobi rotations: leaves a diagonal, returns the rotation.
Quaternion diagonalize(Matrix& m) {
    constexpr int sweeps = 30;  // far more than ever needed; each one squares the elements off the diagonal
    Quaternion axes{};
    for (int n = 0; n < 3 * sweeps; ++n) {
        const std::size_t p = static_cast<std::size_t>(n % 3), q = (p + 1) % 3, r = (p + 2) % 3;
        if (m[p][q] == 0) continue;
        const double ratio = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        const double tangent = (ratio < 0 ? -1 : 1) / (std::abs(ratio) + std::sqrt(1 + ratio * ratio));
        const double cosine = 1 / std::sqrt(1 + tangent * tangent), sine = tangent * cosine;
        m[p][p] -= tangent * m[p][q];
        m[q][q] += tangent * m[p][q];
        m[p][q] = m[q][p] = 0;
        const double to_p = cosine * m[r][p] - sine * m[r][q], to_q = sine * m[r][p] + cosine * m[r][q];
        m[r][p] = m[p][r] = to_p;
        m[r][q] = m[q][r] = to_q;
        Vec3d about{};
        const double half = std::sqrt(0.5 * (1 + cosine));
        about[static_cast<int>(r)] = -0.5 * sine / half;
        axes = axes * Quaternion{half, about.x, about.y, about.z};
    }
    return normalized(axes);
}

}  // namespace

/// Sums over the tetrahedra between the triangles and a point in the middle (divergence theorem).
MassProperties mass_properties(const TriangleMesh& mesh) {
    const Vec3d origin = mesh.vertices.front();
    MassProperties result;
    Vec3d first{};
    Matrix second{};
    for (const auto& t : mesh.triangles) {
        const std::array<Vec3d, 3> v{mesh.vertices[t[0]] - origin, mesh.vertices[t[1]] - origin,
                                     mesh.vertices[t[2]] - origin};
        const Vec3d sum = v[0] + v[1] + v[2];
        const double part = dot(v[0], cross(v[1], v[2])) / 6;
        result.volume += part;
        result.surface += 0.5 * length(cross(v[1] - v[0], v[2] - v[0]));
        first += (part / 4) * sum;
        for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b) {
                double squares = sum[a] * sum[b];
                for (const Vec3d& corner : v) squares += corner[a] * corner[b];
                second[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] += part / 20 * squares;
            }
        }
    }
    const Vec3d center = first / result.volume;
    result.center = origin + center;
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
            second[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] -= result.volume * center[a] * center[b];
        }
    }
    result.principal_axes = diagonalize(second);
    result.inertia = {second[1][1] + second[2][2], second[2][2] + second[0][0], second[0][0] + second[1][1]};
    return result;
}

std::optional<double> volume(const Shape& shape) {
    const auto properties = mass_properties(shape);
    return properties ? std::optional(properties->volume) : std::nullopt;
}

std::optional<MassProperties> mass_properties(const Shape& shape) {
    auto properties = std::visit([&](const auto& form) { return drawn(form, shape.dimension); }, shape.form);
    if (!properties) return std::nullopt;
    const double s = shape.transform.scale;
    const double volume_scale = shape.dimension == 2 ? s * s : s * s * s;
    properties->volume *= volume_scale;
    properties->surface *= volume_scale / s;
    properties->inertia = (volume_scale * s * s) * properties->inertia;
    properties->center = shape.transform.apply(properties->center);
    properties->principal_axes = shape.transform.rotate * properties->principal_axes;
    return properties;
}

}  // namespace treacle
