#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pictures/run_frames.h"

namespace treacle {

/// Pictures of one run, or of several side by side, with a fixed camera and fixed meanings of colors.
class Clip {
public:
    /// `frames` are numbers of frames of the first run, in ascending order. All runs have the same dimension.
    static Result<Clip> plan(std::vector<RunFrames> runs, PictureRequest request, const std::vector<int>& frames);

    /// Runs that ended earlier show their last frame.
    Result<Picture> draw(int frame, const Parallel& parallel) const;

    /// Told after each picture how many are drawn.
    using Drawn = std::function<void(std::size_t pictures)>;

    /// Pictures of frames as files, in the order given.
    Result<void> write(const std::vector<int>& frames, const std::vector<std::string>& files, const Parallel& parallel,
                       const Drawn& drawn) const;

    /// Makes a video. Without ffmpeg, which the log reports at the beginning, the pictures are kept and the error says
    /// how to continue.
    Result<void> write_video(const std::vector<int>& frames, const std::string& file, const Parallel& parallel,
                             const Drawn& drawn, const Log& log) const;

    /// Column shown by the colors; empty: the materials' own colors.
    const std::string& column() const { return shot_.coloring.column; }

private:
    Clip(std::vector<RunFrames> runs, PictureRequest request) : runs_(std::move(runs)), request_(std::move(request)) {}

    std::vector<RunFrames> runs_;
    PictureRequest request_;  ///< of one tile
    int columns_ = 1, rows_ = 1;
    Shot shot_;
};

}  // namespace treacle
