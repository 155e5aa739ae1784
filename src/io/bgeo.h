#pragma once

#include <string>

#include "io/export_run.h"
#include "io/particle_table.h"

namespace treacle {

/// Writes particles for Houdini and other readers of its classic files: gzip'ed "Bgeo", version 5, big-endian. It uses
/// only the subset that splashsurf, partio and Blender's sequence loader read: no primitives, and attributes that are
/// one float, one int or a vector of three, so tensors become six floats.
///
/// Attributes have Houdini's names: P, v (m/s), id, pscale (radius, m), density, material; then the columns of the
/// method.
Result<void> write_bgeo(const std::string& path, const ParticleTable& particles, const ExportRun& run);

/// The bytes before compression.
std::string bgeo_bytes(const ParticleTable& particles, const ExportRun& run);

}  // namespace treacle
