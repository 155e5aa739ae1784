#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "io/export_run.h"
#include "io/particle_table.h"
#include "io/series_place.h"

namespace treacle {

/// Writes a frame for ParaView: VTK XML PolyData with raw appended data, one vertex cell per particle in id order,
/// all exported columns as point data. Tensors have VTK's component order XX YY ZZ XY YZ XZ.
Result<void> write_vtp(const std::string& path, const ParticleTable& particles);

/// Writes a ParaView time series: pairs of time (s) and file, relative to the folder of `path`.
Result<void> write_pvd(const std::string& path, const std::vector<std::pair<double, std::string>>& files);

/// Writes frames.pvd, which shows the frames as an animation, and bodies.pvd with the solids.
Result<void> write_vtp_series(const SeriesPlace& place, const ExportRun& run);

}  // namespace treacle
