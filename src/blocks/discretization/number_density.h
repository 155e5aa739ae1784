#pragma once

#include <span>
#include <vector>

#include "blocks/discretization/mps_cloud.h"

namespace treacle {

/// How MPS tells which particles are at the free surface, where the pressure is zero.
enum class SurfaceTest {
    number_density,  ///< n < 0.97 n0 (Koshizuka, Oka 1996)
    one_sided,  ///< and besides |Σ w r̂| > 0.25 n, or n < 0.3 n0: a place inside that is only thin is not a surface
};

/// The particle number density n_i = Σ_j w_ij over fluid and walls, its one-sidedness Σ_j w_ij r̂_ij, and which
/// particles are at the free surface. Reads the rows of the cloud.
///
/// The second test is a departure from the paper, which is silent: by n alone every place where fluid is drawn apart
/// becomes a surface, where it offers no resistance any more, and is drawn apart the faster.
template <class S>
class NumberDensity {
public:
    using Real = typename S::Real;

    void update(const MpsCloud<S>& cloud, SurfaceTest test, const Parallel& parallel);

    /// n/n0, zero for particles that carry no pressure.
    std::span<const Real> ratio() const { return ratio_; }
    bool at_surface(std::size_t i) const { return surface_[i] != 0; }
    std::span<const std::uint8_t> surface() const { return surface_; }

private:
    std::vector<Real> ratio_;
    std::vector<std::uint8_t> surface_;
};

}  // namespace treacle
