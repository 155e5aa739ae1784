#pragma once

namespace treacle {

/// As in "0.2.0": the version in CMakeLists.txt.
extern const char* const program_version;

}  // namespace treacle
