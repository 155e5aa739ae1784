#include "mesh_files/closed_mesh.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace treacle {

namespace {

using Corners = std::array<std::uint32_t, 3>;

/// Gives all corners at the same place one number, in the order of first use.
TriangleMesh welded(const TriangleMesh& raw) {
    std::vector<std::uint32_t> order(raw.vertices.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto place = [&](std::uint32_t n) {
        const Vec3d& v = raw.vertices[n];
        return std::tuple(v.x, v.y, v.z);
    };
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b) || (place(a) == place(b) && a < b); });
    std::vector<std::uint32_t> same(order.size());
    for (std::size_t n = 0; n < order.size(); ++n) {
        const bool again = n > 0 && place(order[n]) == place(order[n - 1]);
        same[order[n]] = again ? same[order[n - 1]] : order[n];
    }
    constexpr std::uint32_t unused = ~0u;
    std::vector<std::uint32_t> number(order.size(), unused);
    TriangleMesh mesh;
    for (const Corners& t : raw.triangles) {
        Corners kept{same[t[0]], same[t[1]], same[t[2]]};
        if (kept[0] == kept[1] || kept[1] == kept[2] || kept[2] == kept[0]) continue;
        for (std::uint32_t& corner : kept) {
            if (number[corner] == unused) {
                number[corner] = static_cast<std::uint32_t>(mesh.vertices.size());
                mesh.vertices.push_back(raw.vertices[corner]);
            }
            corner = number[corner];
        }
        mesh.triangles.push_back(kept);
    }
    return mesh;
}

struct Edge {
    std::uint32_t low, high, triangle;
    bool upward;  ///< the triangle runs from low to high
};

std::vector<Edge> sorted_edges(const TriangleMesh& mesh) {
    std::vector<Edge> edges;
    edges.reserve(3 * mesh.triangles.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        for (std::size_t n = 0; n < 3; ++n) {
            const std::uint32_t from = mesh.triangles[t][n], to = mesh.triangles[t][(n + 1) % 3];
            edges.push_back({std::min(from, to), std::max(from, to), t, from < to});
        }
    }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
    });
    return edges;
}

/// visit(first, last) for every edge, with the range of the triangles' sides there.
template <class Visit>
void for_each_edge(const std::vector<Edge>& edges, const Visit& visit) {
    for (std::size_t first = 0, last = 0; first < edges.size(); first = last) {
        while (last < edges.size() && edges[last].low == edges[first].low && edges[last].high == edges[first].high)
            ++last;
        visit(first, last);
    }
}

/// Number of edges with a fault.
struct EdgeFaults {
    std::size_t open = 0, turned = 0;  ///< an odd number of triangles meets; not as many run up as down
};

EdgeFaults find_faults(const std::vector<Edge>& edges) {
    EdgeFaults faults;
    for_each_edge(edges, [&](std::size_t first, std::size_t last) {
        const auto upward =
            std::count_if(edges.begin() + static_cast<std::ptrdiff_t>(first),
                          edges.begin() + static_cast<std::ptrdiff_t>(last), [](const Edge& e) { return e.upward; });
        if ((last - first) % 2 == 1) ++faults.open;
        else if (2 * static_cast<std::size_t>(upward) != last - first) ++faults.turned;
    });
    return faults;
}

double volume_under(const TriangleMesh& mesh, const Corners& t) {
    const Vec3d origin = mesh.vertices.front();
    return dot(mesh.vertices[t[0]] - origin, cross(mesh.vertices[t[1]] - origin, mesh.vertices[t[2]] - origin)) / 6;
}

void turn(Corners& t) { std::swap(t[1], t[2]); }

/// Goes from triangle to triangle across edges shared by two and turns those that run against the first. Then turns
/// each part that is inside out.
void orient(TriangleMesh& mesh, const std::vector<Edge>& edges) {
    struct Neighbor {
        std::uint32_t triangle;
        bool against;
    };
    std::vector<std::vector<Neighbor>> neighbors(mesh.triangles.size());
    for_each_edge(edges, [&](std::size_t first, std::size_t last) {
        if (last - first != 2) return;
        const bool against = edges[first].upward == edges[first + 1].upward;
        neighbors[edges[first].triangle].push_back({edges[first + 1].triangle, against});
        neighbors[edges[first + 1].triangle].push_back({edges[first].triangle, against});
    });
    std::vector<char> seen(mesh.triangles.size(), 0);
    for (std::uint32_t start = 0; start < mesh.triangles.size(); ++start) {
        if (seen[start]) continue;
        std::vector<std::uint32_t> part{start};
        std::vector<char> turned(1, 0);
        seen[start] = 1;
        double volume = 0;
        for (std::size_t n = 0; n < part.size(); ++n) {
            if (turned[n]) turn(mesh.triangles[part[n]]);
            volume += volume_under(mesh, mesh.triangles[part[n]]);
            for (const Neighbor& next : neighbors[part[n]]) {
                if (seen[next.triangle]) continue;
                seen[next.triangle] = 1;
                part.push_back(next.triangle);
                turned.push_back(static_cast<char>(next.against != static_cast<bool>(turned[n])));
            }
        }
        if (volume >= 0) continue;
        for (const std::uint32_t t : part) turn(mesh.triangles[t]);
    }
}

}  // namespace

Result<TriangleMesh> closed_mesh(const TriangleMesh& raw) {
    TriangleMesh mesh = welded(raw);
    if (mesh.triangles.empty()) return fail(ExitCode::wrong_input, "the mesh holds no triangle");
    const std::vector<Edge> edges = sorted_edges(mesh);
    const EdgeFaults faults = find_faults(edges);
    if (faults.open > 0) {
        return fail(ExitCode::wrong_input, "the mesh is not closed: " + std::to_string(faults.open) +
                                               (faults.open == 1 ? " edge is" : " edges are") +
                                               " open; close the holes and merge corners at the same "
                                               "place (in Blender: Merge by Distance, then Fill Holes)");
    }
    if (faults.turned > 0) {
        orient(mesh, edges);
        if (find_faults(sorted_edges(mesh)).turned > 0) {
            return fail(ExitCode::wrong_input,
                        "the faces of the mesh cannot be turned so that all look outward: it is no "
                        "surface of a solid");
        }
    }
    double volume = 0;
    for (const Corners& t : mesh.triangles) volume += volume_under(mesh, t);
    if (volume < 0) std::for_each(mesh.triangles.begin(), mesh.triangles.end(), turn);
    Vec3d size{};
    for (const Vec3d& v : mesh.vertices) {
        for (int axis = 0; axis < 3; ++axis)
            size[axis] = std::max(size[axis], std::abs(v[axis] - mesh.vertices.front()[axis]));
    }
    const double longest = std::max({size.x, size.y, size.z});
    if (!(std::abs(volume) > 1e-12 * longest * longest * longest)) {
        return fail(ExitCode::wrong_input, "the mesh encloses no volume");
    }
    return mesh;
}

}  // namespace treacle
