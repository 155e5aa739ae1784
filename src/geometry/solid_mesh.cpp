#include "geometry/solid_mesh.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "math/random.h"
#include "math/reproducible.h"

namespace treacle {

namespace {

constexpr std::uint32_t leaf_size = 4;

Vec3d unit_or_zero(Vec3d v) {
    const double norm = length(v);
    return norm > 0 ? v / norm : Vec3d{};
}

/// Angle between two vectors. Each correction is the sine of the error, so three or four of them are exact.
double angle_between(Vec3d a, Vec3d b) {
    const double sine = length(cross(a, b)), cosine = dot(a, b), norm = std::sqrt(sine * sine + cosine * cosine);
    if (norm == 0) return 0;
    double angle = 0.5 * reproducible::pi * (1 - cosine / norm);
    for (int n = 0; n < 4; ++n) {
        angle += (sine * reproducible::cos(angle) - cosine * reproducible::sin(angle)) / norm;
    }
    return angle;
}

float down(double x) { return std::nextafter(static_cast<float>(x), -std::numeric_limits<float>::infinity()); }
float up(double x) { return std::nextafter(static_cast<float>(x), std::numeric_limits<float>::infinity()); }

inline double square_to(const std::array<float, 3>& low, const std::array<float, 3>& high, Vec3d p) {
    const auto outside = [](float from, float to, double at) {
        return std::max(0.0, std::max(static_cast<double>(from) - at, at - static_cast<double>(to)));
    };
    const double x = outside(low[0], high[0], p.x);
    const double y = outside(low[1], high[1], p.y);
    const double z = outside(low[2], high[2], p.z);
    return x * x + y * y + z * z;
}

std::uint64_t hash_of(const TriangleMesh& mesh) {
    std::uint64_t hash = mesh.vertices.size();
    const auto add = [&](std::uint64_t number) { hash = mix64(hash * Random::stride + number); };
    for (const Vec3d& v : mesh.vertices) {
        for (int axis = 0; axis < 3; ++axis) add(std::bit_cast<std::uint64_t>(v[axis]));
    }
    for (const auto& corners : mesh.triangles) {
        for (const std::uint32_t corner : corners) add(corner);
    }
    return hash;
}

}  // namespace

SolidMesh::SolidMesh(TriangleMesh mesh)
    : mesh_(std::move(mesh)), matter_(mass_properties(mesh_)), content_hash_(hash_of(mesh_)) {
    bounds_ = {mesh_.vertices.front(), mesh_.vertices.front()};
    for (const Vec3d& v : mesh_.vertices) {
        for (int axis = 0; axis < 3; ++axis) {
            bounds_.low[axis] = std::min(bounds_.low[axis], v[axis]);
            bounds_.high[axis] = std::max(bounds_.high[axis], v[axis]);
        }
    }
    negligible_ = 1e-12 * (length(bounds_.low) + length(bounds_.high));
    sort_into_tree();
    find_normals();
}

void SolidMesh::sort_into_tree() {
    const auto count = static_cast<std::uint32_t>(mesh_.triangles.size());
    std::vector<Vec3d> centers;
    centers.reserve(count);
    for (const auto& [a, b, c] : mesh_.triangles) {
        centers.push_back((mesh_.vertices[a] + mesh_.vertices[b] + mesh_.vertices[c]) / 3.0);
    }
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    nodes_.reserve(count);
    nodes_.emplace_back();
    build(0, 0, count, centers, order);
    std::vector<std::array<std::uint32_t, 3>> sorted;
    sorted.reserve(count);
    for (const std::uint32_t n : order) sorted.push_back(mesh_.triangles[n]);
    mesh_.triangles = std::move(sorted);
}

/// Halves the triangles along the longest extent of their centers.
void SolidMesh::build(std::uint32_t node, std::uint32_t first, std::uint32_t last, std::vector<Vec3d>& centers,
                      std::vector<std::uint32_t>& order) {
    const double huge = std::numeric_limits<double>::infinity();
    Bounds box{{huge, huge, huge}, {-huge, -huge, -huge}}, middle = box;
    for (std::uint32_t n = first; n < last; ++n) {
        for (int axis = 0; axis < 3; ++axis) {
            for (const std::uint32_t corner : mesh_.triangles[order[n]]) {
                box.low[axis] = std::min(box.low[axis], mesh_.vertices[corner][axis]);
                box.high[axis] = std::max(box.high[axis], mesh_.vertices[corner][axis]);
            }
            middle.low[axis] = std::min(middle.low[axis], centers[order[n]][axis]);
            middle.high[axis] = std::max(middle.high[axis], centers[order[n]][axis]);
        }
    }
    nodes_[node].low = {down(box.low.x), down(box.low.y), down(box.low.z)};
    nodes_[node].high = {up(box.high.x), up(box.high.y), up(box.high.z)};
    if (last - first <= leaf_size) {
        nodes_[node].first = first;
        nodes_[node].count = last - first;
        return;
    }
    const Vec3d size = middle.high - middle.low;
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const std::uint32_t half = first + (last - first) / 2;
    std::nth_element(order.begin() + first, order.begin() + half, order.begin() + last,
                     [&](std::uint32_t a, std::uint32_t b) {
                         return centers[a][axis] < centers[b][axis] || (centers[a][axis] == centers[b][axis] && a < b);
                     });
    const auto children = static_cast<std::uint32_t>(nodes_.size());
    nodes_[node].first = children;
    nodes_.resize(nodes_.size() + 2);
    build(children, first, half, centers, order);
    build(children + 1, half, last, centers, order);
}

void SolidMesh::find_normals() {
    corner_normals_.assign(mesh_.vertices.size(), {});
    across_.resize(mesh_.triangles.size());
    struct Edge {
        std::uint32_t from, to, triangle, corner;
    };
    std::vector<Edge> edges;
    edges.reserve(3 * mesh_.triangles.size());
    for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t) {
        const auto& corners = mesh_.triangles[t];
        const std::array<Vec3d, 3> p{mesh_.vertices[corners[0]], mesh_.vertices[corners[1]],
                                     mesh_.vertices[corners[2]]};
        corners_.push_back(p);
        face_normals_.push_back(unit_or_zero(cross(p[1] - p[0], p[2] - p[0])));
        for (std::uint32_t n = 0; n < 3; ++n) {
            const std::uint32_t next = (n + 1) % 3, last = (n + 2) % 3;
            corner_normals_[corners[n]] += angle_between(p[next] - p[n], p[last] - p[n]) * face_normals_[t];
            edges.push_back({corners[n], corners[next], t, n});
            across_[t][n] = t;
        }
    }
    const auto key = [](const Edge& e) { return std::minmax(e.from, e.to); };
    std::sort(edges.begin(), edges.end(), [&](const Edge& a, const Edge& b) {
        if (key(a) != key(b)) return key(a) < key(b);
        return a.triangle < b.triangle || (a.triangle == b.triangle && a.corner < b.corner);
    });
    // Where more than two triangles meet at an edge, each takes one that runs the other way.
    for (std::size_t n = 0; n < edges.size(); ++n) {
        for (std::size_t m = n + 1; m < edges.size() && key(edges[m]) == key(edges[n]); ++m) {
            const bool free = across_[edges[m].triangle][edges[m].corner] == edges[m].triangle &&
                              across_[edges[n].triangle][edges[n].corner] == edges[n].triangle;
            if (!free || edges[m].from != edges[n].to) continue;
            across_[edges[n].triangle][edges[n].corner] = edges[m].triangle;
            across_[edges[m].triangle][edges[m].corner] = edges[n].triangle;
        }
    }
}

/// Nearest point of one triangle: the corner, edge or face in whose region the point lies (Ericson 2005, 5.1.5).
SolidMesh::Hit SolidMesh::hit(std::uint32_t triangle, Vec3d p) const {
    const auto& [a, b, c] = corners_[triangle];
    const Vec3d ab = b - a, ac = c - a;
    const auto found = [&](Vec3d point, int feature) {
        return Hit{dot(p - point, p - point), point, triangle, feature};
    };
    const double d1 = dot(ab, p - a), d2 = dot(ac, p - a);
    if (d1 <= 0 && d2 <= 0) return found(a, 0);
    const double d3 = dot(ab, p - b), d4 = dot(ac, p - b);
    if (d3 >= 0 && d4 <= d3) return found(b, 1);
    const double from_c = d1 * d4 - d3 * d2;
    if (from_c <= 0 && d1 >= 0 && d3 <= 0 && d1 > d3) return found(a + d1 / (d1 - d3) * ab, 3);
    const double d5 = dot(ab, p - c), d6 = dot(ac, p - c);
    if (d6 >= 0 && d5 <= d6) return found(c, 2);
    const double from_b = d5 * d2 - d1 * d6;
    if (from_b <= 0 && d2 >= 0 && d6 <= 0 && d2 > d6) return found(a + d2 / (d2 - d6) * ac, 5);
    const double from_a = d3 * d6 - d5 * d4;
    if (from_a <= 0 && d4 >= d3 && d5 >= d6 && (d4 - d3) + (d5 - d6) > 0) {
        return found(b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b), 4);
    }
    const double sum = from_a + from_b + from_c;
    if (!(sum > 0)) return found(a, 0);  // a needle: its neighbors have the same edges
    return found(a + from_b / sum * ab + from_c / sum * ac, 6);
}

SolidMesh::Hit SolidMesh::search(Vec3d p, double at_most, std::uint32_t begin) const {
    struct Waiting {
        std::uint32_t node;
        double square;
    };
    Hit best = hit(begin, p);
    best.square = std::min(best.square, at_most);
    std::array<Waiting, 64> waiting;  // enough: 2^32 triangles make a tree 32 deep
    std::size_t count = 0;
    waiting[count++] = {0, 0};
    while (count > 0) {
        const Waiting next = waiting[--count];
        if (next.square >= best.square) continue;
        const Node& node = nodes_[next.node];
        for (std::uint32_t n = node.first; n < node.first + node.count; ++n) {
            if (beyond(n, p, best.square)) continue;
            const Hit found = hit(n, p);
            if (found.square < best.square) best = found;
        }
        if (node.count > 0) continue;
        const Node *left = &nodes_[node.first], *right = left + 1;
        Waiting near{node.first, square_to(left->low, left->high, p)};
        Waiting far{node.first + 1, square_to(right->low, right->high, p)};
        if (far.square < near.square) std::swap(near, far);
        if (far.square < best.square) waiting[count++] = far;
        if (near.square < best.square) waiting[count++] = near;
    }
    return best;
}

Vec3d SolidMesh::feature_normal(const Hit& found) const {
    if (found.feature < 3)
        return corner_normals_[mesh_.triangles[found.triangle][static_cast<std::size_t>(found.feature)]];
    if (found.feature == 6) return face_normals_[found.triangle];
    return face_normals_[found.triangle] +
           face_normals_[across_[found.triangle][static_cast<std::size_t>(found.feature - 3)]];
}

SurfacePoint SolidMesh::seen_from(Vec3d point, const Hit& found) const {
    const Vec3d normal = feature_normal(found);
    const double distance = std::sqrt(found.square), sign = dot(point - found.point, normal) < 0 ? -1 : 1;
    if (distance > negligible_) return {sign * distance, (sign / distance) * (point - found.point)};
    const double norm = length(normal);
    return {sign * distance, norm > 0 ? normal / norm : Vec3d{0, 1, 0}};
}

SurfacePoint SolidMesh::nearest(Vec3d point) const { return seen_from(point, search(point)); }

SurfacePoint SolidMesh::nearest(Vec3d point, std::uint32_t& triangle) const {
    const Hit found = search(point, std::numeric_limits<double>::infinity(), triangle);
    triangle = found.triangle;
    return seen_from(point, found);
}

SurfacePoint SolidMesh::nearest_of(std::span<const std::uint32_t> triangles, Vec3d point) const {
    Hit best = hit(triangles.front(), point);
    for (const std::uint32_t n : triangles.subspan(1)) {
        if (beyond(n, point, best.square)) continue;
        const Hit found = hit(n, point);
        if (found.square < best.square) best = found;
    }
    return seen_from(point, best);
}

void SolidMesh::list_within(double distance, Vec3d point, std::span<const std::uint32_t> among,
                            std::vector<std::uint32_t>& list) const {
    for (const std::uint32_t n : among) {
        if (!beyond(n, point, distance * distance) && hit(n, point).square <= distance * distance) list.push_back(n);
    }
}

SurfacePoint SolidMesh::nearest_among(std::span<const std::uint32_t> triangles, Vec3d point) const {
    constexpr double hair = 1e-12;  // less than rounding makes of the distance to an edge that two triangles share
    Hit best = hit(triangles.front(), point);
    bool several = false;
    for (const std::uint32_t n : triangles.subspan(1)) {
        if (beyond(n, point, best.square)) continue;
        const Hit found = hit(n, point);
        if (found.square > best.square * (1 + hair)) continue;
        const bool same_corner = found.feature < 3 && best.feature < 3 && found.point == best.point;
        const bool nearer = found.square < best.square * (1 - hair);
        several = !nearer && (several || !same_corner);
        if (found.square < best.square) best = found;
    }
    if (!several) return seen_from(point, best);
    // The tree decides which of them is taken. On the surface the square is 0.
    return seen_from(point, search(point, best.square * (1 + 1e-9) + std::numeric_limits<double>::min()));
}

bool SolidMesh::list_within(double distance, Vec3d point, std::size_t most, std::vector<std::uint32_t>& list) const {
    const std::size_t before = list.size();
    std::array<std::uint32_t, 64> waiting;
    std::size_t count = 0;
    waiting[count++] = 0;
    while (count > 0) {
        const Node& node = nodes_[waiting[--count]];
        if (square_to(node.low, node.high, point) > distance * distance) continue;
        if (node.count == 0) {
            waiting[count++] = node.first;
            waiting[count++] = node.first + 1;
        }
        for (std::uint32_t n = node.first; n < node.first + node.count; ++n) {
            if (hit(n, point).square <= distance * distance) list.push_back(n);
        }
        if (list.size() - before > most) {
            list.resize(before);
            return false;
        }
    }
    return true;
}

}  // namespace treacle
