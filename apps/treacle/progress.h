#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

#include "sim/simulation.h"

namespace treacle {

/// Shows the progress of a run: a bar that redraws itself on a terminal, otherwise one plain line per frame.
class RunProgress {
public:
    RunProgress(int last_frame, double duration, bool quiet);
    ~RunProgress();
    RunProgress(const RunProgress&) = delete;
    RunProgress& operator=(const RunProgress&) = delete;

    void step(const StepInfo& info);
    void frame_done(int frame, const StepInfo& last_step, double frame_seconds);

    /// Ends the line of the bar so that other text can follow.
    void finish();

private:
    void draw(const StepInfo& info);
    double seconds_left(double time) const;

    int last_frame_;
    double duration_;
    bool quiet_, terminal_, bar_open_ = false;
    double start_time_ = -1;  ///< simulated time at the first step
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point last_draw_{};
};

/// Shows the progress of a list of equal pieces of work: a bar that redraws itself on a terminal, otherwise a plain
/// line for each. Several threads may report at once.
class CountProgress {
public:
    CountProgress(std::size_t count, std::string things, bool quiet);
    ~CountProgress();
    CountProgress(const CountProgress&) = delete;
    CountProgress& operator=(const CountProgress&) = delete;

    void done(const std::string& line);

    /// Ends the line of the bar so that other text can follow.
    void finish();

private:
    std::mutex mutex_;
    std::size_t count_, done_ = 0;
    std::string things_;
    bool quiet_, terminal_, bar_open_ = false;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace treacle
