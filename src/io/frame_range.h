#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "io/run_folder.h"

namespace treacle {

/// The frames from "FIRST:LAST", either of which may be left out; one number means that frame, an empty text all. If
/// there is none, the error is wrong_input and lists the existing frames.
Result<std::vector<NumberedFile>> frames_in_range(const std::vector<NumberedFile>& files, const std::string& range,
                                                  const std::string& folder);

/// "frames 1 to 12", or all numbers if there are gaps.
std::string existing_frames(const std::vector<NumberedFile>& files);

}  // namespace treacle
