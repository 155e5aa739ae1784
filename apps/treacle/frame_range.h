#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "io/run_folder.h"

namespace treacle {

/// The frames that "FIRST:LAST" names, either of which may be left out; one number is that frame, an empty text all.
/// None at all is wrong input that tells which there are.
Result<std::vector<NumberedFile>> frames_in_range(const std::vector<NumberedFile>& files, const std::string& range,
                                                  const std::string& folder);

/// "frames 1 to 12", or all numbers where there are gaps.
std::string existing_frames(const std::vector<NumberedFile>& files);

}  // namespace treacle
