#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "geometry/solid_mesh.h"

namespace treacle {

/// Range and resolution of the distances that are needed, in m in the frame of the mesh.
struct DistanceBand {
    double spacing;       ///< of the particles
    double reach;         ///< largest distance of interest, on the side of the fluid
    bool inside = false;  ///< the fluid is inside: a container
};

/// Signed distances to a mesh, for many queries near its surface: a grid of cubes that split in eight until
/// - they are out of reach: on the side of the fluid the answer is then beyond the reach, but no more than the true
///   distance; or
/// - few triangles can be nearest to any of their points: these are compared, and the answer is exact; or
/// - interpolation between the corners is good enough at points between them and at all triangles; or
/// - they are small: the mesh's own tree answers, as it does deep in the solid and outside of the grid.
/// The content of a cube depends on mesh and band only, so a cube of the grid is not divided before somebody asks for a
/// point of it. Several threads may ask. See docs/decisions/mesh-distance.md.
class DistanceField {
public:
    static constexpr double tolerance = 0.01;  ///< of the spacing, where interpolation is checked

    DistanceField(std::shared_ptr<const SolidMesh> mesh, const DistanceBand& band);
    ~DistanceField();

    SurfacePoint nearest(Vec3d point) const;

    /// Cubes of the grid, and how many of them were divided by now.
    std::size_t cube_count() const { return size_[0] * size_[1] * size_[2]; }
    std::size_t divided_count() const;

private:
    enum class Kind : std::uint16_t { split, far, interpolated, listed, tree };
    struct Cube {
        /// Index, in the branch, of its eight parts, its sample of a far place, its corners or its triangles.
        std::uint32_t first = 0;
        std::uint16_t count = 0;  ///< of triangles
        Kind kind = Kind::tree;
    };
    /// Distance and its gradient. Single precision: they are right to the tolerance only.
    struct Sample {
        float distance;
        Vec3<float> gradient;
    };
    using Corners = std::array<Sample, 8>;
    struct Branch;
    /// A cube of the grid.
    struct Root {
        std::atomic<const Branch*> branch{nullptr};  ///< owned; none until somebody asks
        std::mutex growing;
        std::vector<Vec3d> on_surface;  ///< corners and middles of triangles, until it has a branch
    };

    static SurfacePoint interpolate(const Corners& corners, double edge, Vec3d share);
    const Branch& grow(std::size_t root) const;

    std::shared_ptr<const SolidMesh> mesh_;
    DistanceBand band_;
    Vec3d low_{};
    double edge_ = 1;                           ///< of the cubes of the grid
    std::array<std::size_t, 3> size_{1, 1, 1};  ///< of the grid, in cubes
    std::unique_ptr<Root[]> roots_;             ///< x running fastest
};

}  // namespace treacle
