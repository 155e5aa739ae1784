#include "io/frame_writers.h"

#include <algorithm>
#include <array>

#include "io/bgeo.h"
#include "io/mitsuba.h"
#include "io/npz.h"
#include "io/points_csv.h"
#include "io/usda.h"
#include "io/vdb_points.h"
#include "io/vtkhdf.h"
#include "io/vtp.h"

namespace treacle {

namespace {

/// For formats that need no facts about the run.
template <auto Write>
Result<void> particles_only(const std::string& path, const ParticleTable& particles, const ExportRun&) {
    return Write(path, particles);
}

const std::array<FrameWriter, 8> writers{{
    {"vtp", particles_only<write_vtp>, write_vtp_series},
    {"vtkhdf", particles_only<write_vtkhdf>, write_vtkhdf_series},
    {"bgeo", write_bgeo, nullptr},
    {"vdb", write_vdb_points, nullptr},
    {"csv", particles_only<write_points_csv>, nullptr},
    {"npz", particles_only<write_npz>, nullptr},
    {"usda", write_usda, write_usda_series},
    {"mitsuba", write_mitsuba, write_mitsuba_series},
}};

}  // namespace

const FrameWriter* find_frame_writer(std::string_view word) {
    const auto found =
        std::find_if(writers.begin(), writers.end(), [&](const FrameWriter& writer) { return writer.word == word; });
    return found == writers.end() ? nullptr : &*found;
}

}  // namespace treacle
