#include "run_frames.h"

namespace treacle {

Result<RunFrames> RunFrames::open(const std::string& path, const Log& log) {
    auto folder = RunFolder::open(path);
    if (!folder) return tl::unexpected(folder.error());
    RunFrames result(std::move(*folder));
    result.files_ = result.folder_.frames("ply");
    if (result.files_.empty()) {
        const bool vtp = !result.folder_.frames("vtp").empty();
        return fail(ExitCode::wrong_input,
                    vtp ? "holds frames as vtp only; pictures are drawn from ply "
                          "(add \"ply\" to output.formats of the scene)"
                        : "holds no frames",
                    path);
    }
    auto run = describe_run(result.folder_, log);
    if (!run) return tl::unexpected(run.error());
    result.run_ = std::move(*run);
    auto poses = read_poses(result.folder_);
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
