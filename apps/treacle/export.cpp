#include <cstdio>
#include <memory>
#include <optional>

#include "options.h"
#include "progress.h"
#include "io/run_export.h"
#include "state/frame_formats.h"

namespace treacle {

namespace {

struct ExportOptions {
    ExportRequest request;
    std::string up = "y";
    bool quiet = false;
};

int export_frames(ExportOptions& options) {
    options.request.z_up = options.up == "z";
    std::optional<CountProgress> progress;
    ExportEvents events;
    events.log = stderr_log();
    events.planned = [&](std::size_t frames) { progress.emplace(frames, "frames", options.quiet); };
    events.written = [&](const std::string& file) { progress->done(file); };
    const auto done = write_export(options.request, events);
    progress.reset();
    if (!done) return report(done.error());
    if (!options.quiet) {
        const std::string before = ", " + std::to_string(done->skipped) + " of them were there already";
        std::printf("%s: %zu frames as %s%s\n", done->folder.c_str(), done->frames, options.request.format.c_str(),
                    done->skipped == 0 ? "" : before.c_str());
    }
    return done->damaged.empty() ? 0 : report({ExitCode::file_failed, done->damaged});
}

}  // namespace

Action add_export(CLI::App& app) {
    auto options = std::make_shared<ExportOptions>();
    ExportRequest& request = options->request;
    std::string formats = "format:";
    for (const std::string& word : export_formats()) {
        formats += "\n" + word + " (" + find_frame_format(word)->readers + ")";
    }
    app.add_option("run", request.run, "run folder")->required();
    app.add_option("--to", request.format, formats)->required();
    app.add_option("--frames", request.frames, "first:last; default all")->type_name("A:B");
    app.add_option("-o,--output", request.folder, "folder to write to; default RUN/export/<format>");
    app.add_option("--up", options->up, "axis that points up in the files: y, as in the simulation, or z")
        ->check(CLI::IsMember({"y", "z"}))
        ->capture_default_str();
    app.add_flag("--overwrite", request.overwrite, "write frames again that are there already");
    declare_quiet(app, options->quiet);
    return [options] { return export_frames(*options); };
}

}  // namespace treacle
