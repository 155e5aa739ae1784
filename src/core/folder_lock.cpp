#include "core/folder_lock.h"

#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace treacle {

namespace {

int open_file(const std::string& path, int flags) {
    int descriptor = -1;
    do { descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0666); } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

std::string lock_file(const std::string& folder) {
    return (std::filesystem::path(folder) / FolderLock::file_name).string();
}

/// Whether the path leads to this open file or folder.
bool is_at(int descriptor, const std::string& path) {
    struct stat held {
    }, found{};
    return ::fstat(descriptor, &held) == 0 && ::stat(path.c_str(), &found) == 0 && held.st_dev == found.st_dev &&
           held.st_ino == found.st_ino;
}

std::string machine_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

/// "4711 machine\n". If a full disk prevents it, only a later message is poorer.
void write_holder(int descriptor) {
    const std::string text = std::to_string(::getpid()) + " " + machine_name() + "\n";
    if (::ftruncate(descriptor, 0) != 0) return;
    [[maybe_unused]] const ssize_t ignored = ::pwrite(descriptor, text.data(), text.size(), 0);
}

/// "process 4711", with the machine if it is another one.
std::string holder_of(int descriptor) {
    std::array<char, 512> buffer{};
    const ssize_t size = ::pread(descriptor, buffer.data(), buffer.size(), 0);
    const std::string text(buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    const std::size_t space = text.find(' '), end = text.find('\n');
    if (space == std::string::npos || end == std::string::npos || space > end) return "another process";
    const std::string machine = text.substr(space + 1, end - space - 1);
    return "process " + text.substr(0, space) + (machine == machine_name() ? "" : " on " + machine);
}

}  // namespace

Result<FolderLock> FolderLock::take(const std::string& folder) {
    const auto failed = [](const std::string& what, const std::string& path, int reason) {
        return fail(ExitCode::file_failed, what + ": " + std::generic_category().message(reason), path);
    };
    const std::string path = lock_file(folder);
    for (int attempt = 0; attempt < 100; ++attempt) {
        FolderLock lock(folder);
        lock.folder_descriptor_ = open_file(folder, O_RDONLY | O_DIRECTORY);
        if (lock.folder_descriptor_ < 0) return failed("cannot open the folder", folder, errno);
        lock.lock_descriptor_ = open_file(path, O_RDWR | O_CREAT);
        if (lock.lock_descriptor_ < 0) {
            if (errno == ENOENT) continue;  // the folder was renamed between the two
            if (errno == EACCES || errno == EPERM || errno == EROFS) return lock;
            return failed("cannot write the file", path, errno);
        }
        if (::flock(lock.lock_descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            const std::string holder = holder_of(lock.lock_descriptor_);
            ::close(std::exchange(lock.lock_descriptor_, -1));  // it belongs to the other process
            return fail(ExitCode::wrong_input,
                        holder +
                            " is writing a run to this folder; wait until it has ended, "
                            "or choose another folder with -o",
                        folder);
        }
        // Between opening and locking, the process that had the file may have deleted it, or the folder may have gone.
        if (!is_at(lock.lock_descriptor_, path) || !is_at(lock.folder_descriptor_, folder)) continue;
        write_holder(lock.lock_descriptor_);
        return lock;
    }
    return fail(ExitCode::file_failed, "another process moves or replaces the folder", folder);
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : folder_(std::move(other.folder_)), folder_descriptor_(std::exchange(other.folder_descriptor_, -1)),
      lock_descriptor_(std::exchange(other.lock_descriptor_, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
    if (this == &other) return *this;
    release();
    folder_ = std::move(other.folder_);
    folder_descriptor_ = std::exchange(other.folder_descriptor_, -1);
    lock_descriptor_ = std::exchange(other.lock_descriptor_, -1);
    return *this;
}

FolderLock::~FolderLock() { release(); }

void FolderLock::release() {
    if (lock_descriptor_ >= 0) {
        // Deleted while still locked: a process that opened it before will find that it is no longer at its path.
        if (is_at(lock_descriptor_, lock_file(folder_))) ::unlink(lock_file(folder_).c_str());
        ::close(lock_descriptor_);
    }
    if (folder_descriptor_ >= 0) ::close(folder_descriptor_);
    lock_descriptor_ = folder_descriptor_ = -1;
}

Result<void> FolderLock::check_place() const {
    if (!is_at(folder_descriptor_, folder_)) {
        return fail(ExitCode::file_failed, "the folder was deleted or renamed while a run wrote to it", folder_);
    }
    if (lock_descriptor_ >= 0 && !is_at(lock_descriptor_, lock_file(folder_))) {
        return fail(ExitCode::file_failed, "files of the folder were deleted while a run wrote to it", folder_);
    }
    return {};
}

}  // namespace treacle
