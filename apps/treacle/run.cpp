#include "run/run.h"

#include <cstdio>
#include <filesystem>
#include <memory>

#include "core/text.h"
#include "pictures/frame_picture.h"
#include "progress.h"
#include "options.h"

namespace treacle {

namespace {

struct RunCommand {
    SceneOptions scene;
    RunOptions run;
    bool quiet = false;
    bool no_preview = false;
};

std::string resume_command(const RunCommand& command) {
    const SceneOptions& scene = command.scene;
    std::string text = "treacle run " + shell_word(scene.file) + " -o " + shell_word(command.run.folder);
    if (!scene.method.empty()) text += " --method " + scene.method;
    for (const std::string& value : scene.overrides) text += " --set " + shell_word(value);
    if (scene.frames) text += " --frames " + std::to_string(*scene.frames);
    if (scene.duration) text += " --duration " + number_text(*scene.duration);
    return text + " --resume";
}

/// A picture is a bonus: its failure must not fail a run whose files are complete.
void draw_preview(const Run& run, int threads) {
    std::string reason;
    try {
        const auto done = write_preview(run.folder(), run.simulation().frame(), threads);
        if (!done) reason = to_string(done.error());
    } catch (const std::exception& e) { reason = e.what(); }
    if (!reason.empty()) stderr_log().warning("preview.png was not drawn: " + reason);
}

RunEvents events_for(const RunCommand& command, RunProgress& progress) {
    RunEvents events;
    events.log = stderr_log();
    events.step = [&](const StepInfo& info) { progress.step(info); };
    events.frame = [&](const FrameReport& report) {
        progress.frame_done(report.frame, report.last_step, report.seconds);
    };
    events.repeating = [&](const Repetition&) { progress.finish(); };
    events.resumed = [&](int frame, double time) {
        if (command.quiet) return;
        std::printf("resuming %s after frame %d, t = %s s\n", command.run.folder.c_str(), frame,
                    number_text(time).c_str());
    };
    events.stop_wanted = [] { return stop_signal() != 0; };
    return events;
}

/// 0, or 128 + signal after an orderly stop.
Result<int> run_scene(RunCommand& command) {
    auto scene = command.scene.read(stderr_log());
    if (!scene) return tl::unexpected(scene.error());
    std::string& folder = command.run.folder;
    if (folder.empty()) {
        folder = (std::filesystem::path("out") / std::filesystem::path(command.scene.file).stem()).string();
    }
    const int frames = frame_count(scene->time);
    RunProgress progress(frames, (frames - 1) / scene->time.fps, command.quiet);
    const auto run = Run::begin(std::move(*scene), command.run, events_for(command, progress));
    if (!run) return tl::unexpected(run.error());
    catch_stop_signals();
    const auto status = (*run)->complete();
    progress.finish();
    if (!status) return tl::unexpected(status.error());
    if (!command.no_preview) draw_preview(**run, command.run.threads);
    const State& state = (*run)->simulation().state();
    if (*status == Run::Status::stopped) {
        std::printf("stopped after frame %d. To go on: %s\n", state.frame, resume_command(command).c_str());
        return 128 + stop_signal();
    }
    if (!command.quiet) {
        std::printf("done: %d frames, %llu steps, %s; see %s\n", state.frame,
                    static_cast<unsigned long long>(state.step), duration_text((*run)->seconds()).c_str(),
                    folder.c_str());
    }
    return 0;
}

}  // namespace

Action add_run(CLI::App& app) {
    auto command = std::make_shared<RunCommand>();
    command->scene.declare(app);
    app.add_option("-o,--output", command->run.folder, "run folder; default out/<name of the scene file>");
    declare_threads(app, command->run.threads, "The result is the same.");
    app.add_flag("--resume", command->run.resume, "go on from the last checkpoint of the run in the folder");
    declare_quiet(app, command->quiet);
    app.add_flag("--no-preview", command->no_preview, "do not draw preview.png of the last frame");
    return [command]() -> int {
        const auto code = run_scene(*command);
        return code ? *code : report(code.error());
    };
}

}  // namespace treacle
