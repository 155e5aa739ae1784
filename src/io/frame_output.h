#pragma once

#include <optional>
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

    /// Writes the files that list all frames in the folder, for formats that have some. The work grows with the number
    /// of frames.
    Result<void> list_frames();

private:
    FrameOutput(RunFolder folder, std::vector<std::string> formats)
        : folder_(std::move(folder)), formats_(std::move(formats)) {}

    RunFolder folder_;
    std::vector<std::string> formats_;
    ExportRun run_;
    std::optional<Bounds> fluid_;  ///< in all frames so far
    int first_unlisted_ = 1;       ///< frame that no list has yet
};

}  // namespace treacle
