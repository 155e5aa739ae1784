#pragma once

#include <string>

#include "io/export_run.h"
#include "io/particle_table.h"
#include "io/series_place.h"

namespace treacle {

/// Writes particles as VTKHDF 1.0, an unstructured grid of vertices. This is the version that ParaView 5.11 reads; it
/// recognizes such files by the ending .hdf only. Point data have the names of VTP files; tensors have VTK's order
/// XX YY ZZ XY YZ XZ.
Result<void> write_vtkhdf(const std::string& path, const ParticleTable& particles);

/// Writes frames.hdf.series, ParaView's list of files and times.
Result<void> write_vtkhdf_series(const SeriesPlace& place, const ExportRun& run);

}  // namespace treacle
