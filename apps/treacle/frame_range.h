#pragma once

#include <string>
#include <vector>

#include "io/run_folder.h"

namespace treacle {

/// "frames 1 to 12", or all numbers when there are gaps; for messages.
std::string existing_frames(const std::vector<NumberedFile>& files);

/// The files (at least one) whose numbers lie in a range "first:last", as --frames takes it; either may be left out,
/// and no text stands for all. `run` is named in messages.
Result<std::vector<NumberedFile>> frames_in_range(const std::vector<NumberedFile>& files, const std::string& range,
                                                  const std::string& run);

}  // namespace treacle
