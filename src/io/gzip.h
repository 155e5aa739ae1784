#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace treacle {

/// A gzip file of these bytes; the same bytes give the same file (it holds no name and no time).
std::string gzip(std::string_view bytes);

/// Checksum of ZIP and gzip.
std::uint32_t crc32_of(std::string_view bytes);

}  // namespace treacle
