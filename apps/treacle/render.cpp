#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "pictures/clip.h"
#include "options.h"
#include "core/file.h"
#include "core/text.h"
#include "progress.h"
#include "io/frame_range.h"

namespace treacle {

namespace {

struct RenderOptions {
    std::string run;
    std::optional<int> frame;
    std::string output;
    PictureRequest picture;
    std::vector<double> range;
    bool video = false;
    std::string video_file;
    std::string frames;  ///< "A:B"
    std::vector<std::string> compare;
    std::vector<std::string> looks;
    std::string quality = "normal";
    std::optional<int> samples;
    int threads = 0;
    bool quiet = false;
};

/// "; did you mean …?" or the end of the sentence.
std::string hint_for(const std::string& word, const std::vector<std::string>& known) {
    const std::string hint = did_you_mean(word, known);
    return hint.empty() ? "." : hint;
}

/// The looks that the command line gives to materials in place of the scene's: "honey" or "syrup=honey".
Result<void> change_looks(RunDescription& run, const std::vector<std::string>& changes) {
    for (const std::string& change : changes) {
        const std::size_t equals = change.find('=');
        const std::string word = equals == std::string::npos ? change : change.substr(equals + 1);
        const auto look = parse_look(word);
        if (!look) {
            return fail(ExitCode::wrong_input, "--look: there is no look " + in_quotes(word) +
                                                   hint_for(word, look_names()) + " There are " +
                                                   list_text(look_names()));
        }
        std::vector<std::string> names;
        bool found = false;
        for (PicturedMaterial& material : run.materials) {
            names.push_back(material.name);
            if (equals != std::string::npos && material.name != change.substr(0, equals)) continue;
            material.look = *look;
            found = true;
        }
        if (!found && equals != std::string::npos) {
            const std::string name = change.substr(0, equals);
            return fail(ExitCode::wrong_input, "--look: there is no material " + in_quotes(name) +
                                                   hint_for(name, names) + " The scene has " + list_text(names));
        }
    }
    return {};
}

/// The run and those to compare it with.
Result<std::vector<RunFrames>> open_runs(const RenderOptions& options) {
    std::vector<std::string> folders{options.run};
    folders.insert(folders.end(), options.compare.begin(), options.compare.end());
    std::vector<RunFrames> runs;
    for (const std::string& folder : folders) {
        auto frames = RunFrames::open(folder, stderr_log());
        if (!frames) return tl::unexpected(frames.error());
        if (auto done = change_looks(frames->run(), options.looks); !done) return tl::unexpected(done.error());
        if (!runs.empty() && runs.front().run().dimension != frames->run().dimension) {
            return fail(ExitCode::wrong_input, "--compare " + folder + ": it is in " +
                                                   std::to_string(frames->run().dimension) + "D and " + options.run +
                                                   " is not");
        }
        runs.push_back(std::move(*frames));
    }
    return runs;
}

/// The frames to draw: one, or many for a sequence or a video.
Result<std::vector<NumberedFile>> chosen_frames(const RenderOptions& options, const RunFrames& source) {
    const std::vector<NumberedFile>& files = source.files();
    if (options.video || !options.frames.empty()) return frames_in_range(files, options.frames, source.folder());
    const int wanted = options.frame.value_or(files.back().frame);
    const auto file = std::find_if(files.begin(), files.end(), [&](const auto& f) { return f.frame == wanted; });
    if (file != files.end()) return std::vector{*file};
    return fail(ExitCode::wrong_input, "--frame: there is no frame " + std::to_string(wanted) + " in " +
                                           source.folder() + ", which has " + existing_frames(files));
}

std::string video_file(const RenderOptions& options) {
    if (!options.video_file.empty()) return options.video_file;
    return options.output.empty() ? (std::filesystem::path(options.run) / "video.mp4").string() : options.output;
}

std::filesystem::path pictures_folder(const RenderOptions& options) {
    return options.output.empty() ? std::filesystem::path(options.run) / "pictures"
                                  : std::filesystem::path(options.output);
}

bool is_one_file(const RenderOptions& options) { return options.frames.empty() && !options.output.empty(); }

/// A picture that takes minutes must not fail at the end because it cannot be written.
Result<void> prepare_output(const RenderOptions& options) {
    if (!options.video && is_one_file(options)) return check_output_file(options.output);
    const std::filesystem::path folder =
        options.video ? std::filesystem::path(video_file(options)).parent_path() : pictures_folder(options);
    if (!folder.empty()) {
        if (auto made = make_folder(folder.string()); !made) return made;
    }
    return options.video ? check_output_file(video_file(options)) : check_writable(folder.string());
}

/// RUN/pictures/frame.NNNN.png, or DIR/frame.NNNN.png if a folder was given.
std::vector<std::string> picture_files(const RenderOptions& options, const std::vector<NumberedFile>& frames,
                                       const std::string& column) {
    if (is_one_file(options)) return {options.output};
    std::vector<std::string> files;
    for (const NumberedFile& frame : frames) {
        const std::string name = std::filesystem::path(frame.path).stem().string() +
                                 (column.empty() ? "" : "." + safe_file_name(column)) + ".png";
        files.push_back((pictures_folder(options) / name).string());
    }
    return files;
}

Result<void> draw(const RenderOptions& options) {
    auto runs = open_runs(options);
    if (!runs) return tl::unexpected(runs.error());
    const auto frames = chosen_frames(options, runs->front());
    if (!frames) return tl::unexpected(frames.error());
    if (auto ready = prepare_output(options); !ready) return ready;
    std::vector<int> numbers;
    for (const NumberedFile& frame : *frames) numbers.push_back(frame.frame);
    auto clip = Clip::plan(std::move(*runs), options.picture, numbers);
    if (!clip) return tl::unexpected(clip.error());
    const Parallel parallel(options.threads);
    CountProgress progress(numbers.size(), "pictures", options.quiet || numbers.size() == 1);
    const auto drawn = [&](std::size_t pictures) {
        progress.done("picture " + std::to_string(pictures) + " of " + std::to_string(numbers.size()));
    };
    if (options.video) {
        const std::string file = video_file(options);
        if (auto done = clip->write_video(numbers, file, parallel, drawn, stderr_log()); !done) return done;
        progress.finish();
        if (!options.quiet) std::printf("%s\n", file.c_str());
        return {};
    }
    const std::vector<std::string> files = picture_files(options, *frames, clip->column());
    if (auto done = clip->write(numbers, files, parallel, drawn); !done) return done;
    progress.finish();
    if (options.quiet) return {};
    if (files.size() > 1) std::printf("%s to\n", files.front().c_str());
    std::printf("%s\n", files.back().c_str());
    return {};
}

Result<void> check_options(RenderOptions& options) {
    std::vector<Problem> problems;
    const auto wrong = [&](const std::string& message) { problems.push_back({message, {}, {}, 0}); };
    if (!options.range.empty()) {
        if (!(options.range[0] < options.range[1])) wrong("--range: the first number must be smaller than the second");
        options.picture.color.range = std::pair{options.range[0], options.range[1]};
        if (options.picture.color.column == "material") wrong("--range: needs --color with a column of numbers");
    }
    if (options.video && options.frame)
        wrong("--frame: a video shows many frames; choose them with --frames first:last");
    if (!options.frames.empty() && options.frame) wrong("--frame: is one picture, --frames are many; give one of them");
    const bool png = std::filesystem::path(options.output).extension() == ".png";
    if (!options.video && !options.output.empty() && options.frames.empty() && !png) {
        wrong("-o " + options.output + ": pictures are PNG files; the name must end with .png");
    }
    if (!options.video && !options.frames.empty() && png) {
        wrong("-o " + options.output + ": many pictures need a folder; leave the .png out");
    }
    const auto quality =
        std::find_if(qualities.begin(), qualities.end(), [&](const Quality& q) { return q.name == options.quality; });
    options.picture.quality = *quality;
    if (options.samples) options.picture.quality.samples = *options.samples;
    if (!options.video_file.empty() && !options.output.empty()) wrong("-o: --video names the file already");
    if (problems.empty()) return {};
    return fail(std::move(problems));
}

void declare(CLI::App& app, RenderOptions& o) {
    app.add_option("run", o.run, "run folder")->required();
    app.add_option("--frame", o.frame, "number of the frame; default the last");
    app.add_option("-o,--output", o.output, "picture to write, or folder of many; default RUN/pictures/frame.NNNN.png");
    app.add_option("--width", o.picture.width, "pixels")->check(CLI::Range(32, 16384))->capture_default_str();
    app.add_option("--height", o.picture.height, "pixels")->check(CLI::Range(32, 16384))->capture_default_str();
    app.add_option("--color", o.picture.color.column, "material, speed, or a column of the frames")
        ->capture_default_str();
    app.add_option("--map", o.picture.color.map, "color map: " + list_text(color_map_names()))->capture_default_str();
    app.add_option("--range", o.range, "values at the ends of the color map; default fits the data")
        ->expected(2)
        ->type_name("LOW HIGH");
    app.add_option("--view", o.picture.view,
                   "automatic, front, back, left, right, top, or azimuth and elevation in "
                   "degrees, as in 30,20")
        ->capture_default_str();
    app.add_flag("--surface", o.picture.surface, "draw the surface of the fluid in place of its particles");
    app.add_option("--look", o.looks, "look of all materials or of one: " + list_text(look_names()))
        ->type_name("[MATERIAL=]LOOK");
    app.add_option("--quality", o.quality, "preview (quick), normal or fine (clean)")
        ->check(CLI::IsMember({"preview", "normal", "fine"}))
        ->capture_default_str();
    app.add_option("--samples", o.samples, "paths per pixel, in place of those of the quality; more are smoother")
        ->check(CLI::Range(1, 65536));
    app.add_option("--motion-blur", o.picture.shutter, "share of a frame during which the shutter is open, as in 0.5")
        ->check(CLI::Range(0.0, 2.0))
        ->type_name("SHARE");
    app.add_flag("--bare", o.picture.bare, "without text and grid");
    app.add_option("--compare", o.compare, "further runs, side by side with the first")->type_name("RUN...");
    app.add_option("--frames", o.frames, "frames of a video or a sequence of pictures, as in 1:60")
        ->type_name("FIRST:LAST");
    declare_threads(app, o.threads, "The picture is the same.");
    declare_quiet(app, o.quiet);
}

}  // namespace

Action add_render(CLI::App& app) {
    auto options = std::make_shared<RenderOptions>();
    declare(app, *options);
    CLI::Option* video = app.add_option("--video", options->video_file, "make a video instead; default RUN/video.mp4")
                             ->expected(0, 1)
                             ->type_name("[FILE.mp4]");
    return [options, video]() -> int {
        options->video = video->count() > 0;
        if (auto right = check_options(*options); !right) return report(right.error());
        auto done = draw(*options);
        return done ? 0 : report(done.error());
    };
}

}  // namespace treacle
