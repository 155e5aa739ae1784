#pragma once

#include <string>

#include "io/particle_table.h"

namespace treacle {

/// Writes particles as NumPy's .npz, uncompressed: arrays position, velocity, id, material, density, the columns of the
/// method (vectors with 3 columns, tensors with 6: xx xy xz yy yz zz), frame and time.
Result<void> write_npz(const std::string& path, const ParticleTable& particles);

}  // namespace treacle
