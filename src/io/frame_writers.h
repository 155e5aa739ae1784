#pragma once

#include <string>
#include <string_view>

#include "io/export_run.h"
#include "io/particle_table.h"
#include "io/series_place.h"
#include "state/frame_formats.h"

namespace treacle {

/// Writer of a format of state/frame_formats.h.
struct FrameWriter {
    const char* word;
    Result<void> (*frame)(const std::string& path, const ParticleTable& particles, const ExportRun& run);
    Result<void> (*series)(const SeriesPlace& place, const ExportRun& run);  ///< null: no files besides the frames
};

/// Every format except PLY has one: PLY is the run's own format, written by io/ply.h.
const FrameWriter* find_frame_writer(std::string_view word);

}  // namespace treacle
