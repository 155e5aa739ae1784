#include "io/body_mesh.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/file.h"
#include "core/text.h"
#include "math/reproducible.h"

namespace treacle {

namespace {

struct Mesh {
    std::vector<Vec3d> vertices;
    std::vector<std::array<std::size_t, 3>> triangles;

    /// Two triangles; corners counter-clockwise.
    void add_quad(std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
        triangles.push_back({a, b, c});
        triangles.push_back({a, c, d});
    }
};

Mesh box_mesh(const Box& box, int dimension) {
    Mesh mesh;
    for (int corner = 0; corner < (dimension == 2 ? 4 : 8); ++corner) {
        const Vec3d side{corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, dimension == 2 ? 0 : corner & 4 ? 0.5 : -0.5};
        mesh.vertices.push_back(box.center + Vec3d{side.x * box.size.x, side.y * box.size.y, side.z * box.size.z});
    }
    if (dimension == 2) {
        mesh.add_quad(0, 1, 3, 2);
        return mesh;
    }
    mesh.add_quad(0, 4, 6, 2);   // low x
    mesh.add_quad(1, 3, 7, 5);   // high x
    mesh.add_quad(0, 1, 5, 4);   // low y
    mesh.add_quad(2, 6, 7, 3);   // high y
    mesh.add_quad(0, 2, 3, 1);   // low z
    mesh.add_quad(4, 5, 7, 6);   // high z
    return mesh;
}

Mesh disc_mesh(const Sphere& disc) {
    constexpr std::size_t corners = 64;
    Mesh mesh{{disc.center}, {}};
    for (std::size_t n = 0; n < corners; ++n) {
        const double angle = 2 * reproducible::pi * static_cast<double>(n) / corners;
        mesh.vertices.push_back(disc.center + disc.radius * Vec3d{reproducible::cos(angle), reproducible::sin(angle), 0});
        mesh.triangles.push_back({0, 1 + n, 1 + (n + 1) % corners});
    }
    return mesh;
}

Mesh sphere_mesh(const Sphere& sphere) {
    constexpr std::size_t around = 32, rings = 15;   // 16 bands from pole to pole
    Mesh mesh{{sphere.center + Vec3d{0, sphere.radius, 0}}, {}};
    for (std::size_t ring = 1; ring <= rings; ++ring) {
        const double polar = reproducible::pi * static_cast<double>(ring) / (rings + 1);
        const double height = reproducible::cos(polar), width = reproducible::sin(polar);
        for (std::size_t n = 0; n < around; ++n) {
            const double angle = 2 * reproducible::pi * static_cast<double>(n) / around;
            const Vec3d unit{width * reproducible::sin(angle), height, width * reproducible::cos(angle)};
            mesh.vertices.push_back(sphere.center + sphere.radius * unit);
        }
    }
    mesh.vertices.push_back(sphere.center - Vec3d{0, sphere.radius, 0});
    const std::size_t south = mesh.vertices.size() - 1;
    const auto at = [](std::size_t ring, std::size_t n) { return 1 + (ring - 1) * around + n % around; };
    for (std::size_t n = 0; n < around; ++n) {
        mesh.triangles.push_back({0, at(1, n), at(1, n + 1)});
        for (std::size_t ring = 1; ring < rings; ++ring) {
            mesh.add_quad(at(ring, n), at(ring + 1, n), at(ring + 1, n + 1), at(ring, n + 1));
        }
        mesh.triangles.push_back({at(rings, n), south, at(rings, n + 1)});
    }
    return mesh;
}

/// Extent of points along a direction.
std::pair<double, double> extent_along(Vec3d direction, const std::array<Vec3d, 8>& points) {
    double low = dot(direction, points[0]), high = low;
    for (const Vec3d& p : points) {
        low = std::min(low, dot(direction, p));
        high = std::max(high, dot(direction, p));
    }
    return {low, high};
}

/// `corners` of the bounds, in the frame in which the plane is given.
Mesh plane_mesh(const Plane& plane, const std::array<Vec3d, 8>& corners, int dimension) {
    const double norm = length(plane.normal);
    const Vec3d normal = plane.normal / norm;
    const Vec3d foot = (plane.offset / norm) * normal;
    if (dimension == 2) {   // a line has no area, so it is drawn as a strip that lies inside the solid
        const Vec3d along{normal.y, -normal.x, 0};
        const auto [low, high] = extent_along(along, corners);
        const Vec3d depth = 0.05 * (high - low) * normal;
        const Vec3d a = foot + low * along, b = foot + high * along;
        Mesh strip{{a - depth, b - depth, b, a}, {}};
        strip.add_quad(0, 1, 2, 3);
        return strip;
    }
    const Vec3d helper = std::abs(normal.x) < 0.8 ? Vec3d{1, 0, 0} : Vec3d{0, 0, 1};
    const Vec3d other = cross(normal, helper);
    const Vec3d v = other / length(other);
    const Vec3d u = cross(v, normal);   // u, v, normal are right-handed
    const auto [u_low, u_high] = extent_along(u, corners);
    const auto [v_low, v_high] = extent_along(v, corners);
    Mesh mesh{{foot + u_low * u + v_low * v, foot + u_high * u + v_low * v, foot + u_high * u + v_high * v,
               foot + u_low * u + v_high * v}, {}};
    mesh.add_quad(0, 1, 2, 3);
    return mesh;
}

Mesh mesh_of(const Body& body, const Bounds& around) {
    const Shape& shape = body.shape;
    if (const auto* box = std::get_if<Box>(&shape.form)) return box_mesh(*box, shape.dimension);
    if (const auto* sphere = std::get_if<Sphere>(&shape.form)) {
        return shape.dimension == 2 ? disc_mesh(*sphere) : sphere_mesh(*sphere);
    }
    std::array<Vec3d, 8> corners;
    for (std::size_t n = 0; n < 8; ++n) {
        const Vec3d corner{n & 1 ? around.high.x : around.low.x, n & 2 ? around.high.y : around.low.y,
                           n & 4 ? around.high.z : around.low.z};
        corners[n] = shape.transform.invert(body.pose.to_local(corner));
    }
    return plane_mesh(std::get<Plane>(shape.form), corners, shape.dimension);
}

}  // namespace

Result<void> write_body_ply(const std::string& path, const Body& body, const Bounds& around) {
    const Mesh mesh = mesh_of(body, around);
    std::string text = "ply\nformat ascii 1.0\ncomment generator treacle\ncomment unit x m\ncomment unit y m\n"
                       "comment unit z m\nelement vertex " + std::to_string(mesh.vertices.size()) +
                       "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
                       std::to_string(mesh.triangles.size()) + "\nproperty list uchar int vertex_indices\nend_header\n";
    for (const Vec3d& vertex : mesh.vertices) {
        const Vec3d p = body.shape.transform.apply(vertex);
        text += number_text(p.x) + " " + number_text(p.y) + " " + number_text(p.z) + "\n";
    }
    for (auto [a, b, c] : mesh.triangles) {
        if (body.invert) std::swap(b, c);   // a container is seen from inside
        text += "3 " + std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(c) + "\n";
    }
    return write_file_atomically(path, text);
}

}  // namespace treacle
