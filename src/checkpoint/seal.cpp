#include "checkpoint/seal.h"

#include <array>
#include <cstdio>

#include "core/file.h"
#include "state/column_table.h"

namespace treacle {

namespace {

constexpr std::string_view first_line = "treacle checkpoint\n";
constexpr std::string_view hdf5_signature("\x89HDF\r\n\x1a\n", 8);

std::string seal_text(std::size_t file_bytes, std::uint64_t hash) {
    std::array<char, 128> lines{};
    std::snprintf(lines.data(), lines.size(), "bytes %zu\nhash %016llx\n", file_bytes,
                  static_cast<unsigned long long>(hash));
    std::string text = std::string(first_line) + lines.data() +
                       "HDF5 data follows; the hash covers everything after these 512 bytes.\n";
    text.resize(seal_bytes, '\0');
    return text;
}

std::uint64_t hash_of(std::string_view content) {
    Hash hash;
    hash.add(content.data(), content.size());
    return hash.value();
}

/// Length that the seal states, or 0 if it cannot be read.
std::size_t stated_bytes(std::string_view seal) {
    std::size_t bytes = 0;
    const std::string line(seal.substr(first_line.size(), 40));
    return std::sscanf(line.c_str(), "bytes %zu", &bytes) == 1 ? bytes : 0;
}

}  // namespace

std::string make_seal(std::string_view content) { return seal_text(seal_bytes + content.size(), hash_of(content)); }

Result<void> check_seal(const std::string& path) {
    const auto file = read_whole_file(path);
    if (!file) return tl::unexpected(file.error());
    const std::string_view bytes = *file;
    const auto refuse = [&](const std::string& reason) { return fail(ExitCode::file_failed, reason, path); };

    if (bytes.empty()) return refuse("is empty, so it is not a checkpoint");
    if (bytes.starts_with(hdf5_signature)) return refuse("is an HDF5 file, but no checkpoint of treacle");
    if (!bytes.starts_with(first_line.substr(0, bytes.size()))) return refuse("is no checkpoint of treacle");
    if (bytes.size() < seal_bytes) return refuse("is cut short: only the first bytes of a checkpoint are there");
    const std::string_view seal = bytes.substr(0, seal_bytes);
    const std::size_t stated = stated_bytes(seal);
    if (stated != bytes.size()) {
        const std::string lengths = std::to_string(bytes.size()) + " bytes where " + std::to_string(stated) + " belong";
        return refuse(bytes.size() < stated ? "is cut short: it has " + lengths : "is damaged: it has " + lengths);
    }
    if (seal != make_seal(bytes.substr(seal_bytes))) {
        return refuse("is damaged: its content does not match the hash in its first lines");
    }
    return {};
}

}  // namespace treacle
