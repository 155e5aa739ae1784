#include "run/run.h"

#include <algorithm>
#include <cstdio>

#include "core/memory.h"
#include "core/version.h"
#include "run/resuming.h"
#include "scene/mesh_hashes.h"
#include "scene/scene_json.h"
#include "sim/preflight.h"
#include "state/particle_bounds.h"
#include "surface_mesh/frame_volume.h"

namespace treacle {

Run::Run(Scene scene, RunOptions options, RunEvents events)
    : options_(std::move(options)), events_(std::move(events)), scene_(std::move(scene)),
      scene_text_(to_text(scene_to_json(scene_))), meshes_(mesh_hashes(scene_)), frames_(frame_count(scene_.time)) {}

Result<std::unique_ptr<Run>> Run::begin(Scene scene, RunOptions options, RunEvents events) {
    std::unique_ptr<Run> run(new Run(std::move(scene), std::move(options), std::move(events)));
    if (auto done = run->start(); !done) return tl::unexpected(run->true_reason(done.error()));
    return run;
}

/// If the folder is not where it was, that is the reason for other failures to write.
Error Run::true_reason(Error error) const {
    if (error.code != ExitCode::file_failed || !folder_) return error;
    const auto there = folder_->check_place();
    return there ? std::move(error) : there.error();
}

Result<void> Run::start() {
    const Preflight preflight = predict(scene_);
    if (auto fits = refuse_if_too_large(scene_, preflight); !fits) return fits;
    for (const std::string& warning : preflight.warnings) events_.log.warning(warning);
    if (auto done = options_.resume ? start_again() : start_new(); !done) return done;
    first_step_ = simulation_->state().step;
    return {};
}

Result<void> Run::start_new() {
    auto folder = RunFolder::create(options_.folder);
    if (!folder) return tl::unexpected(folder.error());
    folder_ = *folder;
    auto simulation = Simulation::create(scene_, options_.threads, events_.log);
    if (!simulation) return tl::unexpected(simulation.error());
    simulation_ = std::move(*simulation);
    manifest_.emplace(scene_, meshes_, *simulation_);
    if (auto done = manifest_->write(*folder_); !done) return done;
    const State& state = simulation_->state();
    if (auto done = folder_->write_body_shapes(state.bodies, bounds_of(state.particles)); !done) return done;
    if (auto done = open_output(); !done) return done;
    if (auto done = write_frame(); !done) return done;
    return write_checkpoint();  // from now on there is a state to go back to
}

Result<void> Run::start_again() {
    auto folder = RunFolder::open_to_write(options_.folder);
    if (!folder) return tl::unexpected(folder.error());
    folder_ = *folder;
    const auto former = folder_->read_manifest();
    if (!former) return tl::unexpected(former.error());
    auto checkpoint = newest_checkpoint(*folder_, events_.log);
    if (!checkpoint) return tl::unexpected(checkpoint.error());
    if (auto same = check_same_scene(scene_, meshes_, *checkpoint, *former, folder_->path()); !same) return same;
    const int frame = checkpoint->state.frame;
    if (frame > frames_) {
        return fail(ExitCode::wrong_input, "the run in " + folder_->path() + " is at frame " + std::to_string(frame) +
                                               " already; ask for more frames or a longer duration");
    }
    if (auto done = folder_->rewind_to(frame); !done) return done;
    events_.resumed(frame, checkpoint->state.time);
    if (auto done = go_on_from(std::move(checkpoint->state)); !done) return done;
    manifest_.emplace(scene_, meshes_, *simulation_);
    manifest_->keep_repetitions(*former);
    return write_lists();
}

/// Continues from a state to which the folder has been rewound.
Result<void> Run::go_on_from(State state) {
    auto simulation = Simulation::resume(scene_, std::move(state), options_.threads, events_.log);
    if (!simulation) return tl::unexpected(simulation.error());
    simulation_ = std::move(*simulation);
    return open_output();
}

Result<void> Run::open_output() {
    auto output = FrameOutput::open(*folder_, scene_.output.formats);
    if (!output) return tl::unexpected(output.error());
    output_ = std::move(*output);
    return {};
}

Result<Run::Status> Run::complete() {
    Result<Status> status = advance();
    while (status && *status == Status::under_way) status = advance();
    return status;
}

Result<Run::Status> Run::advance() {
    auto status = next_frame();
    if (status || status.error().code != ExitCode::file_failed) return status;
    static_cast<void>(write_lists());  // there may be room for them, even if there was none for a frame
    return tl::unexpected(true_reason(status.error()));
}

Result<Run::Status> Run::next_frame() {
    if (simulation_->state().frame >= frames_) return end(Status::finished);
    frame_started_ = std::chrono::steady_clock::now();
    const auto outcome = simulation_->advance_frame([&](const StepInfo& info) {
        last_step_ = info;
        events_.step(info);
        return !events_.stop_wanted();
    });
    if (!outcome) return diverged(outcome.error());
    if (*outcome == Simulation::Outcome::frame_done) {
        if (auto done = write_frame(); !done) return tl::unexpected(done.error());
        events_.frame({simulation_->state().frame, last_step_, seconds_since(frame_started_)});
    }
    const int frame = simulation_->state().frame;
    const bool finished = frame >= frames_;
    const bool stopped = *outcome == Simulation::Outcome::stopped || events_.stop_wanted();
    if (finished || stopped || frame % scene_.output.checkpoint_interval == 0) {
        if (auto done = write_checkpoint(); !done) return tl::unexpected(done.error());
    }
    if (finished) return end(Status::finished);
    return stopped ? end(Status::stopped) : Status::under_way;
}

Result<Run::Status> Run::end(Status status) {
    if (auto done = write_lists(); !done) return tl::unexpected(done.error());
    if (auto done = write_summary(status == Status::finished ? "done" : "stopped"); !done) {
        return tl::unexpected(done.error());
    }
    return status;
}

/// Repeats, or ends the run. Its newest checkpoint is then the last good state.
Result<Run::Status> Run::diverged(const Error& reason) {
    const auto repeated = repeat_cautiously(reason);
    if (!repeated) return tl::unexpected(repeated.error());
    if (*repeated) return Status::under_way;
    if (auto done = write_lists(); !done) return tl::unexpected(done.error());
    if (auto done = write_summary("diverged"); !done) return tl::unexpected(done.error());
    Error error = reason;
    if (const auto kept = folder_->checkpoints(); !kept.empty()) {
        error.problems.front().message += ". The last good state is " + kept.front().path;
    }
    return tl::unexpected(error);
}

/// Goes back to the last checkpoint to reach the present frame again with half the step. The second time it goes back
/// to the checkpoint before: what was noticed late may have begun earlier. False if both have been tried since the last
/// checkpoint, or if the scene fixes the step.
Result<bool> Run::repeat_cautiously(const Error& reason) {
    if (scene_.time.fixed_dt) return false;
    const Caution before = simulation_->state().caution;
    const int failed_frame = simulation_->state().frame + 1;
    auto checkpoint = newest_checkpoint(*folder_, events_.log);
    if (!checkpoint) return tl::unexpected(checkpoint.error());
    const bool again = checkpoint->state.frame < before.until_frame;
    const double share = again ? caution_share * before.share : caution_share;
    if (share < least_share) return false;
    if (again) checkpoint = checkpoint_before_newest(*folder_, events_.log);
    if (!checkpoint) return tl::unexpected(checkpoint.error());
    const Repetition repetition{failed_frame, checkpoint->state.frame, share, to_string(reason)};
    if (auto done = folder_->rewind_to(repetition.from_frame); !done) return tl::unexpected(done.error());
    if (auto done = go_on_from(std::move(checkpoint->state)); !done) return tl::unexpected(done.error());
    simulation_->be_cautious({share, failed_frame});
    events_.repeating(repetition);
    events_.log.warning(repetition.reason + "\nrepeating from frame " + std::to_string(repetition.from_frame) +
                        (again ? " with a quarter of the time step" : " with half the time step"));
    manifest_->add(repetition);
    if (auto done = write_lists(); !done) return tl::unexpected(done.error());
    return true;
}

Result<void> Run::write_frame() {
    const Frame frame = simulation_->frame();
    if (auto done = output_->write_frame(frame); !done) return done;
    auto names = simulation_->metrics_names();
    auto row = simulation_->metrics(seconds_since(frame_started_));
    if (scene_.output.volume_surface) {
        const auto volume = surface_volume(frame, scene_.particle_spacing, Parallel(simulation_->threads()));
        if (!volume) return tl::unexpected(volume.error());
        names.emplace_back("volume_surface");
        row.push_back(*volume);
    }
    if (auto done = folder_->append_row(folder_->metrics_file(), names, row); !done) return done;
    if (auto done = folder_->append_bodies(frame); !done) return done;
    return lists_.due(frame.number) ? write_lists() : Result<void>{};
}

Result<void> Run::write_lists() {
    if (auto done = output_->list_frames(); !done) return done;
    if (auto done = manifest_->write(*folder_); !done) return done;
    lists_.written(simulation_->state().frame);
    return {};
}

Result<void> Run::write_checkpoint() const {
    return folder_->write_checkpoint(simulation_->state(), scene_text_, program_version);
}

double Run::seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

Result<void> Run::write_summary(const char* status) const {
    const State& state = simulation_->state();
    const auto particles = static_cast<double>(state.particles.size());
    const auto steps = static_cast<double>(state.step - first_step_);
    const double wall = seconds();
    Json summary = Json::object();
    summary.set("status", status);
    summary.set("frames", state.frame);
    summary.set("simulated_seconds", state.time);
    summary.set("steps", static_cast<unsigned long>(state.step));
    summary.set("particles", static_cast<unsigned long>(state.particles.size()));
    summary.set("boundary_particles", static_cast<unsigned long>(simulation_->boundary_particles()));
    summary.set("wall_seconds", wall);
    summary.set("cpu_seconds", static_cast<double>(std::clock() - cpu_started_) / CLOCKS_PER_SEC);
    summary.set("particle_steps_per_second", wall > 0 ? steps * particles / wall : 0.0);
    Json& stages = summary.set("seconds_by_stage", Json::object());
    for (const auto& [name, time] : simulation_->timer().seconds()) stages.set(name, time);
    summary.set("iterations_mean", state.statistics.steps > 0 ? static_cast<double>(state.statistics.iterations_sum) /
                                                                    static_cast<double>(state.statistics.steps)
                                                              : 0.0);
    summary.set("peak_memory_bytes", static_cast<unsigned long>(peak_memory()));
    summary.set("threads", simulation_->threads());
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(state_hash(state)));
    summary.set("state_hash", std::string(hash));
    return folder_->write_summary(summary);
}

}  // namespace treacle
