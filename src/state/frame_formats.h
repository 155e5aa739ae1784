#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace treacle {

/// A file format of frames. The only list of them is here, for the scene reader, the schema, `treacle check` and
/// `treacle export`. io/frame_writers.cpp makes the bytes.
struct FrameFormat {
    const char* word;           ///< in "output": {"formats": […]} and behind --to
    const char* extension;      ///< of its files
    double bytes_per_particle;  ///< without the columns of a method; measured where numbers are text or compressed
    const char* readers;        ///< programs that read it
};

const std::vector<FrameFormat>& frame_formats();

/// Null if there is none of this name.
const FrameFormat* find_frame_format(std::string_view word);

std::vector<std::string> frame_format_words();

}  // namespace treacle
