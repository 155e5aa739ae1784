#include "blocks/solids/bullet_shapes.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <LinearMath/btConvexHullComputer.h>

#include "math/reproducible.h"
#include "geometry/solid_mesh.h"
#include "geometry/tessellation.h"

namespace treacle {

namespace {

using Pieces = std::vector<BulletPiece>;

/// A rectangle of a 2D scene, as a bar that nobody passes.
void add_bar(Pieces& pieces, Vec3d center, Vec3d half, const Quaternion& turn) {
    half.z = std::max(half.x, half.y);
    pieces.push_back({std::make_unique<btBoxShape>(to_bullet(half)), {center, turn}});
}

void add_plane(Pieces& pieces, Vec3d normal, double offset) {
    pieces.push_back({std::make_unique<btStaticPlaneShape>(to_bullet(normal), offset), {}});
}

/// The surface alone, which holds from both sides. In 2D the rim, drawn out in depth.
void add_shell(Pieces& pieces, const Shape& shape, double scale) {
    const TriangleMesh mesh = tessellate(shape);
    auto shell = std::make_unique<btTriangleMesh>();
    if (shape.dimension == 3) {
        for (const Vec3d& v : mesh.vertices) shell->findOrAddVertex(to_bullet(scale * v), false);
        for (const auto& [a, b, c] : mesh.triangles) {
            shell->addTriangleIndices(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c));
        }
    } else {
        std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
        for (const auto& t : mesh.triangles) {
            for (std::size_t n = 0; n < 3; ++n) edges.insert({t[n], t[(n + 1) % 3]});
        }
        const Bounds around = *bounds(shape);
        const Vec3d depth{0, 0, scale * length(around.high - around.low)};
        for (const auto& [from, to] : edges) {
            if (edges.count({to, from})) continue;  // between two triangles
            const Vec3d a = scale * mesh.vertices[from], b = scale * mesh.vertices[to];
            shell->addTriangle(to_bullet(a - depth), to_bullet(b - depth), to_bullet(b + depth));
            shell->addTriangle(to_bullet(a - depth), to_bullet(b + depth), to_bullet(a + depth));
        }
    }
    auto made = std::make_unique<btBvhTriangleMeshShape>(shell.get(), true);
    pieces.push_back({std::move(made), {}, std::move(shell)});
}

void add(Pieces& pieces, const Plane& plane, const Shape&, bool invert, double scale) {
    const double norm = length(plane.normal), sign = invert ? -1 : 1;
    add_plane(pieces, sign / norm * plane.normal, sign * scale * plane.offset / norm);
}

void add(Pieces& pieces, const Sphere& sphere, const Shape& shape, bool invert, double scale) {
    if (invert) return add_shell(pieces, shape, scale);
    pieces.push_back({std::make_unique<btSphereShape>(scale * sphere.radius), {scale * sphere.center, {}}});
}

void add(Pieces& pieces, const Box& box, const Shape& shape, bool invert, double scale) {
    const Vec3d half = 0.5 * scale * box.size;
    if (!invert && shape.dimension == 2) return add_bar(pieces, scale * box.center, half, {});
    if (!invert) {
        pieces.push_back({std::make_unique<btBoxShape>(to_bullet(half)), {scale * box.center, {}}});
        return;
    }
    for (int axis = 0; axis < shape.dimension; ++axis) {
        for (const double side : {-1.0, 1.0}) {
            Vec3d inward{};
            inward[axis] = -side;
            add_plane(pieces, inward, -side * scale * box.center[axis] - half[axis]);
        }
    }
}

/// The wall around a bore, in wedges.
void add_wedges(Pieces& pieces, const Cylinder& tube, double scale) {
    constexpr int wedges = 32;
    for (int n = 0; n < wedges; ++n) {
        auto hull = std::make_unique<btConvexHullShape>();
        for (const int corner : {n, n + 1}) {
            const double angle = 2 * reproducible::pi * (corner % wedges) / wedges;
            for (const double radius : {tube.inner_radius, tube.radius}) {
                for (const double side : {-0.5, 0.5}) {
                    const Vec3d p{radius * reproducible::cos(angle), radius * reproducible::sin(angle),
                                  side * tube.height};
                    hull->addPoint(to_bullet(scale * p), false);
                }
            }
        }
        hull->recalcLocalAabb();
        pieces.push_back({std::move(hull), {scale * tube.center, facing(tube.axis, 3)}});
    }
}

void add(Pieces& pieces, const Cylinder& cylinder, const Shape& shape, bool invert, double scale) {
    if (invert) return add_shell(pieces, shape, scale);
    const Vec3d center = scale * cylinder.center;
    const double outer = scale * cylinder.radius, inner = scale * cylinder.inner_radius,
                 half = 0.5 * scale * cylinder.height;
    const bool bore = inner > 0;
    if (shape.dimension == 2) {
        const Quaternion turn = facing(cylinder.axis, 2);
        if (!bore) return add_bar(pieces, center, {outer, half, 0}, turn);
        for (const double side : {-0.5, 0.5}) {
            add_bar(pieces, center + rotate(turn, {side * (outer + inner), 0, 0}), {0.5 * (outer - inner), half, 0},
                    turn);
        }
    } else if (bore) {
        add_wedges(pieces, cylinder, scale);
    } else {
        pieces.push_back(
            {std::make_unique<btCylinderShapeZ>(btVector3(outer, outer, half)), {center, facing(cylinder.axis, 3)}});
    }
}

void add(Pieces& pieces, const Capsule& capsule, const Shape& shape, bool invert, double scale) {
    if (invert) return add_shell(pieces, shape, scale);
    pieces.push_back({std::make_unique<btCapsuleShapeZ>(scale * capsule.radius, scale * capsule.height),
                      {scale * capsule.center, facing(capsule.axis, 3)}});
}

void add(Pieces& pieces, const Mesh&, const Shape& shape, bool, double scale) { add_shell(pieces, shape, scale); }

/// Bullet moves convex bodies only.
void add_hull(Pieces& pieces, const SolidMesh& solid, double scale) {
    btConvexHullComputer computer;
    const auto& vertices = solid.mesh().vertices;
    computer.compute(&vertices.front().x, sizeof(Vec3d), static_cast<int>(vertices.size()), 0, 0);
    auto hull = std::make_unique<btConvexHullShape>();
    for (int n = 0; n < computer.vertices.size(); ++n) hull->addPoint(scale * computer.vertices[n], false);
    hull->recalcLocalAabb();
    pieces.push_back({std::move(hull), {}});
}

}  // namespace

std::vector<BulletPiece> bullet_pieces(const Shape& shape, bool invert, bool dynamic, double unit) {
    Pieces pieces;
    const double scale = shape.transform.scale * unit;
    const auto* mesh = std::get_if<Mesh>(&shape.form);
    if (mesh && dynamic) add_hull(pieces, *mesh->solid, scale);
    else std::visit([&](const auto& form) { add(pieces, form, shape, invert, scale); }, shape.form);
    for (BulletPiece& piece : pieces) {
        piece.place = {unit * shape.transform.translate + rotate(shape.transform.rotate, piece.place.position),
                       shape.transform.rotate * piece.place.rotation};
        piece.shape->setMargin(0.01 * piece.shape->getMargin());
    }
    return pieces;
}

}  // namespace treacle
