#pragma once

#include <string>

#include "io/export_run.h"
#include "io/particle_table.h"

namespace treacle {

/// Writes particles as OpenVDB points, a grid "points" with Houdini's attributes: P, v (m/s), id, pscale (radius, m),
/// density, material, and the scalar and vector columns of the method; tensors become six scalars.
Result<void> write_vdb_points(const std::string& path, const ParticleTable& particles, const ExportRun& run);

}  // namespace treacle
