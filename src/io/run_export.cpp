#include "io/run_export.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/file.h"
#include "core/text.h"
#include "core/version.h"
#include "io/frame_range.h"
#include "io/frame_writers.h"
#include "io/particle_table.h"
#include "io/run_record.h"

namespace treacle {

namespace {

namespace fs = std::filesystem;

/// Writes the frames of one run in another format.
class Export {
public:
    Export(const ExportRequest& request, const ExportEvents& events, RunRecord record)
        : request_(request), events_(events), record_(std::move(record)), source_(record_.folder()),
          format_(*find_frame_format(request.format)), writer_(*find_frame_writer(request.format)),
          target_(request.folder.empty() ? source_.path() + "/export/" + request.format : request.folder) {}

    Result<ExportReport> execute();

private:
    void find_surfaces();
    Result<void> prepare_target();
    Result<bool> write(const NumberedFile& source);
    bool up_to_date(const NumberedFile& source) const;
    Result<void> finish() const;
    Json sidecar() const;
    std::string target_file(int frame) const {
        return target_ + "/" + numbered_name("frame", frame, format_.extension);
    }

    static constexpr const char* sidecar_name = "export.json";

    const ExportRequest& request_;
    const ExportEvents& events_;
    RunRecord record_;
    const RunFolder& source_;
    const FrameFormat& format_;
    const FrameWriter& writer_;
    std::string target_;
    ExportRun run_;
    bool all_again_ = false;
};

/// Settings that are the same for all frames. A later export compares them to know whether it may continue here.
Json Export::sidecar() const {
    Json json = Json::object();
    json.set("treacle_export", 1);
    json.set("version", program_version);
    json.set("format", request_.format);
    json.set("name", run_.name);
    json.set("fps", run_.fps);
    json.set("up_axis", run_.z_up ? "z" : "y");
    Json units = Json::object();
    units.set("length", "m");
    units.set("time", "s");
    units.set("velocity", "m/s");
    units.set("density", "kg/m³");
    json.set("units", std::move(units));
    json.set("particle_spacing", run_.spacing);
    json.set("particle_radius", run_.spacing / 2);
    Json materials = Json::array();
    for (const ExportRun::Material& material : run_.materials) materials.push(material.name);
    json.set("materials", std::move(materials));
    Json bodies = Json::array();
    for (const ExportRun::Body& body : run_.bodies) bodies.push(body.name);
    json.set("bodies", std::move(bodies));
    json.set("surfaces", static_cast<unsigned long>(run_.surfaces.size()));  // new ones change the output
    return json;
}

/// An empty folder, or one with an earlier export, which is continued if it was made in the same way.
Result<void> Export::prepare_target() {
    std::error_code error;
    const std::string sidecar_file = target_ + "/" + sidecar_name;
    if (fs::exists(target_, error) && !fs::is_directory(target_, error)) {
        return fail(ExitCode::wrong_input, "is a file; choose a folder with -o", target_);
    }
    if (fs::exists(sidecar_file, error)) {
        if (auto right = check_writable(target_); !right) return right;
        const auto before = read_json_file(sidecar_file);
        const Json now = sidecar();
        all_again_ = request_.overwrite || !before;
        for (const auto& [key, value] : now.members) {
            const Json* old = before ? before->find(key) : nullptr;
            if (!old || to_text(*old) != to_text(value)) all_again_ = true;
        }
        const Json* old_format = before ? before->find("format") : nullptr;
        if (old_format && old_format->text != request_.format) {
            return fail(ExitCode::wrong_input,
                        "holds an export to " + old_format->text + "; choose another folder with -o", target_);
        }
        return {};
    }
    if (fs::exists(target_, error) && !fs::is_empty(target_, error)) {
        return fail(ExitCode::wrong_input,
                    "the folder is not empty and holds no export of treacle; nothing is written "
                    "there. Choose another folder with -o",
                    target_);
    }
    if (auto made = make_folder(target_); !made) return made;
    return write_file_atomically(sidecar_file, to_text(sidecar()));  // from now on it counts as an export
}

/// Surfaces that `treacle mesh` has put into the run, by paths that the exported files can use.
void Export::find_surfaces() {
    for (const NumberedFile& frame : source_.frames("ply")) {
        std::error_code error;
        const fs::path surface = fs::path(source_.path()) / "meshes" / fs::path(frame.path).filename();
        if (!fs::is_regular_file(surface, error)) continue;
        const fs::path seen = fs::relative(surface, target_, error);
        if (!error) run_.surfaces[frame.frame] = seen.generic_string();
    }
}

/// Files appear whole or not at all, so a file that exists and is not older than its source is done.
bool Export::up_to_date(const NumberedFile& source) const {
    std::error_code error;
    const auto made = fs::last_write_time(target_file(source.frame), error);
    if (all_again_ || error) return false;
    const auto from = fs::last_write_time(source.path, error);
    return !error && made >= from;
}

/// Number of particles with NaN or infinite values. Other programs may fail on them.
std::size_t count_impossible(const ParticleTable& table) {
    std::vector<bool> wrong(table.size(), false);
    const auto look = [&](const float* values, std::size_t width) {
        for (std::size_t n = 0; n < width * table.size(); ++n) {
            if (!std::isfinite(values[n])) wrong[n / width] = true;
        }
    };
    if (table.size() == 0) return 0;
    look(table.position.data()->data(), 3);
    look(table.velocity.data()->data(), 3);
    look(table.density.data(), 1);
    for (const ParticleTable::Column& column : table.extra) {
        look(column.values.data(), column.values.size() / table.size());
    }
    return static_cast<std::size_t>(std::count(wrong.begin(), wrong.end(), true));
}

/// False if there was nothing to do.
Result<bool> Export::write(const NumberedFile& source) {
    if (up_to_date(source)) return false;
    auto table = read_particle_table(source.path);
    if (!table) return tl::unexpected(table.error());
    table->frame = source.frame;
    if (const std::size_t impossible = count_impossible(*table); impossible > 0) {
        events_.log.warning(source.path + ": " + std::to_string(impossible) + " of " + std::to_string(table->size()) +
                            " particles have values that are not finite, and so has the exported frame");
    }
    if (run_.z_up) turn_to_z_up(*table);
    if (auto done = writer_.frame(target_file(source.frame), *table, run_); !done) return tl::unexpected(done.error());
    return true;
}

/// Lists all frames that are in the folder by now, including those of earlier exports.
Result<void> Export::finish() const {
    SeriesPlace place{target_, "", {}, 1};
    Json frames = Json::array();
    for (const NumberedFile& source : source_.frames("ply")) {
        std::error_code ignored;
        if (!fs::exists(target_file(source.frame), ignored)) continue;
        place.frames.push_back(source.frame);
        Json entry = Json::object();
        entry.set("frame", source.frame);
        entry.set("time", run_.time_of(source.frame));
        entry.set("file", numbered_name("frame", source.frame, format_.extension));
        frames.push(std::move(entry));
    }
    Json json = sidecar();
    json.set("frames", std::move(frames));
    if (writer_.series) {
        if (auto done = writer_.series(place, run_); !done) return done;
    }
    return write_file_atomically(target_ + "/" + sidecar_name, to_text(json));
}

Result<ExportReport> Export::execute() {
    const auto all = source_.frames("ply");
    if (all.empty()) {
        return fail(ExitCode::wrong_input,
                    "holds no frames as ply, from which exports are made (add \"ply\" to "
                    "output.formats of the scene)",
                    source_.path());
    }
    const auto chosen = frames_in_range(all, request_.frames, source_.path());
    if (!chosen) return tl::unexpected(chosen.error());
    auto run = export_run(record_, request_.z_up);
    if (!run) return tl::unexpected(run.error());
    run_ = std::move(*run);
    find_surfaces();
    if (auto ready = prepare_target(); !ready) return tl::unexpected(ready.error());

    ExportReport report{target_, 0, 0, {}};
    events_.planned(chosen->size());
    for (const NumberedFile& source : *chosen) {
        const auto written = write(source);
        if (!written && written.error().problems.front().file == source.path) {
            // A damaged frame must not keep the others from being written.
            for (const Problem& problem : written.error().problems) report.damaged.push_back(problem);
        } else if (!written) {
            return tl::unexpected(written.error());
        } else if (!*written) {
            ++report.skipped;
        }
        ++report.frames;
        events_.written(target_file(source.frame));
    }
    report.frames -= report.damaged.size();
    if (auto listed = finish(); !listed) return tl::unexpected(listed.error());
    return report;
}

}  // namespace

std::vector<std::string> export_formats() {
    std::vector<std::string> words;
    for (const FrameFormat& format : frame_formats()) {
        if (find_frame_writer(format.word)) words.emplace_back(format.word);
    }
    return words;
}

Result<ExportReport> write_export(const ExportRequest& request, const ExportEvents& events) {
    if (!find_frame_writer(request.format)) {
        const std::vector<std::string> words = export_formats();
        return fail(ExitCode::wrong_input, "--to " + request.format + ": the formats are " + list_text(words) +
                                               did_you_mean(request.format, words));
    }
    auto run = RunRecord::open(request.run);
    if (!run) return tl::unexpected(run.error());
    return Export(request, events, std::move(*run)).execute();
}

}  // namespace treacle
