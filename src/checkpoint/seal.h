#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

/// The first 512 bytes of a checkpoint (HDF5's user block): plain text that says what the file is, how long it is
/// and the hash of all that follows. It is compared before HDF5 sees the file, because HDF5 may crash on a damaged
/// one.

namespace treacle {

inline constexpr std::size_t seal_bytes = 512;

/// Seal of a file that continues with `content`.
std::string make_seal(std::string_view content);

/// Reads the whole file once. An error says whether the file is missing, foreign, cut short or damaged.
Result<void> check_seal(const std::string& path);

}  // namespace treacle
