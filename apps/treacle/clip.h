#pragma once

#include <string>
#include <vector>

#include "run_frames.h"

namespace treacle {

/// Pictures of one run, or of several side by side, that belong together: the camera and the meaning of the colors
/// stay.
class Clip {
public:
    /// `frames` are numbers of frames of the first run, in ascending order. All runs have the same dimension.
    static Result<Clip> plan(std::vector<RunFrames> runs, PictureRequest request, const std::vector<int>& frames);

    /// In runs that ended earlier the last frame stays.
    Result<Picture> draw(int frame, const Parallel& parallel) const;

    /// Pictures of frames as files, in the order given, with progress on the standard output unless quiet.
    Result<void> write(const std::vector<int>& frames, const std::vector<std::string>& files, const Parallel& parallel,
                       bool quiet) const;

    /// As a video; without ffmpeg, of which the log is told at the beginning, the pictures stay and the error tells how
    /// to go on.
    Result<void> write_video(const std::vector<int>& frames, const std::string& file, const Parallel& parallel,
                             bool quiet, const Log& log) const;

    /// Column that the colors show; empty: the materials' own.
    const std::string& column() const { return shot_.coloring.column; }

private:
    Clip(std::vector<RunFrames> runs, PictureRequest request) : runs_(std::move(runs)), request_(std::move(request)) {}

    std::vector<RunFrames> runs_;
    PictureRequest request_;  ///< of one tile
    int columns_ = 1, rows_ = 1;
    Shot shot_;
};

}  // namespace treacle
