#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/log.h"
#include "core/result.h"
#include "io/frame_output.h"
#include "io/run_folder.h"
#include "run/list_schedule.h"
#include "run/manifest.h"
#include "scene/scene.h"
#include "sim/simulation.h"

namespace treacle {

struct RunOptions {
    std::string folder;
    int threads = 0;      ///< 0: all cores. The result is the same.
    bool resume = false;  ///< go on from the newest checkpoint in the folder
};

/// A frame that has just been written.
struct FrameReport {
    int frame;
    StepInfo last_step;
    double seconds;  ///< of wall time, files included
};

/// What a run tells the one who watches it. Everything is called from the thread that runs, and may be left out.
struct RunEvents {
    Log log;
    std::function<void(int frame, double time)> resumed = [](int, double) {};  ///< after this frame
    std::function<void(const StepInfo&)> step = [](const StepInfo&) {};
    std::function<void(const FrameReport&)> frame = [](const FrameReport&) {};
    std::function<void(const Repetition&)> repeating = [](const Repetition&) {};
    std::function<bool()> stop_wanted = [] { return false; };  ///< asked after every step
};

/// A scene that is simulated into a run folder: frames, tables, checkpoints, manifest and summary. The folder belongs
/// to this object as long as it lives. A frame that diverges is repeated with half the time step, and once more with a
/// quarter. The manifest
/// and other lists of frames may lack the last tenth of them while the run is under way; they are complete at every end
/// and when a run is resumed.
class Run {
public:
    enum class Status { under_way, stopped, finished };

    /// Begins a new run, whose first frame (t = 0) and checkpoint are then on disk, or goes on with the one that is
    /// in the folder.
    static Result<std::unique_ptr<Run>> begin(Scene scene, RunOptions options, RunEvents events = {});

    /// Computes and writes the next frame. If a stop is wanted, the run ends with a checkpoint, perhaps in the middle
    /// of a frame, and can be resumed to the same bits. After an error or at its end, a run is not to be advanced.
    Result<Status> advance();

    /// Advances until the run is finished or stopped.
    Result<Status> complete();

    const RunFolder& folder() const { return *folder_; }
    const Simulation& simulation() const { return *simulation_; }
    int last_frame() const { return frames_; }
    double seconds() const { return seconds_since(started_); }  ///< of wall time since it began

private:
    using Clock = std::chrono::steady_clock;

    Run(Scene scene, RunOptions options, RunEvents events);
    Result<void> start();
    Result<void> start_new();
    Result<void> start_again();
    Result<void> go_on_from(State state);
    Result<void> open_output();
    Result<Status> next_frame();
    Result<Status> end(Status status);
    Result<Status> diverged(const Error& reason);
    Result<bool> repeat_cautiously(const Error& reason);
    Result<void> write_frame();
    Result<void> write_lists();
    Result<void> write_checkpoint() const;
    Result<void> write_summary(const char* status) const;
    Error true_reason(Error error) const;
    static double seconds_since(Clock::time_point start);

    static constexpr double caution_share = 0.5;  ///< of the time step, every time that a frame is repeated
    static constexpr double least_share = 0.25;   ///< with which a frame is tried

    RunOptions options_;
    RunEvents events_;
    Scene scene_;
    std::string scene_text_;  ///< with every default filled in
    MeshHashes meshes_;
    int frames_;
    std::optional<RunFolder> folder_;
    std::optional<FrameOutput> output_;
    std::unique_ptr<Simulation> simulation_;
    std::optional<Manifest> manifest_;
    ListSchedule lists_;
    StepInfo last_step_{};
    Clock::time_point started_ = Clock::now(), frame_started_ = started_;
    std::clock_t cpu_started_ = std::clock();  ///< of all threads: holds on a busy machine too
    std::uint64_t first_step_ = 0;
};

}  // namespace treacle
