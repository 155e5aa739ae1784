#include "io/body_mesh.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "core/file.h"
#include "core/text.h"

namespace treacle {

namespace {

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
TriangleMesh plane_mesh(const Plane& plane, const std::array<Vec3d, 8>& corners, int dimension) {
    const double norm = length(plane.normal);
    const Vec3d normal = plane.normal / norm;
    const Vec3d foot = (plane.offset / norm) * normal;
    if (dimension == 2) {  // a line has no area, so it is drawn as a strip that lies inside the solid
        const Vec3d along{normal.y, -normal.x, 0};
        const auto [low, high] = extent_along(along, corners);
        const Vec3d depth = 0.05 * (high - low) * normal;
        const Vec3d a = foot + low * along, b = foot + high * along;
        TriangleMesh strip{{a - depth, b - depth, b, a}, {}};
        strip.add_quad(0, 1, 2, 3);
        return strip;
    }
    const Vec3d helper = std::abs(normal.x) < 0.8 ? Vec3d{1, 0, 0} : Vec3d{0, 0, 1};
    const Vec3d other = cross(normal, helper);
    const Vec3d v = other / length(other);
    const Vec3d u = cross(v, normal);  // u, v, normal are right-handed
    const auto [u_low, u_high] = extent_along(u, corners);
    const auto [v_low, v_high] = extent_along(v, corners);
    TriangleMesh mesh{{foot + u_low * u + v_low * v, foot + u_high * u + v_low * v, foot + u_high * u + v_high * v,
                       foot + u_low * u + v_high * v},
                      {}};
    mesh.add_quad(0, 1, 2, 3);
    return mesh;
}

TriangleMesh mesh_of(const Body& body, const Bounds& around) {
    const Shape& shape = body.shape;
    const auto* plane = std::get_if<Plane>(&shape.form);
    if (!plane) return tessellate(shape);
    std::array<Vec3d, 8> corners;
    for (std::size_t n = 0; n < 8; ++n) {
        const Vec3d corner{n & 1 ? around.high.x : around.low.x, n & 2 ? around.high.y : around.low.y,
                           n & 4 ? around.high.z : around.low.z};
        corners[n] = shape.transform.invert(body.pose.to_local(corner));
    }
    return plane_mesh(*plane, corners, shape.dimension);
}

}  // namespace

Result<void> write_mesh_ply(const std::string& path, const TriangleMesh& mesh) {
    std::string text =
        "ply\nformat ascii 1.0\ncomment generator treacle\ncomment unit x m\ncomment unit y m\n"
        "comment unit z m\nelement vertex " +
        std::to_string(mesh.vertices.size()) + "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
        std::to_string(mesh.triangles.size()) + "\nproperty list uchar int vertex_indices\nend_header\n";
    for (const Vec3d& p : mesh.vertices) {
        text += number_text(p.x) + " " + number_text(p.y) + " " + number_text(p.z) + "\n";
    }
    for (const auto& [a, b, c] : mesh.triangles) {
        text += "3 " + std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(c) + "\n";
    }
    return write_file_atomically(path, text);
}

Result<void> write_body_ply(const std::string& path, const Body& body, const Bounds& around) {
    TriangleMesh mesh = mesh_of(body, around);
    for (Vec3d& vertex : mesh.vertices) vertex = body.shape.transform.apply(vertex);
    if (body.invert) {  // a container is seen from inside
        for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
    }
    return write_mesh_ply(path, mesh);
}

Result<TriangleMesh> read_body_ply(const std::string& path) {
    const auto text = read_whole_file(path);
    if (!text) return tl::unexpected(text.error());
    std::istringstream in(*text);
    std::string line;
    std::size_t vertices = 0, faces = 0;
    bool ascii = false;
    while (std::getline(in, line) && line != "end_header") {
        std::istringstream words(line);
        std::string first, second;
        words >> first >> second;
        if (first == "format") ascii = second == "ascii";
        if (first == "element" && second == "vertex") words >> vertices;
        if (first == "element" && second == "face") words >> faces;
    }
    const auto refuse = [&] {
        return fail(ExitCode::file_failed, "is not the shape of a solid as a run writes it, or it is cut short", path);
    };
    if (!in || !ascii || vertices > text->size() || faces > text->size()) return refuse();
    TriangleMesh mesh;
    for (std::size_t n = 0; n < vertices; ++n) {
        Vec3d p;
        if (!(in >> p.x >> p.y >> p.z)) return refuse();
        mesh.vertices.push_back(p);
    }
    for (std::size_t n = 0; n < faces; ++n) {
        unsigned corners = 0;
        std::array<std::uint32_t, 3> t{};
        if (!(in >> corners >> t[0] >> t[1] >> t[2]) || corners != 3) return refuse();
        if (std::any_of(t.begin(), t.end(), [&](std::uint32_t corner) { return corner >= vertices; })) return refuse();
        mesh.triangles.push_back(t);
    }
    return mesh;
}

}  // namespace treacle
