#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/parallel.h"
#include "geometry/shape.h"

namespace treacle {

/// The task of sample_surface.
struct SurfaceSampling {
    double spacing = 0;                ///< m
    double depth = 0;                  ///< m, of the layer below the surface; above it if negative
    std::optional<std::size_t> count;  ///< of samples in place of area / spacing² (2D: length / spacing)
};

/// Points evenly spaced on the surface of a shape that is not a plane, where it stands before any pose. The shape is
/// known by its signed distance alone: random points in a thin shell around the surface are projected to it, thinned
/// out to the count and spread. Samples follow each other along a Morton curve. The same shape always gives the same
/// bits.
///
/// Distances to the nearest neighbor deviate by less than 15 % from their mean, also across edges; the count is within
/// 2 % unless the shape is smaller than three spacings. A layer deeper than the shape has no samples.
std::vector<Vec3d> sample_surface(const Shape& shape, const SurfaceSampling& sampling, const Parallel& parallel);

/// Area (2D: length) of the surface of a shape that is not a plane; tells how many samples there will be.
double surface_area(const Shape& shape);

/// A plane is infinite and sampled where it is needed: at the points of a fixed square lattice (2D: evenly spaced
/// points), so that the same plane always has the same samples.
class PlaneLattice {
public:
    /// `depth` as for other surfaces: the lattice lies this far below the plane.
    PlaneLattice(const Shape& plane, double spacing, double depth = 0);

    /// Lattice coordinates of a place, not rounded; v is 0 in 2D.
    struct Coordinates {
        double u, v;
    };
    Coordinates coordinates(Vec3d place) const;
    Vec3d point(double u, double v) const { return origin_ + (spacing_ * u) * along_u_ + (spacing_ * v) * along_v_; }
    double distance(Vec3d place) const { return dot(place - origin_, normal_); }

    /// Samples within bounds, which may be as thin as the plane; u runs fastest.
    std::vector<Vec3d> patch(const Bounds& bounds) const;

private:
    Vec3d origin_, normal_, along_u_, along_v_;
    double spacing_;
    int dimension_;
};

}  // namespace treacle
