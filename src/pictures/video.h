#pragma once

#include <string>
#include <vector>

#include "core/result.h"

namespace treacle {

/// Makes a video of numbered pictures with the program ffmpeg, if it is installed.
class VideoMaker {
public:
    /// `file` is the video; the pictures lie beside it in a folder of their own until it is done.
    VideoMaker(std::string file, double fps) : file_(std::move(file)), fps_(fps) {}

    const std::string& file() const { return file_; }

    /// Creates the folder of the pictures, without those of an earlier attempt.
    Result<void> start() const;

    /// The pictures are numbered from 1 without gaps.
    std::string picture_file(int number) const;

    /// Runs ffmpeg and removes the pictures. If there is no ffmpeg, or it fails, the pictures are kept and the error
    /// says how to continue.
    Result<void> finish(int pictures) const;

    /// Whether a program of this name is in the search path.
    static bool has_program(const std::string& name);

private:
    std::string folder() const { return file_ + ".frames"; }
    std::vector<std::string> command() const;

    std::string file_;
    double fps_;
};

}  // namespace treacle
