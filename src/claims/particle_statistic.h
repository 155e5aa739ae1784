#pragma once

#include "claims/measure.h"

namespace treacle {

/// The statistic of one frame of a run.
///
/// `aspect` is the ratio of the longest to the shortest principal axis of the particles' distribution (square roots of
/// the eigenvalues of its covariance): 1 for a ball, b/a for a box or an ellipsoid with edges or axes a < b.
/// `lumps` counts the groups of particles that hang together.
/// `drift` is how far particles are from where a rigid copy of the first frame, moved and turned to fit best, has them:
/// root of the mean square, in particle spacings.
Result<double> particle_statistic(const ParticleSeries& series, const RunData& run, std::size_t row);

}  // namespace treacle
