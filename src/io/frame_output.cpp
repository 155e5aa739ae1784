#include "io/frame_output.h"

#include <algorithm>

#include "core/file.h"
#include "io/frame_writers.h"
#include "io/ply.h"
#include "state/particle_bounds.h"

namespace treacle {

Result<FrameOutput> FrameOutput::open(const RunFolder& folder, std::vector<std::string> formats) {
    FrameOutput output(folder, std::move(formats));
    const bool only_ply = std::all_of(output.formats_.begin(), output.formats_.end(),
                                      [](const std::string& format) { return format == "ply"; });
    if (only_ply) return output;  // needs nothing else
    const auto record = RunRecord::read(folder);
    if (!record) return tl::unexpected(record.error());
    auto run = export_run(*record, false);
    if (!run) return tl::unexpected(run.error());
    output.run_ = std::move(*run);
    output.fluid_ = record->fluid_bounds();
    return output;
}

Result<void> FrameOutput::write_frame(const Frame& frame) {
    Result<void> done = folder_.check_place();
    if (done) done = make_folder(folder_.frames_folder());
    const Bounds fluid = bounds_of(frame.particles);
    fluid_ = fluid_ ? enclosing(*fluid_, fluid) : fluid;
    for (const Body& body : frame.bodies) run_.poses[frame.number][body.name] = body.pose;
    ParticleTable table;
    for (const std::string& word : formats_) {
        const std::string path = folder_.frame_file(frame.number, find_frame_format(word)->extension);
        if (done && word == "ply") done = write_ply(path, frame);
        if (!done || word == "ply") continue;
        if (table.size() == 0) table = particle_table(frame);
        done = find_frame_writer(word)->frame(path, table, run_);
    }
    return done;
}

Result<void> FrameOutput::list_frames() {
    Result<void> done;
    if (fluid_) run_.fluid = *fluid_;
    int listed = 0;
    for (const std::string& word : formats_) {
        const FrameWriter* writer = find_frame_writer(word);
        if (!done || !writer || !writer->series) continue;
        SeriesPlace place{folder_.path(), "frames/", {}, first_unlisted_};
        const char* extension = find_frame_format(word)->extension;
        for (const NumberedFile& file : folder_.frames(extension)) place.frames.push_back(file.frame);
        if (!place.frames.empty()) listed = place.frames.back();
        done = writer->series(place, run_);
    }
    if (done) first_unlisted_ = listed + 1;
    return done;
}

}  // namespace treacle
