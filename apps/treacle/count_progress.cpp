#include "count_progress.h"

#include <unistd.h>

#include <cstdio>

#include "core/text.h"

namespace treacle {

CountProgress::CountProgress(std::size_t count, std::string things, bool quiet)
    : count_(count), things_(std::move(things)), quiet_(quiet), terminal_(isatty(STDOUT_FILENO) != 0) {}

CountProgress::~CountProgress() { finish(); }

void CountProgress::finish() {
    if (bar_open_) std::printf("\n");
    bar_open_ = false;
}

void CountProgress::done(const std::string& line) {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (quiet_) return;
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const double left = elapsed / static_cast<double>(done_) * static_cast<double>(count_ - done_);
    if (terminal_) {
        constexpr std::size_t width = 24;
        std::string bar(width * done_ / count_, '=');
        bar.resize(width, ' ');
        std::printf("\r[%s] %zu/%zu %s  %s left\x1b[K", bar.c_str(), done_, count_, things_.c_str(),
                    duration_text(left).c_str());
        bar_open_ = true;
    } else {
        std::printf("%s  left %s\n", line.c_str(), duration_text(left).c_str());
    }
    std::fflush(stdout);
}

}  // namespace treacle
