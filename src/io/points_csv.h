#pragma once

#include <string>

#include "io/particle_table.h"

namespace treacle {

/// Writes particles as plain text: a header with the names of the PLY files, then a row per particle. Numbers have the
/// shortest form that reads back to the same float.
Result<void> write_points_csv(const std::string& path, const ParticleTable& particles);

}  // namespace treacle
