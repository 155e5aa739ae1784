#pragma once

#include <chrono>
#include <string>

#include "sim/simulation.h"

namespace treacle {

/// Shows the progress of a run: a bar that redraws itself on a terminal, otherwise one plain line per frame.
class Progress {
public:
    Progress(int last_frame, double duration, bool quiet);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

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

}  // namespace treacle
