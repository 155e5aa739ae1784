#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "math/rotation.h"

namespace treacle {

struct Disk {  ///< a slit of twice the radius in 2D
    double radius = 0;
};

struct Star {                 ///< 3D only
    double radius = 0;        ///< m, of the tips
    double inner_radius = 0;  ///< m, of the notches between them
    int points = 5;
};

/// The opening of an emitter: an area drawn in the plane of local x and y, which fluid leaves along z. In 2D it lies
/// on the x axis and fluid leaves along y.
struct Mouth {
    std::variant<Disk, Star> form;
    int dimension = 3;
};

/// Area in m² (3D) or width in m (2D).
double area(const Mouth& mouth);

/// Whether a point of the mouth's plane is in the opening.
bool contains(const Mouth& mouth, double x, double y);

/// Radius of the circle around it.
double outer_radius(const Mouth& mouth);

enum class MouthLattice { square, hexagonal };

/// Points on a lattice inside the opening, at least one, as close to one per spacing² as shifts of the lattice allow;
/// in 2D round(width / spacing) points, evenly.
std::vector<Vec3d> sample_mouth(const Mouth& mouth, double spacing, MouthLattice lattice = MouthLattice::square);

}  // namespace treacle
