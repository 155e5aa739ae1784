#include "options.h"

#include "core/text.h"

namespace treacle {

void declare_threads(CLI::App& app, int& threads, const std::string& remark) {
    app.add_option("--threads", threads, "number of threads; default all cores" + (remark.empty() ? "" : ". " + remark))
        ->check(CLI::Range(1, 1024));
}

void declare_quiet(CLI::App& app, bool& quiet) {
    app.add_flag("--quiet", quiet, "no progress; only warnings and errors");
}

void SceneOptions::declare(CLI::App& app) {
    app.add_option("scene", file, "scene file (JSON, comments allowed)")->required();
    app.add_option("--method", method, "use this method instead of the scene's own");
    app.add_option("--set", overrides, "replace a value: --set /materials/honey/viscosity=5 (may be repeated)")
        ->type_name("POINTER=VALUE");
    app.add_option("--frames", frames, "number of frames, the first one at t = 0 included");
    app.add_option("--duration", duration, "simulated seconds")->excludes("--frames");
}

Result<Scene> SceneOptions::read(const Log& log) const {
    std::vector<SceneOverride> pairs;
    for (const std::string& text : overrides) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || text.empty() || text[0] != '/') {
            return fail(ExitCode::wrong_input, "--set " + text +
                                                   ": write /json/pointer=VALUE, for example "
                                                   "--set /particle_spacing=0.02");
        }
        pairs.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    if (frames && *frames < 1) return fail(ExitCode::wrong_input, "--frames: must be at least 1");
    if (duration && !(*duration >= 0)) return fail(ExitCode::wrong_input, "--duration: must not be negative");
    auto scene = read_scene_file(file, pairs, method.empty() ? std::nullopt : std::optional(method), log);
    if (!scene) return scene;
    if (frames) scene->time.duration = (*frames - 1) / scene->time.fps;
    if (duration) scene->time.duration = *duration;
    if (scene->time.duration * scene->time.fps > max_frames) {
        return fail(ExitCode::wrong_input, std::string(frames ? "--frames" : "--duration") + ": at most " +
                                               number_text(max_frames) + " frames are possible");
    }
    return scene;
}

}  // namespace treacle
