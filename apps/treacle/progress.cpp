#include "progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "core/text.h"

namespace treacle {

using Clock = std::chrono::steady_clock;

RunProgress::RunProgress(int last_frame, double duration, bool quiet)
    : last_frame_(last_frame), duration_(duration), quiet_(quiet), terminal_(isatty(STDOUT_FILENO) != 0) {}

RunProgress::~RunProgress() { finish(); }

double RunProgress::seconds_left(double time) const {
    const double done = time - start_time_;
    if (done <= 0) return -1;
    const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
    return elapsed / done * (duration_ - time);
}

void RunProgress::step(const StepInfo& info) {
    if (start_time_ < 0) start_time_ = info.time - info.dt;
    if (quiet_ || !terminal_) return;
    const auto now = Clock::now();
    if (now - last_draw_ < std::chrono::milliseconds(100)) return;
    last_draw_ = now;
    draw(info);
}

void RunProgress::draw(const StepInfo& info) {
    constexpr int width = 24;
    const double share = duration_ > 0 ? std::clamp(info.time / duration_, 0.0, 1.0) : 1;
    std::string bar(static_cast<std::size_t>(share * width), '=');
    bar.resize(width, ' ');
    const double left = seconds_left(info.time);
    std::printf("\r[%s] frame %d/%d  t %.3f s  dt %.3g s (%s)  %d iterations  %zu particles  %s left\x1b[K",
                bar.c_str(), info.frame, last_frame_, info.time, info.dt, info.limited_by, info.iterations,
                info.particles, left < 0 ? "?" : duration_text(left).c_str());
    std::fflush(stdout);
    bar_open_ = true;
}

void RunProgress::frame_done(int frame, const StepInfo& last, double frame_seconds) {
    if (quiet_ || terminal_) return;
    const double left = seconds_left(last.time);
    std::printf("frame %d/%d  t %.4f s  dt %.3g s (%s)  %d iterations  %zu particles  %.2f s%s%s\n", frame, last_frame_,
                last.time, last.dt, last.limited_by, last.iterations, last.particles, frame_seconds,
                left < 0 ? "" : "  left ", left < 0 ? "" : duration_text(left).c_str());
    std::fflush(stdout);
}

void RunProgress::finish() {
    if (!bar_open_) return;
    std::printf("\n");
    bar_open_ = false;
}

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
    const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
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
