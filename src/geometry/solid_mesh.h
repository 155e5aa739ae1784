#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "geometry/mass_properties.h"
#include "geometry/tessellation.h"

namespace treacle {

/// A solid bounded by triangles: exact signed distances, through a tree of boxes.
///
/// Whether a point is inside follows from the nearest triangle, edge or corner: the point lies on the inner side of the
/// angle-weighted mean of the normals that meet there (Bærentzen & Aanæs 2005). That is right for every closed surface
/// that does not cut through itself. See docs/decisions/mesh-distance.md.
class SolidMesh {
public:
    /// The mesh is closed and looks outward (mesh_files/closed_mesh.h sees to that).
    explicit SolidMesh(TriangleMesh mesh);

    SurfacePoint nearest(Vec3d point) const;

    /// The same for a caller that comes back with a point nearby: begins at a triangle and leaves there which one is
    /// nearest.
    SurfacePoint nearest(Vec3d point, std::uint32_t& triangle) const;

    /// The same if the nearest triangle is known to be among these (numbers in mesh(), at least one). Where several are
    /// equally near it may take another of them.
    SurfacePoint nearest_of(std::span<const std::uint32_t> triangles, Vec3d point) const;

    /// The same if all triangles that are nearest are known to be among these: the bits are those of nearest().
    SurfacePoint nearest_among(std::span<const std::uint32_t> triangles, Vec3d point) const;

    /// Adds the triangles closer than a distance to the list. If there are more than `most`, returns false and adds
    /// none.
    bool list_within(double distance, Vec3d point, std::size_t most, std::vector<std::uint32_t>& list) const;

    /// The same out of a list that has all of them, however many; their order stays.
    void list_within(double distance, Vec3d point, std::span<const std::uint32_t> among,
                     std::vector<std::uint32_t>& list) const;

    const TriangleMesh& mesh() const { return mesh_; }
    const Bounds& bounds() const { return bounds_; }
    const MassProperties& matter() const { return matter_; }

    /// Of vertices and triangles: meshes of equal content have equal hashes.
    std::uint64_t content_hash() const { return content_hash_; }

private:
    /// Single precision, rounded outward: half the memory, and no triangle is missed.
    struct Node {
        std::array<float, 3> low, high;
        std::uint32_t first = 0;  ///< triangle in the order of the tree; for count 0 the first of two nodes
        std::uint32_t count = 0;
    };
    struct Hit {
        double square;  ///< of the distance
        Vec3d point;
        std::uint32_t triangle;  ///< in the order of the tree
        int feature;             ///< 0 to 2 a corner, 3 to 5 the edge behind it, 6 the face
    };

    void sort_into_tree();
    void build(std::uint32_t node, std::uint32_t first, std::uint32_t last, std::vector<Vec3d>& centers,
               std::vector<std::uint32_t>& order);
    void find_normals();
    Hit hit(std::uint32_t triangle, Vec3d p) const;
    /// Whether a triangle's plane alone is farther away than that. Rounding never makes it so.
    bool beyond(std::uint32_t triangle, Vec3d p, double square) const {
        const double off = std::abs(dot(p - corners_[triangle][0], face_normals_[triangle])) - negligible_;
        return off > 0 && off * off > square * (1 + 1e-9);
    }
    /// The nearest hit whose square is at most this; there must be one. Begins at a triangle.
    Hit search(Vec3d p, double at_most = std::numeric_limits<double>::infinity(), std::uint32_t begin = 0) const;
    SurfacePoint seen_from(Vec3d point, const Hit& found) const;
    Vec3d feature_normal(const Hit& found) const;

    TriangleMesh mesh_;  ///< triangles in the order of the tree
    std::vector<Node> nodes_;
    std::vector<std::array<Vec3d, 3>> corners_;         ///< of each triangle, side by side: a search reads them all
    std::vector<Vec3d> face_normals_, corner_normals_;  ///< of length 1; the sum by angles, per vertex
    std::vector<std::array<std::uint32_t, 3>> across_;  ///< triangle beyond each edge
    Bounds bounds_{};
    MassProperties matter_{};
    double negligible_ = 0;  ///< distance at which a direction is lost in rounding
    std::uint64_t content_hash_ = 0;
};

}  // namespace treacle
