#pragma once

#include "claims/measure.h"

namespace treacle {

/// The statistic of one frame of a run.
///
/// `aspect` is the ratio of the longest to the shortest principal axis of the particles' distribution (square roots of
/// the eigenvalues of its covariance): 1 for a ball, b/a for a box or an ellipsoid with edges or axes a < b.
/// `lumps` counts the connected groups of particles. `drift` is the root mean square distance of particles from their
/// places in a rigid copy of the first frame, moved and turned to fit best, in particle spacings.
Result<double> particle_statistic(const ParticleSeries& series, const RunData& run, std::size_t row);

}  // namespace treacle
