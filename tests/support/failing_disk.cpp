// A library that is preloaded into the program (LD_PRELOAD) and makes its disk fail.
//
// TREACLE_FAILING_DISK="N full": from the Nth call on that changes the disk, there is no space left.
// TREACLE_FAILING_DISK="N kill": at the Nth such call the process dies as by kill -9; half of the data of that call
// arrives. In this way every moment at which a crash could damage a file can be tried.
//
// Calls go to the kernel directly, so that sanitizers and this library do not call each other.

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

enum class Fate { works, full, kill };

Fate next_call() {
    static std::atomic<long> calls{0};
    static const char* const plan = std::getenv("TREACLE_FAILING_DISK");
    if (!plan) return Fate::works;
    if (++calls < std::atol(plan)) return Fate::works;
    return std::strstr(plan, "full") ? Fate::full : Fate::kill;
}

/// True if the call must fail with "no space left"; does not return if the process is to die.
bool fails() {
    const Fate fate = next_call();
    if (fate == Fate::kill) raise(SIGKILL);
    if (fate == Fate::full) errno = ENOSPC;
    return fate == Fate::full;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if ((flags & O_CREAT) != 0 && fails()) return -1;
    return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

ssize_t write(int descriptor, const void* bytes, size_t count) {
    if (descriptor <= STDERR_FILENO) return syscall(SYS_write, descriptor, bytes, count);
    const Fate fate = next_call();
    if (fate == Fate::works) return syscall(SYS_write, descriptor, bytes, count);
    if (fate == Fate::kill) {
        syscall(SYS_write, descriptor, bytes, count / 2);
        raise(SIGKILL);
    }
    errno = ENOSPC;
    return -1;
}

int fsync(int descriptor) { return fails() ? -1 : static_cast<int>(syscall(SYS_fsync, descriptor)); }
int mkdir(const char* path, mode_t mode) noexcept {
    return fails() ? -1 : static_cast<int>(syscall(SYS_mkdir, path, mode));
}
int rename(const char* from, const char* to) noexcept {
    return fails() ? -1 : static_cast<int>(syscall(SYS_rename, from, to));
}

// Removing and cutting work on a full disk.
int unlink(const char* path) noexcept {
    if (next_call() == Fate::kill) raise(SIGKILL);
    return static_cast<int>(syscall(SYS_unlink, path));
}
int unlinkat(int folder, const char* path, int flags) noexcept {
    if (next_call() == Fate::kill) raise(SIGKILL);
    return static_cast<int>(syscall(SYS_unlinkat, folder, path, flags));
}
int ftruncate(int descriptor, off_t length) noexcept {
    if (next_call() == Fate::kill) raise(SIGKILL);
    return static_cast<int>(syscall(SYS_ftruncate, descriptor, length));
}

}  // extern "C"
