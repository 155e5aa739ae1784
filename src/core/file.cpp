#include "core/file.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace treacle {

namespace {

tl::unexpected<Error> failed(const std::string& what, const std::string& path, int reason) {
    return fail(ExitCode::file_failed, what + ": " + std::generic_category().message(reason), path);
}

/// An open file. The destructor closes it; close() also reports errors.
class OpenFile {
public:
    OpenFile(const std::string& path, int flags) {
        do { descriptor_ = ::open(path.c_str(), flags | O_CLOEXEC, 0666); } while (descriptor_ < 0 && errno == EINTR);
    }
    ~OpenFile() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    bool is_open() const { return descriptor_ >= 0; }
    int descriptor() const { return descriptor_; }

    /// False if the system reports an error now (a network disk may do so as late as here).
    bool close() {
        const int descriptor = descriptor_;
        descriptor_ = -1;
        return ::close(descriptor) == 0 || errno == EINTR;
    }

    bool write_all(std::string_view bytes) const {
        while (!bytes.empty()) {
            const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) return false;
            bytes.remove_prefix(static_cast<std::size_t>(written));
        }
        return true;
    }

    bool flush_to_disk() const {
        while (::fsync(descriptor_) != 0) {
            if (errno == EINVAL || errno == ENOTSUP) return true;  // this file system has nothing to flush
            if (errno != EINTR) return false;
        }
        return true;
    }

private:
    int descriptor_ = -1;
};

std::string folder_of(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

/// Hidden, so that no pattern for frames picks it up.
std::string temporary_name(const std::string& path) {
    const std::filesystem::path full(path);
    return (full.parent_path() / ("." + full.filename().string() + ".tmp")).string();
}

/// 0, or the errno of the call that failed.
int write_and_flush(const std::string& path, const std::function<std::string_view()>& next) {
    OpenFile file(path, O_WRONLY | O_CREAT | O_TRUNC);
    if (!file.is_open()) return errno;
    for (std::string_view piece = next(); !piece.empty(); piece = next()) {
        if (!file.write_all(piece)) return errno;
    }
    if (!file.flush_to_disk() || !file.close()) return errno;
    return 0;
}

}  // namespace

Result<void> write_file_atomically(const std::string& path, std::string_view bytes) {
    return write_file_atomically(path, std::span(&bytes, 1));
}

Result<void> write_file_atomically(const std::string& path, std::span<const std::string_view> pieces) {
    std::size_t n = 0;
    return write_file_atomically(path, [&]() -> std::string_view {
        while (n < pieces.size() && pieces[n].empty()) ++n;
        return n < pieces.size() ? pieces[n++] : std::string_view{};
    });
}

Result<void> write_file_atomically(const std::string& path, const std::function<std::string_view()>& next) {
    const std::string temporary = temporary_name(path);
    int reason = write_and_flush(temporary, next);
    if (reason == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) reason = errno;
    if (reason != 0) {
        ::unlink(temporary.c_str());
        return failed("cannot write the file", path, reason);
    }
    const OpenFile folder(folder_of(path), O_RDONLY | O_DIRECTORY);
    if (!folder.is_open() || !folder.flush_to_disk()) return failed("cannot flush the folder of the file", path, errno);
    return {};
}

Result<void> append_to_file(const std::string& path, std::string_view header, std::string_view text) {
    OpenFile file(path, O_WRONLY | O_CREAT | O_APPEND);
    if (!file.is_open()) return failed("cannot open the file for writing", path, errno);
    struct stat before {};
    if (::fstat(file.descriptor(), &before) != 0) return failed("cannot examine the file", path, errno);
    const std::string both = std::string(before.st_size == 0 ? header : std::string_view{}) + std::string(text);
    if (!file.write_all(both)) {
        const int reason = errno;
        // Best effort: half a row is also dropped when the run is resumed.
        [[maybe_unused]] const int ignored = ::ftruncate(file.descriptor(), before.st_size);
        return failed("cannot write to the file", path, reason);
    }
    if (!file.close()) return failed("cannot write to the file", path, errno);
    return {};
}

Result<std::string> read_whole_file(const std::string& path) {
    const OpenFile file(path, O_RDONLY);
    if (!file.is_open()) return failed("cannot open the file", path, errno);
    struct stat info {};
    if (::fstat(file.descriptor(), &info) != 0) return failed("cannot examine the file", path, errno);

    // The size is only a first guess: it is 0 for files like those in /proc, and others may write meanwhile.
    std::string content(S_ISREG(info.st_mode) ? static_cast<std::size_t>(info.st_size) + 1 : 65536, '\0');
    std::size_t size = 0;
    for (;;) {
        if (size == content.size()) content.resize(2 * size);
        const ssize_t got = ::read(file.descriptor(), content.data() + size, content.size() - size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return failed("cannot read the file", path, errno);
        if (got == 0) break;
        size += static_cast<std::size_t>(got);
    }
    content.resize(size);
    return content;
}

Result<void> make_folder(const std::string& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) return failed("cannot create the folder", path, error.value());
    if (!std::filesystem::is_directory(path, error)) return failed("cannot create the folder", path, ENOTDIR);
    return {};
}

std::string safe_file_name(std::string_view name) {
    if (name.empty()) return "%";  // unique: a percent sign itself becomes %25
    std::string safe;
    for (const char c : name) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
                           c == '-' || c == ' ' || (c == '.' && !safe.empty()) || static_cast<unsigned char>(c) >= 0x80;
        std::array<char, 4> escaped{};
        std::snprintf(escaped.data(), escaped.size(), "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
        if (plain) safe += c;
        else safe += escaped.data();
    }
    return safe;
}

Result<void> check_writable(const std::string& folder) {
    if (::access(folder.c_str(), W_OK | X_OK) != 0) return failed("cannot write in the folder", folder, errno);
    return {};
}

Result<void> check_output_file(const std::string& path) {
    std::error_code ignored;
    const auto folder = std::filesystem::status(folder_of(path), ignored);
    if (std::filesystem::is_directory(path, ignored)) return failed("cannot write the file", path, EISDIR);
    if (exists(folder) && !is_directory(folder)) return failed("cannot write the file", path, ENOTDIR);
    if (::access(folder_of(path).c_str(), W_OK | X_OK) != 0) return failed("cannot write the file", path, errno);
    return {};
}

Result<void> remove_file(const std::string& path) {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) return failed("cannot remove the file", path, errno);
    return {};
}

}  // namespace treacle
