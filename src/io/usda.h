#pragma once

#include <string>

#include "io/export_run.h"
#include "io/particle_table.h"
#include "io/series_place.h"

namespace treacle {

/// Writes a frame as USD text: a Points prim "fluid" with one time sample, at the number of the frame: points,
/// velocities, ids, widths (diameters), primvars displayColor, density, material and the columns of the method.
Result<void> write_usda(const std::string& path, const ParticleTable& particles, const ExportRun& run);

/// Writes frames.usda, the stage to open: the frames as value clips, so that they are read one at a time, and solids
/// as meshes that move. frames.manifest.usda beside it declares the attributes of the clips. The columns of the method
/// are not in it; only the files of single frames have them.
Result<void> write_usda_series(const SeriesPlace& place, const ExportRun& run);

}  // namespace treacle
