#pragma once

#include <string>
#include <vector>

#include "io/export_run.h"
#include "io/run_folder.h"

namespace treacle {

/// Writes the frames of a run that is under way, in the formats that its scene asks for.
class FrameOutput {
public:
    /// `formats` are words of state/frame_formats.h. The manifest and the shapes of the solids must be there.
    static Result<FrameOutput> open(const RunFolder& folder, std::vector<std::string> formats);

    /// The frame in all formats.
    Result<void> write_frame(const Frame& frame);

    /// Writes the files that list frames. Call it after write_frame, and after the rows of this frame are in the
    /// tables.
    Result<void> write_series(const Frame& frame);

private:
    FrameOutput(RunFolder folder, std::vector<std::string> formats)
        : folder_(std::move(folder)), formats_(std::move(formats)) {}

    RunFolder folder_;
    std::vector<std::string> formats_;
    ExportRun run_;
};

}  // namespace treacle
