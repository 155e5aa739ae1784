#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/folder_lock.h"
#include "core/json.h"
#include "core/result.h"
#include "state/state.h"

namespace treacle {

/// A file of a numbered sequence.
struct NumberedFile {
    int frame;
    std::string path;
};

/// The folder that holds all files of one run. Whole files appear at once or not at all; tables grow by whole rows.
/// Every failure to write leads to ExitCode::file_failed with path and reason.
class RunFolder {
public:
    static constexpr std::size_t kept_checkpoints = 3;

    /// An empty folder for a new run. A run that is there already is renamed DIR.old, replacing an older one; any
    /// other folder that is not empty is refused as wrong input, and so is one that another process writes a run to.
    /// The new folder counts as a run from the moment its manifest is written. It belongs to this process as long as a
    /// copy of the result lives.
    static Result<RunFolder> create(const std::string& folder);

    /// The folder of an existing run, for reading, even while another process writes to it.
    static Result<RunFolder> open(const std::string& folder);

    /// The same, for writing more: refused if another process does so.
    static Result<RunFolder> open_to_write(const std::string& folder);

    const std::string& path() const { return folder_; }
    std::string manifest_file() const { return inside("manifest.json"); }
    std::string summary_file() const { return inside("summary.json"); }
    std::string metrics_file() const { return inside("metrics.csv"); }
    std::string bodies_file() const { return inside("bodies.csv"); }
    std::string frames_folder() const { return inside("frames"); }
    std::string frame_file(int frame, std::string_view extension) const;  ///< frames/frame.0001.ply
    std::string checkpoint_file(int frame) const;                         ///< checkpoints/checkpoint.0001.h5
    std::string body_file(std::string_view name) const;                   ///< bodies/<name>.ply

    /// An error if the folder of a run that is being written was deleted or renamed. All functions below that write
    /// call it first; otherwise the rest of the run would go into a new folder, as if nothing were missing.
    Result<void> check_place() const;

    /// The manifest must have the member "treacle", by which a run folder is recognized.
    Result<void> write_manifest(const Json& manifest) const;
    Result<Json> read_manifest() const;
    Result<void> write_summary(const Json& summary) const;

    /// The shape of every body once, in its own frame; `around` are the bounds of the fluid.
    Result<void> write_body_shapes(const Bodies& bodies, const Bounds& around) const;

    /// One row of numbers. The header is written before the first row; a file that has another one is refused.
    Result<void> append_row(const std::string& csv_file, std::span<const std::string> header,
                            std::span<const double> values) const;

    /// A row per body: pose, velocities, and force and torque by the fluid.
    Result<void> append_bodies(const Frame& frame) const;

    /// Saves the state under the number of its last completed frame, then drops all but the newest checkpoints.
    Result<void> write_checkpoint(const State& state, const std::string& scene, const std::string& version) const;

    std::vector<NumberedFile> checkpoints() const;                       ///< newest first
    std::vector<NumberedFile> frames(std::string_view extension) const;  ///< in ascending order

    /// Makes the folder look as if the run had just completed this frame: later checkpoints, frames and rows go, and
    /// so do the summary and a row that was only half written. Doing it twice, or again after a crash in the middle,
    /// does no harm.
    Result<void> rewind_to(int frame) const;

private:
    explicit RunFolder(std::string folder) : folder_(std::move(folder)) {}
    std::string inside(std::string_view name) const;
    Result<void> append_text(const std::string& csv_file, const std::string& header, const std::string& rows) const;

    std::string folder_;
    std::shared_ptr<FolderLock> lock_;  ///< none in a folder that is only read
};

}  // namespace treacle
