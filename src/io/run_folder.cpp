#include "io/run_folder.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "core/file.h"
#include "core/text.h"
#include "io/body_mesh.h"
#include "io/series_place.h"
#include "checkpoint/checkpoint.h"
#include "state/frame_formats.h"

namespace treacle {

namespace fs = std::filesystem;

namespace {

bool is_run(const fs::path& folder) {
    std::error_code ignored;
    if (!fs::is_regular_file(folder / "manifest.json", ignored)) return false;
    const auto manifest = read_json_file((folder / "manifest.json").string());
    return manifest && manifest->find("treacle");
}

/// The content of a folder; empty if it cannot be listed.
std::vector<fs::path> files_in(const std::string& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        files.push_back(entry->path());
    }
    return files;
}

/// Without "." and ".." and without a slash at the end, so that ".old" can be added to the name.
fs::path plain_path(const std::string& folder) {
    std::error_code ignored;
    const fs::path full = fs::absolute(folder.empty() ? "." : folder, ignored).lexically_normal();
    return full.has_filename() ? full : full.parent_path();
}

/// Whether a crash in the middle of writing left this file (core/file.h).
bool is_left_over(const fs::path& path) {
    const std::string name = path.filename().string();
    return name.starts_with(".") && name.ends_with(".tmp");
}

/// Whether a folder is empty except for files that a crash may have left.
bool holds_nothing(const fs::path& folder) {
    const auto files = files_in(folder.string());
    return std::all_of(files.begin(), files.end(), [](const fs::path& file) {
        return is_left_over(file) || file.filename() == FolderLock::file_name;
    });
}

/// Moves the run in `folder` out of the way, over an older one. Nobody else may be writing to either.
Result<void> keep_as_old(const fs::path& folder) {
    const fs::path old = folder.string() + ".old";
    std::error_code error;
    auto lock = FolderLock::take(folder.string());
    if (!lock && lock.error().code == ExitCode::wrong_input) return tl::unexpected(lock.error());
    if (!is_run(folder)) return {};  // somebody else has just moved it away
    if (!lock) return tl::unexpected(lock.error());
    const bool replaceable =
        !fs::exists(old, error) || is_run(old) || (fs::is_directory(old, error) && holds_nothing(old));
    if (!replaceable) {
        return fail(ExitCode::wrong_input,
                    "the run in " + folder.string() +
                        " cannot be kept under this name, which is "
                        "taken by something else; move it away or choose another folder with -o",
                    old.string());
    }
    std::optional<FolderLock> older;
    if (fs::is_directory(old, error)) {
        auto taken = FolderLock::take(old.string());
        if (!taken) return tl::unexpected(taken.error());
        older = std::move(*taken);
    }
    error.clear();
    // The manifest goes last: if this is interrupted, the rest is still recognized as a run and can be replaced.
    for (const fs::path& path : files_in(old.string())) {
        if (!error && path.filename() != "manifest.json") fs::remove_all(path, error);
    }
    if (!error) fs::remove_all(old, error);
    if (!error) fs::rename(folder, old, error);
    if (!error) lock->follow(old.string());
    if (error) return fail(ExitCode::file_failed, "cannot keep the older run: " + error.message(), old.string());
    return {};
}

/// Makes room for a new run in `path`, or says why that is impossible.
Result<void> make_room(const fs::path& path) {
    std::error_code error;
    const auto status = fs::status(path, error);
    if (fs::exists(status) && !fs::is_directory(status)) {
        return fail(ExitCode::wrong_input, "is a file, so a run cannot be written there", path.string());
    }
    if (is_run(path)) return keep_as_old(path);
    if (!fs::exists(status)) return {};
    fs::directory_iterator(path, error);
    if (error) return fail(ExitCode::file_failed, "cannot list the folder: " + error.message(), path.string());
    if (holds_nothing(path)) return {};
    return fail(ExitCode::wrong_input,
                "the folder is not empty and holds no run of treacle; nothing is written "
                "there. Choose another folder with -o",
                path.string());
}

/// Number in a name like "frame.0001.ply", if it is one.
std::optional<int> number_in_name(std::string_view name, std::string_view stem, std::string_view extension) {
    if (!name.starts_with(stem) || !name.ends_with(extension)) return std::nullopt;
    if (name.size() <= stem.size() + extension.size()) return std::nullopt;
    const std::string_view digits = name.substr(stem.size(), name.size() - stem.size() - extension.size());
    int number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return number;
}

std::vector<NumberedFile> numbered_files(const std::string& folder, std::string_view stem, std::string_view extension) {
    std::vector<NumberedFile> files;
    for (const fs::path& path : files_in(folder)) {
        const auto number = number_in_name(path.filename().string(), stem, extension);
        if (number) files.push_back({*number, path.string()});
    }
    std::sort(files.begin(), files.end(),
              [](const NumberedFile& a, const NumberedFile& b) { return a.frame < b.frame; });
    return files;
}

/// A word as a field of a table; quoted when it needs to be. Line breaks would look like the end of a row.
std::string csv_text(std::string_view word) {
    std::string quoted = "\"";
    bool needed = false;
    for (const char c : word) {
        if (c == '"') quoted += '"';
        needed = needed || c == '"' || c == ',';
        quoted += static_cast<unsigned char>(c) < 32 ? ' ' : c;
    }
    return needed ? quoted + "\"" : quoted.substr(1);
}

/// The frame at the start of a row of a table.
std::optional<double> frame_of_row(std::string_view row) {
    const std::string_view field = row.substr(0, row.find(','));
    double frame = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), frame);
    if (error != std::errc{} || end != field.data() + field.size()) return std::nullopt;
    return frame;
}

/// The first line of a table; empty if there is none.
std::string header_of(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

/// Drops later rows, and a last row without a line break.
Result<void> rewind_table(const std::string& path, int last_frame) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return {};
    const auto table = read_whole_file(path);
    if (!table) return tl::unexpected(table.error());
    std::string kept;
    std::size_t begin = 0;
    for (std::size_t end = table->find('\n'); end != std::string::npos; end = table->find('\n', begin)) {
        const std::string_view row(table->data() + begin, end - begin);
        const auto frame = frame_of_row(row);
        if (begin == 0 || (frame && *frame <= last_frame)) kept.append(row).push_back('\n');
        begin = end + 1;
    }
    if (kept == *table) return {};
    return write_file_atomically(path, kept);
}

}  // namespace

std::string numbered_name(std::string_view stem, int number, std::string_view extension) {
    std::array<char, 16> digits{};
    std::snprintf(digits.data(), digits.size(), "%04d", number);  // more digits when needed
    return std::string(stem) + "." + digits.data() + "." + std::string(extension);
}

Result<RunFolder> RunFolder::create(const std::string& folder) {
    const fs::path path = plain_path(folder);
    for (;;) {
        if (const auto room = make_room(path); !room) return tl::unexpected(room.error());
        if (const auto made = make_folder(path.string()); !made) return tl::unexpected(made.error());
        if (const auto writable = check_writable(path.string()); !writable) return tl::unexpected(writable.error());
        auto lock = FolderLock::take(path.string());
        if (!lock) return tl::unexpected(lock.error());
        if (is_run(path)) continue;  // another run began and ended just now
        // If the run that was moved away held the current folder, a relative name would now lead into it.
        std::error_code error;
        const bool same = fs::equivalent(folder, path, error);
        RunFolder run(same ? folder : path.string());
        lock->follow(run.folder_);
        run.lock_ = std::make_shared<FolderLock>(std::move(*lock));
        return run;
    }
}

Result<RunFolder> RunFolder::open(const std::string& folder) {
    const fs::path manifest = plain_path(folder) / "manifest.json";
    std::error_code ignored;
    if (fs::is_regular_file(manifest, ignored)) {
        if (const auto read = read_json_file(manifest.string()); !read) return tl::unexpected(read.error());
    }
    if (!is_run(plain_path(folder))) {
        return fail(ExitCode::wrong_input, "is no run of treacle (there is no manifest.json of one)", folder);
    }
    return RunFolder(folder.empty() ? "." : folder);
}

Result<RunFolder> RunFolder::open_to_write(const std::string& folder) {
    auto run = open(folder);
    if (!run) return run;
    auto lock = FolderLock::take(run->folder_);
    if (!lock) return tl::unexpected(lock.error());
    run->lock_ = std::make_shared<FolderLock>(std::move(*lock));
    return run;
}

Result<void> RunFolder::check_place() const { return lock_ ? lock_->check_place() : Result<void>{}; }

std::string RunFolder::inside(std::string_view name) const { return (fs::path(folder_) / name).string(); }

std::string RunFolder::frame_file(int frame, std::string_view extension) const {
    return inside("frames/" + numbered_name("frame", frame, extension));
}

std::string RunFolder::checkpoint_file(int frame) const {
    return inside("checkpoints/" + numbered_name("checkpoint", frame, "h5"));
}

std::string RunFolder::body_file(std::string_view name) const {
    return inside("bodies/" + safe_file_name(name) + ".ply");
}

Result<void> RunFolder::write_manifest(const Json& manifest) const {
    if (!manifest.find("treacle")) throw std::logic_error("a manifest needs the member \"treacle\"");
    if (auto there = check_place(); !there) return there;
    return write_file_atomically(manifest_file(), to_text(manifest));
}

Result<Json> RunFolder::read_manifest() const { return read_json_file(manifest_file()); }

Result<void> RunFolder::write_summary(const Json& summary) const {
    if (auto there = check_place(); !there) return there;
    return write_file_atomically(summary_file(), to_text(summary));
}

Result<void> RunFolder::write_body_shapes(const Bodies& bodies, const Bounds& around) const {
    Result<void> done = check_place();
    if (done && !bodies.empty()) done = make_folder(inside("bodies"));
    for (const Body& body : bodies) {
        if (done) done = write_body_ply(body_file(body.name), body, around);
    }
    return done;
}

Result<void> RunFolder::append_text(const std::string& csv_file, const std::string& header,
                                    const std::string& rows) const {
    if (auto there = check_place(); !there) return there;
    std::error_code error;
    if (fs::is_regular_file(csv_file, error) && fs::file_size(csv_file, error) > 0) {
        std::string start(header.size(), '\0');
        std::FILE* file = std::fopen(csv_file.c_str(), "rb");
        const bool same = file && std::fread(start.data(), 1, start.size(), file) == start.size() && start == header;
        if (file) std::fclose(file);
        if (!same) return fail(ExitCode::file_failed, "has other columns than this run, no row can be added", csv_file);
    }
    return append_to_file(csv_file, header, rows);
}

Result<void> RunFolder::append_row(const std::string& csv_file, std::span<const std::string> header,
                                   std::span<const double> values) const {
    if (header.size() != values.size()) throw std::logic_error("a row needs as many values as its table has columns");
    std::string names, row;
    for (std::size_t c = 0; c < values.size(); ++c) {
        const char* separator = c == 0 ? "" : ",";
        names += separator + header[c];
        row += separator + number_text(values[c]);
    }
    return append_text(csv_file, names + "\n", row + "\n");
}

Result<void> RunFolder::append_bodies(const Frame& frame) const {
    // A run that version 0.1 began goes on without the columns of the center of mass.
    const std::string first = "frame,time,body,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,fx,fy,fz,tx,ty,tz";
    const bool centers = header_of(bodies_file()) != first;
    std::string rows;
    for (const Body& body : frame.bodies) {
        const Quaternion& q = body.pose.rotation;
        rows += std::to_string(frame.number) + "," + number_text(frame.time) + "," + csv_text(body.name);
        const auto add = [&](std::initializer_list<double> values) {
            for (const double value : values) rows += "," + number_text(value);
        };
        const auto add_vector = [&](const Vec3d& v) { add({v.x, v.y, v.z}); };
        add_vector(body.pose.position);
        add({q.w, q.x, q.y, q.z});
        add_vector(body.velocity);
        add_vector(body.angular_velocity);
        add_vector(body.force);
        add_vector(body.torque);
        if (centers && body.dynamic()) {
            add_vector(body.center_of_mass_in_space());
            add_vector(body.velocity_of_center());
        } else if (centers) {
            rows += ",,,,,,";  // no mass, no center of mass
        }
        rows += "\n";
    }
    return append_text(bodies_file(), first + (centers ? ",cx,cy,cz,cvx,cvy,cvz\n" : "\n"), rows);
}

Result<void> RunFolder::write_checkpoint(const State& state, const std::string& scene,
                                         const std::string& version) const {
    Result<void> done = check_place();
    if (done) done = make_folder(inside("checkpoints"));
    if (done) done = save_checkpoint(checkpoint_file(state.frame), state, scene, version);
    const auto all = checkpoints();
    for (std::size_t n = kept_checkpoints; n < all.size(); ++n) {
        if (done) done = remove_file(all[n].path);
    }
    return done;
}

std::vector<NumberedFile> RunFolder::checkpoints() const {
    auto files = numbered_files(inside("checkpoints"), "checkpoint.", ".h5");
    std::reverse(files.begin(), files.end());
    return files;
}

std::vector<NumberedFile> RunFolder::frames(std::string_view extension) const {
    return numbered_files(inside("frames"), "frame.", "." + std::string(extension));
}

Result<void> RunFolder::rewind_to(int frame) const {
    // Checkpoints first: as long as a later one is there, a resumed run would start from it and miss what is gone.
    // Then the last frames first, so that a crash in between leaves no gap.
    std::vector<NumberedFile> later = checkpoints();
    for (const FrameFormat& format : frame_formats()) {
        const auto files = frames(format.extension);
        later.insert(later.end(), files.rbegin(), files.rend());
    }
    const auto bodies = numbered_files(inside("frames"), "bodies.", ".vtp");
    later.insert(later.end(), bodies.rbegin(), bodies.rend());
    std::erase_if(later, [&](const NumberedFile& file) { return file.frame <= frame; });
    Result<void> done;
    for (const NumberedFile& file : later) {
        if (done) done = remove_file(file.path);
    }
    if (done) done = rewind_table(metrics_file(), frame);
    if (done) done = rewind_table(bodies_file(), frame);
    if (done) done = remove_file(summary_file());  // the run is no longer at its end
    for (const char* folder : {"", "frames", "checkpoints", "bodies"}) {
        for (const fs::path& path : files_in(inside(folder))) {
            if (done && is_left_over(path)) done = remove_file(path.string());
        }
    }
    return done;
}

}  // namespace treacle
