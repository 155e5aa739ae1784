#pragma once

#include <string>
#include <vector>

#include "pictures/frame_picture.h"

namespace treacle {

/// The frames of a run on disk, with the other data that pictures need.
class RunFrames {
public:
    /// A folder without frames that can be drawn is wrong input.
    static Result<RunFrames> open(const std::string& folder, const Log& log);

    const std::string& folder() const { return folder_.path(); }
    const RunDescription& run() const { return run_; }
    RunDescription& run() { return run_; }
    const std::vector<NumberedFile>& files() const { return files_; }

    Result<FrameData> read(const NumberedFile& file) const;

    /// The frame of this number, or the last one before it in a run that ended earlier.
    const NumberedFile& at_or_before(int frame) const;

private:
    explicit RunFrames(RunFolder folder) : folder_(std::move(folder)) {}

    RunFolder folder_;
    std::vector<NumberedFile> files_;
    RunDescription run_;
    std::map<int, Poses> poses_;
};

}  // namespace treacle
