#include "geometry/tessellation.h"

#include "math/reproducible.h"
#include "geometry/solid_mesh.h"

namespace treacle {

namespace {

constexpr std::uint32_t coarse = 32, fine = 64;  // corners of a circle: coarse for balls, round both ways

/// A point of a profile: distance from the axis and height along it.
struct ProfilePoint {
    double across, along;
};

Vec3d on_circle(std::uint32_t n, std::uint32_t corners) {
    const double angle = 2 * reproducible::pi * n / corners;
    return {reproducible::cos(angle), reproducible::sin(angle), 0};
}

/// The surface that a profile makes when it turns about an axis. The profile runs upwards on the outside, from a point
/// on the axis to another one, or back to its beginning.
TriangleMesh turned(const std::vector<ProfilePoint>& profile, Vec3d center, Vec3d axis, std::uint32_t around) {
    const Quaternion upright = facing(axis, 3);
    TriangleMesh mesh;
    std::vector<std::uint32_t> first;  // vertex of each ring
    const auto pole = [&](std::size_t ring) { return profile[ring].across == 0; };
    for (std::size_t ring = 0; ring < profile.size(); ++ring) {
        first.push_back(static_cast<std::uint32_t>(mesh.vertices.size()));
        for (std::uint32_t n = 0; n < (pole(ring) ? 1 : around); ++n) {
            const Vec3d drawn = profile[ring].across * on_circle(n, around) + Vec3d{0, 0, profile[ring].along};
            mesh.vertices.push_back(center + rotate(upright, drawn));
        }
    }
    const auto at = [&](std::size_t ring, std::uint32_t n) { return first[ring] + (pole(ring) ? 0 : n % around); };
    for (std::size_t ring = 0; ring < profile.size(); ++ring) {
        const std::size_t next = (ring + 1) % profile.size();
        if (pole(ring) && pole(next)) continue;  // back along the axis
        for (std::uint32_t n = 0; n < around; ++n) {
            if (pole(ring)) mesh.triangles.push_back({at(ring, n), at(next, n + 1), at(next, n)});
            else if (pole(next)) mesh.triangles.push_back({at(ring, n), at(ring, n + 1), at(next, n)});
            else mesh.add_quad(at(ring, n), at(ring, n + 1), at(next, n + 1), at(next, n));
        }
    }
    return mesh;
}

/// Two half circles, `height` apart.
std::vector<ProfilePoint> round_ends(double radius, double height) {
    constexpr int bands = 8;  // of each half
    std::vector<ProfilePoint> profile;
    for (const double side : {-1.0, 1.0}) {
        for (int n = 0; n <= bands; ++n) {
            if (height == 0 && side > 0 && n == 0) continue;  // the equator is there already
            const double latitude = 0.5 * reproducible::pi * (side > 0 ? n : bands - n) / bands;
            const bool at_pole = n == (side > 0 ? bands : 0);
            profile.push_back({at_pole ? 0 : radius * reproducible::cos(latitude),
                               side * (0.5 * height + radius * reproducible::sin(latitude))});
        }
    }
    return profile;
}

TriangleMesh fan(Vec3d center, const std::vector<Vec3d>& rim) {
    TriangleMesh mesh{{center}, {}};
    mesh.vertices.insert(mesh.vertices.end(), rim.begin(), rim.end());
    const auto corners = static_cast<std::uint32_t>(rim.size());
    for (std::uint32_t n = 0; n < corners; ++n) mesh.triangles.push_back({0, 1 + n, 1 + (n + 1) % corners});
    return mesh;
}

void add_rectangle(TriangleMesh& mesh, Vec3d center, Vec3d half_side, Vec3d half_height) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (const auto& [a, b] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
        mesh.vertices.push_back(center + a * half_side + b * half_height);
    }
    mesh.add_quad(first, first + 1, first + 2, first + 3);
}

TriangleMesh drawn(const Plane&, int) { return {}; }

TriangleMesh drawn(const Sphere& sphere, int dimension) {
    if (dimension == 3) return turned(round_ends(sphere.radius, 0), sphere.center, {0, 1, 0}, coarse);
    std::vector<Vec3d> rim;
    for (std::uint32_t n = 0; n < fine; ++n) rim.push_back(sphere.center + sphere.radius * on_circle(n, fine));
    return fan(sphere.center, rim);
}

TriangleMesh drawn(const Box& box, int dimension) {
    TriangleMesh mesh;
    if (dimension == 2) {
        add_rectangle(mesh, box.center, {0.5 * box.size.x, 0, 0}, {0, 0.5 * box.size.y, 0});
        return mesh;
    }
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3d side{corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, corner & 4 ? 0.5 : -0.5};
        mesh.vertices.push_back(box.center + Vec3d{side.x * box.size.x, side.y * box.size.y, side.z * box.size.z});
    }
    mesh.add_quad(0, 4, 6, 2);  // low x
    mesh.add_quad(1, 3, 7, 5);  // high x
    mesh.add_quad(0, 1, 5, 4);  // low y
    mesh.add_quad(2, 6, 7, 3);  // high y
    mesh.add_quad(0, 2, 3, 1);  // low z
    mesh.add_quad(4, 5, 7, 6);  // high z
    return mesh;
}

TriangleMesh drawn(const Cylinder& cylinder, int dimension) {
    const double outer = cylinder.radius, inner = cylinder.inner_radius, half = 0.5 * cylinder.height;
    if (dimension == 2) {
        const Vec3d along = cylinder.axis / length(cylinder.axis), across = perpendicular(along);
        TriangleMesh mesh;
        if (inner == 0) {
            add_rectangle(mesh, cylinder.center, outer * across, half * along);
            return mesh;
        }
        for (const double side : {-0.5, 0.5}) {
            add_rectangle(mesh, cylinder.center + side * (outer + inner) * across, 0.5 * (outer - inner) * across,
                          half * along);
        }
        return mesh;
    }
    const std::vector<ProfilePoint> profile{{inner, -half}, {outer, -half}, {outer, half}, {inner, half}};
    return turned(profile, cylinder.center, cylinder.axis, fine);
}

TriangleMesh drawn(const Capsule& capsule, int dimension) {
    if (dimension == 3) return turned(round_ends(capsule.radius, capsule.height), capsule.center, capsule.axis, coarse);
    const Vec3d along = capsule.axis / length(capsule.axis), across = perpendicular(along);
    std::vector<Vec3d> rim;
    for (const bool far : {true, false}) {  // half a circle at each end
        for (std::uint32_t n = 0; n <= fine / 2; ++n) {
            const Vec3d p = capsule.radius * on_circle(far ? n : n + fine / 2, fine);
            rim.push_back(capsule.center + p.x * across + (p.y + (far ? 0.5 : -0.5) * capsule.height) * along);
        }
    }
    return fan(capsule.center, rim);
}

TriangleMesh drawn(const Mesh& mesh, int) { return mesh.solid->mesh(); }

}  // namespace

void TriangleMesh::add_quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    triangles.push_back({a, b, c});
    triangles.push_back({a, c, d});
}

TriangleMesh tessellate(const Shape& shape) {
    return std::visit([&](const auto& form) { return drawn(form, shape.dimension); }, shape.form);
}

}  // namespace treacle
