#pragma once

#include <string>

#include "io/export_run.h"
#include "io/particle_table.h"
#include "io/series_place.h"

namespace treacle {

/// Writes a frame as a scene of Mitsuba 3: the surface of the fluid if the run has one, otherwise a sphere per
/// particle, and the solids as meshes where they are. It includes settings.xml, which lies beside it.
Result<void> write_mitsuba(const std::string& path, const ParticleTable& particles, const ExportRun& run);

/// Writes settings.xml (integrator, camera, light and a material for every fluid; one file to edit for all frames) and
/// the shapes of the solids.
Result<void> write_mitsuba_series(const SeriesPlace& place, const ExportRun& run);

}  // namespace treacle
