#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"

/// Files as the program writes them: either whole or not at all. Every error names the path and the system's reason
/// and leads to ExitCode::file_failed.

namespace treacle {

/// Writes a temporary file in the same folder, flushes it to disk, renames it and flushes the folder: a file with the
/// final name has the whole content, even after a power cut. On failure an older file stays as it was.
Result<void> write_file_atomically(const std::string& path, std::string_view bytes);

/// The same for content that lies in several pieces of memory.
Result<void> write_file_atomically(const std::string& path, std::span<const std::string_view> pieces);

/// The same for content that is made piece by piece: each call of next() gives a piece, an empty one at the end.
Result<void> write_file_atomically(const std::string& path, const std::function<std::string_view()>& next);

/// Appends with a single write call, so that a reader never sees half of `text`. A new or empty file gets `header`
/// first. If the disk is full the file is cut back to what it was.
Result<void> append_to_file(const std::string& path, std::string_view header, std::string_view text);

Result<std::string> read_whole_file(const std::string& path);

/// Creates a folder and those above it; one that exists already is fine.
Result<void> make_folder(const std::string& path);

/// Turns a name that people chose into the name of a file or folder: characters that could leave the folder or hide the
/// file become %XX. Different names stay different, and no name is empty.
std::string safe_file_name(std::string_view name);

/// An error if no file can be created in a folder that exists.
Result<void> check_writable(const std::string& folder);

/// An error if a file of this name could not be written. Ask before long work, not after it.
Result<void> check_output_file(const std::string& path);

/// A file that does not exist is fine.
Result<void> remove_file(const std::string& path);

}  // namespace treacle
