#include "pictures/run_frames.h"

namespace treacle {

Result<RunFrames> RunFrames::open(const std::string& path, const Log& log) {
    auto record = RunRecord::open(path);
    if (!record) return tl::unexpected(record.error());
    RunFrames result(record->folder());
    auto files = record->frames("pictures are drawn");
    if (!files) return tl::unexpected(files.error());
    result.files_ = std::move(*files);
    auto run = describe_run(*record, log);
    if (!run) return tl::unexpected(run.error());
    result.run_ = std::move(*run);
    auto poses = record->poses();
    if (!poses) return tl::unexpected(poses.error());
    result.poses_ = std::move(*poses);
    return result;
}

Result<FrameData> RunFrames::read(const NumberedFile& file) const {
    auto table = read_ply(file.path);
    if (!table) return tl::unexpected(table.error());
    FrameData data{file.frame, std::move(*table), {}, {}};
    if (const auto found = poses_.find(file.frame); found != poses_.end()) data.poses = found->second;
    if (const auto found = poses_.find(file.frame + 1); found != poses_.end()) data.next_poses = found->second;
    if (auto right = check_drawable(data, file.path); !right) return tl::unexpected(right.error());
    return data;
}

const NumberedFile& RunFrames::at_or_before(int frame) const {
    const NumberedFile* found = &files_.front();
    for (const NumberedFile& file : files_) {
        if (file.frame <= frame) found = &file;
    }
    return *found;
}

}  // namespace treacle
