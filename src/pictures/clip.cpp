#include "pictures/clip.h"

#include <cmath>
#include <filesystem>
#include <set>

#include "pictures/video.h"

namespace treacle {

namespace {

/// Number of columns with which the tiles are closest to the shape of a usual picture.
int columns_for(int tiles, int width, int height) {
    constexpr double usual = 1.5;
    int best = 1;
    double least = 1e300;
    for (int columns = 1; columns <= tiles; ++columns) {
        const int rows = (tiles + columns - 1) / columns;
        const double shape = (static_cast<double>(width) / columns) / (static_cast<double>(height) / rows);
        const double off = std::abs(std::log(shape / usual));
        if (off < least) {
            least = off;
            best = columns;
        }
    }
    return best;
}

/// Labels runs by their methods if these differ, else by their folders.
void label(std::vector<RunFrames>& runs) {
    std::set<std::string> methods;
    for (const RunFrames& frames : runs) methods.insert(frames.run().method);
    for (RunFrames& frames : runs) {
        std::filesystem::path folder(frames.folder());
        if (folder.filename().empty()) folder = folder.parent_path();
        frames.run().name = methods.size() == runs.size() ? frames.run().method : folder.filename().string();
    }
}

void paste(Picture& target, const Picture& tile, int left, int top) {
    for (int y = 0; y < tile.height; ++y) {
        std::copy_n(tile.pixel(0, y), 3 * static_cast<std::size_t>(tile.width), target.pixel(left, top + y));
    }
}

}  // namespace

Result<Clip> Clip::plan(std::vector<RunFrames> runs, PictureRequest request, const std::vector<int>& frames) {
    Clip clip(std::move(runs), std::move(request));
    const int tiles = static_cast<int>(clip.runs_.size());
    if (tiles > 1) label(clip.runs_);
    clip.columns_ = columns_for(tiles, clip.request_.width, clip.request_.height);
    clip.rows_ = (tiles + clip.columns_ - 1) / clip.columns_;
    clip.request_.width /= clip.columns_;
    clip.request_.height /= clip.rows_;
    // A few frames are enough to represent all of them.
    constexpr std::size_t looked_at = 16;
    const std::size_t steps = std::min(frames.size(), looked_at);
    std::vector<FrameData> some;
    for (std::size_t n = 0; n < steps; ++n) {
        const int frame = frames[steps == 1 ? 0 : n * (frames.size() - 1) / (steps - 1)];
        for (const RunFrames& source : clip.runs_) {
            auto data = source.read(source.at_or_before(frame));
            if (!data) return tl::unexpected(data.error());
            some.push_back(std::move(*data));
        }
    }
    auto shot = plan_shot(clip.runs_.front().run(), some, clip.request_);
    if (!shot) return tl::unexpected(shot.error());
    clip.shot_ = std::move(*shot);
    return clip;
}

Result<Picture> Clip::draw(int frame, const Parallel& parallel) const {
    Picture whole(request_.width * columns_, request_.height * rows_);
    std::fill(whole.rgb.begin(), whole.rgb.end(), std::uint8_t{255});
    int tile = 0;
    for (const RunFrames& source : runs_) {
        const auto data = source.read(source.at_or_before(frame));
        if (!data) return tl::unexpected(data.error());
        auto picture = draw_frame(source.run(), *data, shot_, request_, parallel);
        if (!picture) return picture;
        if (runs_.size() == 1) return picture;
        paste(whole, *picture, tile % columns_ * request_.width, tile / columns_ * request_.height);
        ++tile;
    }
    return whole;
}

Result<void> Clip::write(const std::vector<int>& frames, const std::vector<std::string>& files,
                         const Parallel& parallel, const Drawn& drawn) const {
    for (std::size_t n = 0; n < frames.size(); ++n) {
        auto picture = draw(frames[n], parallel);
        if (!picture) return tl::unexpected(picture.error());
        if (auto done = write_png(files[n], *picture); !done) return done;
        drawn(n + 1);
    }
    return {};
}

Result<void> Clip::write_video(const std::vector<int>& frames, const std::string& file, const Parallel& parallel,
                               const Drawn& drawn, const Log& log) const {
    const VideoMaker video(file, runs_.front().run().fps);
    if (auto done = video.start(); !done) return done;
    if (!VideoMaker::has_program("ffmpeg")) {
        log.warning("ffmpeg is not installed: pictures are drawn, but no video is made of them");
    }
    std::vector<std::string> files;
    for (std::size_t n = 1; n <= frames.size(); ++n) files.push_back(video.picture_file(static_cast<int>(n)));
    if (auto done = write(frames, files, parallel, drawn); !done) return done;
    return video.finish(static_cast<int>(frames.size()));
}

}  // namespace treacle
