#pragma once

#include <csignal>

#include <sys/resource.h>

namespace treacle {

/// While it lives, files of this process cannot grow beyond a given size: writing fails in the middle with "File too
/// large", as on a full disk.
class TightDisk {
public:
    explicit TightDisk(rlim_t bytes) {
        getrlimit(RLIMIT_FSIZE, &before_);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit tight{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &tight);
    }
    ~TightDisk() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    TightDisk(const TightDisk&) = delete;
    TightDisk& operator=(const TightDisk&) = delete;

private:
    rlimit before_{};
    void (*handler_)(int) = nullptr;
};

}  // namespace treacle
