#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "commands.h"
#include "core/file.h"
#include "core/text.h"
#include "frame_picture.h"
#include "video.h"

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
    std::string frames;           ///< "A:B"
    int threads = 0;
    bool quiet = false;
};

/// Reads the frames of one run and draws them.
class Renderer {
public:
    Renderer(const RenderOptions& options, RunFolder folder)
        : options_(options), folder_(std::move(folder)), files_(folder_.frames("ply")), parallel_(options.threads) {}

    Result<void> execute();

private:
    Result<void> draw_picture();
    Result<void> draw_video();
    Result<std::vector<NumberedFile>> chosen_frames() const;
    Result<FrameData> read(const NumberedFile& file) const;
    std::string existing_frames() const;
    void tell(const std::string& text) const;

    const RenderOptions& options_;
    RunFolder folder_;
    std::vector<NumberedFile> files_;
    Parallel parallel_;
    RunDescription run_;
    std::map<int, Poses> poses_;
};

/// "1 to 12", or all numbers when there are gaps.
std::string Renderer::existing_frames() const {
    const int first = files_.front().frame, last = files_.back().frame;
    if (files_.size() == 1) return "only frame " + std::to_string(first);
    if (last - first + 1 == static_cast<int>(files_.size())) {
        return "frames " + std::to_string(first) + " to " + std::to_string(last);
    }
    std::vector<std::string> numbers;
    for (const NumberedFile& file : files_) numbers.push_back(std::to_string(file.frame));
    return "frames " + list_text(numbers);
}

void Renderer::tell(const std::string& text) const {
    if (!options_.quiet) std::printf("%s\n", text.c_str());
}

Result<FrameData> Renderer::read(const NumberedFile& file) const {
    auto table = read_ply(file.path);
    if (!table) return tl::unexpected(table.error());
    FrameData data{file.frame, std::move(*table), {}};
    if (const auto found = poses_.find(file.frame); found != poses_.end()) data.poses = found->second;
    return data;
}

Result<void> Renderer::execute() {
    if (files_.empty()) {
        const bool vtp = !folder_.frames("vtp").empty();
        return fail(ExitCode::wrong_input, vtp ? "holds frames as vtp only; pictures are drawn from ply "
                                                 "(add \"ply\" to output.formats of the scene)"
                                               : "holds no frames", folder_.path());
    }
    auto run = describe_run(folder_, stderr_log());
    if (!run) return tl::unexpected(run.error());
    run_ = std::move(*run);
    auto poses = read_poses(folder_);
    if (!poses) return tl::unexpected(poses.error());
    poses_ = std::move(*poses);
    return options_.video ? draw_video() : draw_picture();
}

Result<void> Renderer::draw_picture() {
    const int wanted = options_.frame.value_or(files_.back().frame);
    const auto file = std::find_if(files_.begin(), files_.end(), [&](const auto& f) { return f.frame == wanted; });
    if (file == files_.end()) {
        return fail(ExitCode::wrong_input, "--frame: there is no frame " + std::to_string(wanted) + " in " +
                                               folder_.path() + ", which has " + existing_frames());
    }
    auto frame = read(*file);
    if (!frame) return tl::unexpected(frame.error());
    auto shot = plan_shot(run_, {&*frame, 1}, options_.picture);
    if (!shot) return tl::unexpected(shot.error());
    std::string output = options_.output;
    if (output.empty()) {
        const std::filesystem::path pictures = std::filesystem::path(folder_.path()) / "pictures";
        if (auto done = make_folder(pictures.string()); !done) return done;
        const std::string color = shot->coloring.column.empty() ? "" : "." + shot->coloring.column;
        output = (pictures / (std::filesystem::path(file->path).stem().string() + color + ".png")).string();
    }
    if (auto done = write_png(output, draw_frame(run_, *frame, *shot, options_.picture, parallel_)); !done) return done;
    tell(output);
    return {};
}

Result<std::vector<NumberedFile>> Renderer::chosen_frames() const {
    int first = files_.front().frame, last = files_.back().frame;
    const std::string& text = options_.frames;
    if (!text.empty()) {
        const auto wrong = [&] {
            return fail(ExitCode::wrong_input, "--frames " + text + ": write first:last, for example 1:60; either may "
                                               "be left out");
        };
        const std::size_t colon = text.find(':');
        if (colon == std::string::npos) return wrong();
        try {
            const std::string a = text.substr(0, colon), b = text.substr(colon + 1);
            std::size_t used_a = 0, used_b = 0;
            if (!a.empty()) first = std::stoi(a, &used_a);
            if (!b.empty()) last = std::stoi(b, &used_b);
            if (used_a != a.size() || used_b != b.size()) return wrong();
        } catch (const std::exception&) {
            return wrong();
        }
    }
    std::vector<NumberedFile> chosen;
    for (const NumberedFile& file : files_) {
        if (file.frame >= first && file.frame <= last) chosen.push_back(file);
    }
    if (chosen.empty()) {
        return fail(ExitCode::wrong_input, "--frames " + text + ": there are none of these in " + folder_.path() +
                                               ", which has " + existing_frames());
    }
    return chosen;
}

Result<void> Renderer::draw_video() {
    const auto chosen = chosen_frames();
    if (!chosen) return tl::unexpected(chosen.error());
    // Camera and colors fit the whole clip; a few frames tell enough about it.
    constexpr std::size_t looked_at = 16;
    std::vector<FrameData> some;
    const std::size_t count = chosen->size(), steps = std::min(count, looked_at);
    for (std::size_t n = 0; n < steps; ++n) {
        auto frame = read((*chosen)[steps == 1 ? 0 : n * (count - 1) / (steps - 1)]);
        if (!frame) return tl::unexpected(frame.error());
        some.push_back(std::move(*frame));
    }
    const auto shot = plan_shot(run_, some, options_.picture);
    if (!shot) return tl::unexpected(shot.error());
    some.clear();

    std::string file = options_.video_file.empty() ? options_.output : options_.video_file;
    if (file.empty()) file = (std::filesystem::path(folder_.path()) / "video.mp4").string();
    const VideoMaker video(file, run_.fps);
    if (auto done = video.start(); !done) return done;
    if (!VideoMaker::has_program("ffmpeg")) {
        stderr_log().warning("ffmpeg is not installed: pictures are drawn, but no video is made of them");
    }
    const bool terminal = isatty(STDOUT_FILENO) != 0;
    int number = 0;
    for (const NumberedFile& source : *chosen) {
        auto frame = read(source);
        if (!frame) return tl::unexpected(frame.error());
        const Picture picture = draw_frame(run_, *frame, *shot, options_.picture, parallel_);
        if (auto done = write_png(video.picture_file(++number), picture); !done) return done;
        if (options_.quiet) continue;
        std::printf("%spicture %d of %zu%s", terminal ? "\r" : "", number, count, terminal ? "\x1b[K" : "\n");
        std::fflush(stdout);
    }
    if (terminal && !options_.quiet) std::printf("\n");
    if (auto done = video.finish(number); !done) return done;
    tell(file);
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
    if (options.video && options.frame) wrong("--frame: a video shows many frames; choose them with --frames first:last");
    if (!options.video && !options.frames.empty()) wrong("--frames: is for --video; a single picture takes --frame");
    if (!options.video && !options.output.empty() && std::filesystem::path(options.output).extension() != ".png") {
        wrong("-o " + options.output + ": pictures are PNG files; the name must end with .png");
    }
    if (!options.video_file.empty() && !options.output.empty()) wrong("-o: --video names the file already");
    if (problems.empty()) return {};
    return fail(std::move(problems));
}

void declare(CLI::App& app, RenderOptions& o) {
    app.add_option("run", o.run, "run folder")->required();
    app.add_option("--frame", o.frame, "number of the frame; default the last");
    app.add_option("-o,--output", o.output, "picture to write; default RUN/pictures/frame.NNNN.png");
    app.add_option("--width", o.picture.width, "pixels")->check(CLI::Range(32, 16384))->capture_default_str();
    app.add_option("--height", o.picture.height, "pixels")->check(CLI::Range(32, 16384))->capture_default_str();
    app.add_option("--color", o.picture.color.column, "material, speed, or a column of the frames")
        ->capture_default_str();
    app.add_option("--map", o.picture.color.map, "color map: " + list_text(color_map_names()))->capture_default_str();
    app.add_option("--range", o.range, "values at the ends of the color map; default fits the data")
        ->expected(2)->type_name("LOW HIGH");
    app.add_option("--view", o.picture.view, "automatic, front, back, left, right, top, or azimuth and elevation in "
                                             "degrees, as in 30,20")->capture_default_str();
    app.add_option("--samples", o.picture.samples, "rays a pixel; more are smoother")
        ->check(CLI::Range(1, 4096))->capture_default_str();
    app.add_option("--frames", o.frames, "frames of a video, as in 1:60")->type_name("FIRST:LAST");
    app.add_option("--threads", o.threads, "number of threads; default all cores. The picture is the same.")
        ->check(CLI::Range(1, 1024));
    app.add_flag("--quiet", o.quiet, "print nothing");
}

}  // namespace

Action add_render(CLI::App& app) {
    auto options = std::make_shared<RenderOptions>();
    declare(app, *options);
    CLI::Option* video = app.add_option("--video", options->video_file, "make a video instead; default RUN/video.mp4")
                             ->expected(0, 1)->type_name("[FILE.mp4]");
    return [options, video]() -> int {
        options->video = video->count() > 0;
        if (auto right = check_options(*options); !right) return report(right.error());
        auto folder = RunFolder::open(options->run);
        if (!folder) return report(folder.error());
        auto done = Renderer(*options, std::move(*folder)).execute();
        return done ? 0 : report(done.error());
    };
}

}  // namespace treacle
