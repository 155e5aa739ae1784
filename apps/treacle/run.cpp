#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "core/json.h"
#include "core/text.h"
#include "frame_picture.h"
#include "frame_surface.h"
#include "io/frame_output.h"
#include "io/run_folder.h"
#include "progress.h"
#include "run.h"
#include "scene/mesh_hashes.h"
#include "scene/scene_json.h"
#include "sim/preflight.h"
#include "sim/simulation.h"
#include "checkpoint/checkpoint.h"
#include "state/frame_formats.h"
#include "core/version.h"

namespace treacle {

namespace {

// Set by the signal handler; checked after every step.
volatile std::sig_atomic_t stop_signal = 0;

void catch_stop_signals() {
    struct sigaction action {};
    action.sa_handler = [](int signal) { stop_signal = signal; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second Ctrl-C ends the program at once
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    struct sigaction before {};
    sigaction(SIGHUP, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // nohup ignores it
}

/// One run: the simulation, its folder, and the schedule of its files.
class Run {
public:
    Run(const RunOptions& options, Scene scene)
        : options_(options), scene_(std::move(scene)), scene_json_(scene_to_json(scene_)),
          frames_(frame_count(scene_.time)) {}

    Result<int> execute();

    /// Whether the folder is still where it was. If not, that is the true reason for other failures.
    Result<void> check_place() const { return folder_ ? folder_->check_place() : Result<void>{}; }

private:
    Result<void> start();
    Result<void> start_new();
    Result<void> start_again();
    Result<Checkpoint> newest_checkpoint() const;
    std::vector<Problem> changed_meshes(const Json& manifest) const;
    Result<bool> repeat_cautiously(const Error& reason);
    Result<void> write_frame();
    Result<void> write_manifest();
    Result<void> open_output();
    Result<void> write_checkpoint() const {
        return folder_->write_checkpoint(simulation_->state(), to_text(scene_json_), program_version);
    }
    Result<void> write_summary(const char* status) const;
    void draw_preview() const;
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    }
    double cpu_seconds() const { return static_cast<double>(std::clock() - cpu_started_) / CLOCKS_PER_SEC; }
    std::string resume_command() const;

    static constexpr double caution_share = 0.5;  ///< of the time step, when a frame is repeated

    const RunOptions& options_;
    Scene scene_;
    Json scene_json_;
    int frames_;
    std::optional<RunFolder> folder_;
    std::optional<FrameOutput> output_;
    std::unique_ptr<Simulation> simulation_;
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point frame_started_ = started_;
    std::clock_t cpu_started_ = std::clock();  ///< of all threads: holds on a busy machine too
    Json repeats_ = Json::array();             ///< frames that diverged and were computed again
    std::uint64_t first_step_ = 0;
    double first_time_ = 0;
};

Result<void> Run::start_new() {
    auto folder = RunFolder::create(options_.folder);
    if (!folder) return tl::unexpected(folder.error());
    folder_ = *folder;
    auto simulation = Simulation::create(scene_, options_.threads, stderr_log());
    if (!simulation) return tl::unexpected(simulation.error());
    simulation_ = std::move(*simulation);
    if (auto done = write_manifest(); !done) return done;
    const std::vector<double> row = simulation_->metrics(0);
    const auto at = [&](const char* name) {
        const auto names = simulation_->metrics_names();
        return row[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())];
    };
    const Bounds fluid{{at("min_x"), at("min_y"), at("min_z")}, {at("max_x"), at("max_y"), at("max_z")}};
    if (auto done = folder_->write_body_shapes(simulation_->state().bodies, fluid); !done) return done;
    if (auto done = open_output(); !done) return done;
    if (auto done = write_frame(); !done) return done;
    return write_checkpoint();  // from now on there is a state to go back to
}

/// The newest checkpoint that can be read; says why others are skipped.
Result<Checkpoint> Run::newest_checkpoint() const {
    const auto files = folder_->checkpoints();
    for (const NumberedFile& file : files) {
        auto checkpoint = load_checkpoint(file.path);
        if (checkpoint) return checkpoint;
        stderr_log().warning(to_string(checkpoint.error()) + "; trying the one before");
    }
    return fail(ExitCode::file_failed, (files.empty() ? "there is no checkpoint to resume from in "
                                                      : "none of the checkpoints can be used in ") +
                                           folder_->path() + "; start again without --resume");
}

/// Mesh files that differ from their hashes in the manifest. The scene itself only names the files.
std::vector<Problem> Run::changed_meshes(const Json& manifest) const {
    std::vector<Problem> problems;
    const Json* saved = manifest.find("meshes");
    for (const auto& [file, hash] : mesh_hashes(scene_)) {
        const Json* before = saved ? saved->find(file) : nullptr;
        if (!before || before->text == hash) continue;
        const auto path = std::filesystem::path(scene_.file).parent_path() / file;
        problems.push_back({"has changed since the run in " + folder_->path() + "; --resume needs the mesh as it was",
                            path.string(), "", 0});
    }
    return problems;
}

/// Whether a key of a scene only changes the look of pictures.
bool only_for_pictures(const std::string& key) {
    const std::string last = key.substr(key.rfind('/') + 1);
    return key.starts_with("/view") || last == "color" || last == "look" || last == "look_depth";
}

Result<void> Run::start_again() {
    auto folder = RunFolder::open_to_write(options_.folder);
    if (!folder) return tl::unexpected(folder.error());
    folder_ = *folder;
    auto manifest = folder_->read_manifest();
    if (!manifest) return tl::unexpected(manifest.error());
    if (const Json* repeats = manifest->find("repeats")) repeats_ = *repeats;
    auto checkpoint = newest_checkpoint();
    if (!checkpoint) return tl::unexpected(checkpoint.error());
    auto saved_scene = parse_json(checkpoint->scene, folder_->path());
    if (!saved_scene) return tl::unexpected(saved_scene.error());
    std::vector<Problem> problems;
    for (const std::string& key : differing_keys(*saved_scene, scene_json_)) {
        if (key == "/time/duration" || only_for_pictures(key)) continue;  // resuming may change the end
        problems.push_back(
            {"differs from the run in " + folder_->path() + "; --resume cannot change it", scene_.file, key, 0});
    }
    for (Problem& changed : changed_meshes(*manifest)) problems.push_back(std::move(changed));
    if (!problems.empty()) return fail(std::move(problems));
    if (checkpoint->state.frame > frames_) {
        return fail(ExitCode::wrong_input, "the run in " + folder_->path() + " is at frame " +
                                               std::to_string(checkpoint->state.frame) +
                                               " already; ask for more frames or a longer duration");
    }
    if (auto done = folder_->rewind_to(checkpoint->state.frame); !done) return done;
    if (!options_.quiet) {
        std::printf("resuming %s after frame %d, t = %s s\n", folder_->path().c_str(), checkpoint->state.frame,
                    number_text(checkpoint->state.time).c_str());
    }
    auto simulation = Simulation::resume(scene_, std::move(checkpoint->state), options_.threads, stderr_log());
    if (!simulation) return tl::unexpected(simulation.error());
    simulation_ = std::move(*simulation);
    if (auto done = open_output(); !done) return done;
    return write_manifest();
}

/// Called again after a rewind, to forget the frames that were taken back.
Result<void> Run::open_output() {
    auto output = FrameOutput::open(*folder_, scene_.output.formats);
    if (!output) return tl::unexpected(output.error());
    output_ = std::move(*output);
    return {};
}

Result<void> Run::start() {
    const Preflight preflight = predict(scene_);
    if (auto fits = refuse_if_too_large(scene_, preflight); !fits) return fits;
    for (const std::string& warning : preflight.warnings) stderr_log().warning(warning);
    auto done = options_.resume ? start_again() : start_new();
    if (done) {
        first_step_ = simulation_->state().step;
        first_time_ = simulation_->state().time;
    }
    return done;
}

Result<int> Run::execute() {
    if (auto done = start(); !done) return tl::unexpected(done.error());
    catch_stop_signals();
    Progress progress(frames_, (frames_ - 1) / scene_.time.fps, options_.quiet);
    StepInfo last{};
    while (simulation_->state().frame < frames_) {
        frame_started_ = std::chrono::steady_clock::now();
        const auto outcome = simulation_->advance_frame([&](const StepInfo& info) {
            last = info;
            progress.step(info);
            return stop_signal == 0;
        });
        if (!outcome) {
            progress.finish();
            const auto repeated = repeat_cautiously(outcome.error());
            if (!repeated) return tl::unexpected(repeated.error());
            if (*repeated) continue;
            if (auto done = write_summary("diverged"); !done) return tl::unexpected(done.error());
            Error error = outcome.error();
            if (const auto kept = folder_->checkpoints(); !kept.empty()) {
                error.problems.front().message += ". The last good state is " + kept.front().path;
            }
            return tl::unexpected(error);
        }
        if (*outcome == Simulation::Outcome::frame_done) {
            if (auto done = write_frame(); !done) return tl::unexpected(done.error());
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - frame_started_;
            progress.frame_done(simulation_->state().frame, last, took.count());
        }
        const bool finished = simulation_->state().frame >= frames_;
        if (stop_signal != 0 && !finished) {
            progress.finish();
            if (auto done = write_checkpoint(); !done) return tl::unexpected(done.error());
            if (auto done = write_summary("stopped"); !done) return tl::unexpected(done.error());
            draw_preview();
            std::printf("stopped after frame %d. To go on: %s\n", simulation_->state().frame, resume_command().c_str());
            return 128 + stop_signal;
        }
        const bool due = simulation_->state().frame % scene_.output.checkpoint_interval == 0;
        if (due || finished) {
            if (auto done = write_checkpoint(); !done) return tl::unexpected(done.error());
        }
    }
    progress.finish();
    if (auto done = write_summary("done"); !done) return tl::unexpected(done.error());
    draw_preview();
    if (!options_.quiet) {
        std::printf("done: %d frames, %llu steps, %s; see %s\n", simulation_->state().frame,
                    static_cast<unsigned long long>(simulation_->state().step), duration_text(seconds()).c_str(),
                    folder_->path().c_str());
    }
    return 0;
}

/// Goes back to the last checkpoint to reach the present frame again with half the step. False if that has been tried,
/// or if the scene fixes the step: then the run is over, and its newest checkpoint is the last good state.
Result<bool> Run::repeat_cautiously(const Error& reason) {
    const int failed_frame = simulation_->state().frame + 1;
    if (scene_.time.fixed_dt || simulation_->state().caution.until_frame >= failed_frame) return false;
    auto checkpoint = newest_checkpoint();
    if (!checkpoint) return tl::unexpected(checkpoint.error());
    const int from_frame = checkpoint->state.frame;
    if (auto done = folder_->rewind_to(from_frame); !done) return tl::unexpected(done.error());
    auto simulation = Simulation::resume(scene_, std::move(checkpoint->state), options_.threads, stderr_log());
    if (!simulation) return tl::unexpected(simulation.error());
    simulation_ = std::move(*simulation);
    simulation_->be_cautious({caution_share, failed_frame});
    stderr_log().warning(to_string(reason) + "\nrepeating from frame " + std::to_string(from_frame) +
                         " with half the time step");
    Json repeat = Json::object();
    repeat.set("frame", failed_frame);
    repeat.set("from_frame", from_frame);
    repeat.set("share_of_dt", caution_share);
    repeat.set("reason", to_string(reason));
    repeats_.push(std::move(repeat));
    if (auto done = open_output(); !done) return tl::unexpected(done.error());
    if (auto done = write_manifest(); !done) return tl::unexpected(done.error());
    return true;
}

std::string Run::resume_command() const {
    std::string command = "treacle run " + shell_word(options_.scene.file) + " -o " + shell_word(folder_->path());
    if (!options_.scene.method.empty()) command += " --method " + options_.scene.method;
    for (const std::string& text : options_.scene.overrides) command += " --set " + shell_word(text);
    if (options_.scene.frames) command += " --frames " + std::to_string(*options_.scene.frames);
    if (options_.scene.duration) command += " --duration " + number_text(*options_.scene.duration);
    return command + " --resume";
}

Result<void> Run::write_frame() {
    const Frame frame = simulation_->frame();
    if (auto done = output_->write_frame(frame); !done) return done;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - frame_started_;
    auto names = simulation_->metrics_names();
    auto row = simulation_->metrics(took.count());
    if (scene_.output.volume_surface) {
        const auto volume = surface_volume(frame, scene_.particle_spacing, Parallel(simulation_->threads()));
        if (!volume) return tl::unexpected(volume.error());
        names.emplace_back("volume_surface");
        row.push_back(*volume);
    }
    if (auto done = folder_->append_row(folder_->metrics_file(), names, row); !done) return done;
    if (auto done = folder_->append_bodies(frame); !done) return done;
    if (auto done = output_->write_series(frame); !done) return done;
    return write_manifest();
}

Result<void> Run::write_manifest() {
    Json manifest = Json::object();
    manifest.set("treacle", 1);
    manifest.set("version", program_version);
    manifest.set("method", scene_.method);
    manifest.set("threads", simulation_->threads());
    manifest.set("fps", scene_.time.fps);
    manifest.set("particle_spacing", scene_.particle_spacing);
    manifest.set("up_axis", "y");
    Json frames = Json::array();
    for (const std::string& format : scene_.output.formats) {
        for (const NumberedFile& file : folder_->frames(find_frame_format(format)->extension)) {
            Json entry = Json::object();
            entry.set("frame", file.frame);
            entry.set("time", (file.frame - 1) / scene_.time.fps);
            entry.set("file", "frames/" + std::filesystem::path(file.path).filename().string());
            frames.push(std::move(entry));
        }
    }
    manifest.set("frames", std::move(frames));
    Json columns = Json::array();
    for (const Columns::Column& column : simulation_->state().particles.all()) {
        if (!column.info.exported) continue;
        Json entry = Json::object();
        entry.set("name", column.info.name);
        entry.set("unit", column.info.unit);
        columns.push(std::move(entry));
    }
    manifest.set("columns", std::move(columns));
    Json method_metrics = Json::array();
    for (const FrameColumn& column : simulation_->method_metrics()) {
        Json entry = Json::object();
        entry.set("name", column.name);
        entry.set("unit", column.unit);
        method_metrics.push(std::move(entry));
    }
    if (!method_metrics.elements.empty()) manifest.set("method_metrics", std::move(method_metrics));
    Json meshes = Json::object();
    for (const auto& [file, hash] : mesh_hashes(scene_)) meshes.set(file, hash);
    manifest.set("meshes", std::move(meshes));
    manifest.set("repeats", repeats_);
    manifest.set("scene", scene_json_);
    return folder_->write_manifest(manifest);
}

Result<void> Run::write_summary(const char* status) const {
    const State& state = simulation_->state();
    const auto steps = static_cast<double>(state.step - first_step_);
    const double wall = seconds();
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    Json summary = Json::object();
    summary.set("status", status);
    summary.set("frames", state.frame);
    summary.set("simulated_seconds", state.time);
    summary.set("steps", static_cast<unsigned long>(state.step));
    summary.set("particles", static_cast<unsigned long>(state.particles.size()));
    summary.set("boundary_particles", static_cast<unsigned long>(simulation_->boundary_particles()));
    summary.set("wall_seconds", wall);
    summary.set("cpu_seconds", cpu_seconds());
    summary.set("particle_steps_per_second",
                wall > 0 ? steps * static_cast<double>(state.particles.size()) / wall : 0.0);
    Json stages = Json::object();
    for (const auto& [name, time] : simulation_->timer().seconds()) stages.set(name, time);
    summary.set("seconds_by_stage", std::move(stages));
    summary.set("iterations_mean", state.statistics.steps > 0 ? static_cast<double>(state.statistics.iterations_sum) /
                                                                    static_cast<double>(state.statistics.steps)
                                                              : 0.0);
    summary.set("peak_memory_bytes", static_cast<unsigned long>(usage.ru_maxrss) * 1024UL);
    summary.set("threads", simulation_->threads());
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(state_hash(state)));
    summary.set("state_hash", std::string(hash));
    return folder_->write_summary(summary);
}

/// A picture is a bonus: its failure must not fail a run whose files are complete.
void Run::draw_preview() const {
    if (options_.no_preview) return;
    std::string reason;
    try {
        const auto done = write_preview(*folder_, simulation_->frame(), options_.threads);
        if (!done) reason = to_string(done.error());
    } catch (const std::exception& e) { reason = e.what(); }
    if (!reason.empty()) stderr_log().warning("preview.png was not drawn: " + reason);
}

}  // namespace

Result<int> run_scene(RunOptions options) {
    auto scene = options.scene.read(stderr_log());
    if (!scene) return tl::unexpected(scene.error());
    if (options.folder.empty()) {
        options.folder = (std::filesystem::path("out") / std::filesystem::path(options.scene.file).stem()).string();
    }
    Run run(options, std::move(*scene));
    auto code = run.execute();
    if (code || code.error().code != ExitCode::file_failed) return code;
    if (auto there = run.check_place(); !there) return tl::unexpected(there.error());
    return code;
}

Action add_run(CLI::App& app) {
    auto options = std::make_shared<RunOptions>();
    options->scene.declare(app);
    app.add_option("-o,--output", options->folder, "run folder; default out/<name of the scene file>");
    app.add_option("--threads", options->threads, "number of threads; default all cores. The result is the same.")
        ->check(CLI::Range(1, 1024));
    app.add_flag("--resume", options->resume, "go on from the last checkpoint of the run in the folder");
    app.add_flag("--quiet", options->quiet, "no progress");
    app.add_flag("--no-preview", options->no_preview, "do not draw preview.png of the last frame");
    return [options]() -> int {
        const auto code = run_scene(*options);
        return code ? *code : report(code.error());
    };
}

}  // namespace treacle
