#pragma once

#include <vector>

namespace treacle {

/// The share of a half space filled with fluid at rest in the sums of double density relaxation, for a particle
/// at a given distance from it. Walls use it in place of the neighbors that are missing behind them; without it
/// particles pile up on walls and a dam loses 17 % of its volume.
struct HalfSpaceSums {
    double density;       ///< Σ (1-q)²
    double near_density;  ///< Σ (1-q)³
    double push;          ///< Σ (1-q) cos θ, θ measured from the wall's normal
    double near_push;     ///< Σ (1-q)² cos θ
};

/// The sums as integrals over the half space at number density 1/spacing^dim, tabulated over the distance.
class HalfSpaceTable {
public:
    HalfSpaceTable(int dimension, double spacing, double support_radius);

    /// The sums over the whole space around a particle: twice a half space that begins at the particle.
    double whole_density() const { return 2 * rows_.front().density; }
    double whole_near_density() const { return 2 * rows_.front().near_density; }

    /// Zero beyond the support radius; distances below 0 count as 0.
    HalfSpaceSums at(double distance) const;

private:
    double support_radius_;
    std::vector<HalfSpaceSums> rows_;  ///< evenly spaced from 0 to the support radius
};

}  // namespace treacle
