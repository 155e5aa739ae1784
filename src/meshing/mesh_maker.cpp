#include "meshing/mesh_maker.h"

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "core/file.h"
#include "core/text.h"
#include "io/frame_range.h"
#include "meshing/frame_surface.h"
#include "core/memory.h"
#include "surface_mesh/density_threshold.h"
#include "surface_mesh/mesh_file.h"
#include "surface_mesh/vdb_file.h"
#include "core/version.h"

namespace treacle {

namespace fs = std::filesystem;

namespace {

/// Memory that meshing a frame takes, per byte of its file. Compact fluid took 8 (512,000 particles of 37 bytes);
/// threads and drops have more surface.
constexpr double memory_per_byte = 16;

}  // namespace

std::string MeshMaker::inside(const std::string& file) const { return (fs::path(output_) / file).string(); }

Result<void> MeshMaker::open() {
    auto run = RunRecord::open(request_.run);
    if (!run) return tl::unexpected(run.error());
    run_ = std::move(*run);
    if (auto known = run_->check_spacing(); !known) return known;
    if (run_->dimension != 3) {
        return fail(ExitCode::wrong_input, "is a run in 2D, which has no surface; treacle render draws it",
                    run_->folder().path());
    }
    const auto files = run_->frames("meshes are made");
    if (!files) return tl::unexpected(files.error());
    auto chosen = frames_in_range(*files, request_.frames, run_->folder().path());
    if (!chosen) return tl::unexpected(chosen.error());
    frames_ = std::move(*chosen);
    output_ = request_.output.empty() ? (fs::path(request_.run) / "meshes").string() : request_.output;
    return {};
}

/// Includes the source of the file: a frame that was computed again has another time.
Json MeshMaker::description_of(const NumberedFile& source, std::optional<int> material) const {
    std::error_code ignored;
    Json json = Json::object();
    json.set("version", program_version);
    json.set("frame", source.frame);
    json.set("frame_bytes", static_cast<unsigned long>(fs::file_size(source.path, ignored)));
    const auto written = fs::last_write_time(source.path, ignored).time_since_epoch();
    json.set("frame_written", static_cast<double>(written.count()));
    json.set("spacing", run_->spacing);
    json.set("method", request_.method);
    if (request_.method == "density_threshold") {
        Json& grid = json.set("grid", Json::array());
        for (const int points : request_.grid) grid.push(points);
    } else {
        json.set("resolution", request_.surface.resolution);
        json.set("smoothing", request_.surface.smoothing);
        json.set("drops", request_.surface.keep_drops ? "keep" : "drop");
    }
    Json& columns = json.set("columns", Json::array());
    for (const std::string& column : request_.columns) columns.push(column);
    if (material) json.set("material", run_->materials[static_cast<std::size_t>(*material)].name);
    return json;
}

bool MeshMaker::is_done(const std::string& file, const Json& description) const {
    const Json* files = index_.find("files");
    const Json* entry = files ? files->find(file) : nullptr;
    const Json* made = entry ? entry->find("made_from") : nullptr;
    std::error_code ignored;
    return made && to_text(*made) == to_text(description) && fs::exists(inside(file), ignored);
}

Result<void> MeshMaker::plan() {
    if (auto done = make_folder(output_); !done) return done;
    if (auto right = check_writable(output_); !right) return right;
    std::error_code ignored;
    if (fs::exists(inside("meshes.json"), ignored)) {
        auto index = read_json_file(inside("meshes.json"));
        // A damaged index is written anew, and all meshes with it.
        if (index && index->is_object()) index_ = std::move(*index);
    }
    index_.set("treacle_meshes", 1);
    index_.set("run", fs::absolute(run_->folder().path()).lexically_normal().string());
    index_.set("fps", run_->playing_fps());
    index_.set("up_axis", "y");
    index_.set("unit", "m");
    if (!index_.find("files")) index_.set("files", Json::object());

    const auto add = [&](const NumberedFile& frame, std::optional<int> material, const std::string& place) {
        const std::string file = place + fs::path(frame.path).stem().string() + "." + request_.format;
        Job job{frame, material, file, description_of(frame, material)};
        if (is_done(job.file, job.description)) ++skipped_;
        else jobs_.push_back(std::move(job));
    };
    for (const NumberedFile& frame : frames_) {
        if (!request_.by_material) {
            add(frame, {}, "");
            continue;
        }
        for (std::size_t m = 0; m < run_->materials.size(); ++m) {
            add(frame, static_cast<int>(m), safe_file_name(run_->materials[m].name) + "/");
        }
    }
    if (!request_.by_material) return {};
    for (const RunRecord::Material& material : run_->materials) {
        if (auto done = make_folder(inside(safe_file_name(material.name))); !done) return done;
    }
    return {};
}

int MeshMaker::frames_at_once(int threads) const {
    double largest = 1;
    for (const Job& job : jobs_) {
        std::error_code ignored;
        largest = std::max(largest, memory_per_byte * static_cast<double>(fs::file_size(job.source.path, ignored)));
    }
    const double budget = request_.memory > 0 ? request_.memory : 0.5 * available_memory();
    const double fit = std::max(1.0, budget / largest);
    return static_cast<int>(std::min({fit, static_cast<double>(threads), static_cast<double>(jobs_.size())}));
}

Result<MeshReport> MeshMaker::execute() {
    if (auto done = open(); !done) return tl::unexpected(done.error());
    if (auto done = plan(); !done) return tl::unexpected(done.error());
    if (!jobs_.empty()) {
        if (auto done = make_all(); !done) return tl::unexpected(done.error());
    }
    return MeshReport{output_, jobs_.size() + skipped_, skipped_};
}

Result<void> MeshMaker::make_all() {
    const int threads = request_.threads > 0 ? request_.threads : hardware_threads();
    const int at_once = frames_at_once(threads);
    events_.planned(jobs_.size());
    std::atomic<bool> stop = false;
    std::vector<Result<void>> outcomes(jobs_.size());
    // Frames in parallel do not wait for each other; spare threads work on the same frame.
    Parallel(at_once).for_blocks(jobs_.size(), 1, [&](std::size_t n, std::size_t, std::size_t) {
        if (stop) return;
        outcomes[n] = make(jobs_[n], Parallel(std::max(1, threads / at_once)));
        if (outcomes[n]) {
            events_.made(inside(jobs_[n].file));
            return;
        }
        const Error& error = outcomes[n].error();
        const bool damaged_frame =
            error.code != ExitCode::wrong_input && error.problems[0].file == jobs_[n].source.path;
        if (!damaged_frame) stop = true;  // the others would fail as well
    });
    std::vector<Problem> problems;
    for (const Result<void>& outcome : outcomes) {
        if (outcome) continue;
        if (outcome.error().code == ExitCode::wrong_input) return outcome;
        problems.insert(problems.end(), outcome.error().problems.begin(), outcome.error().problems.end());
    }
    if (!problems.empty()) return tl::unexpected(Error{ExitCode::file_failed, std::move(problems)});
    return {};
}

Result<SurfaceMesh> MeshMaker::surface_of(const SurfaceParticles& particles, const Parallel& parallel) const {
    if (request_.method == "density_threshold") {
        DensityThreshold threshold;
        threshold.spacing = run_->spacing;
        threshold.grid = request_.grid;
        return threshold.reconstruct(particles, parallel);
    }
    SurfaceSettings settings = request_.surface;
    settings.spacing = run_->spacing;
    return reconstruct_surface(particles, settings, parallel);
}

Result<void> MeshMaker::make(const Job& job, const Parallel& parallel) {
    auto table = read_ply(job.source.path);
    if (!table) return tl::unexpected(table.error());
    // Errors below that name no file are about the content of the frame.
    const auto of_frame = [&](Error error) {
        for (Problem& problem : error.problems) {
            if (problem.file.empty()) problem.file = job.source.path;
        }
        return tl::unexpected(std::move(error));
    };
    auto particles = surface_particles(*table, run_->materials, request_.columns, job.material);
    if (!particles) return of_frame(particles.error());
    table->columns.clear();
    const auto mesh = surface_of(*particles, parallel);
    if (!mesh) return of_frame(mesh.error());
    if (auto done = write(inside(job.file), *mesh, *table); !done) return done;
    return record(job, *mesh, table->time);
}

Result<void> MeshMaker::write(const std::string& path, const SurfaceMesh& mesh, const PlyTable& table) const {
    if (request_.format == "obj") return write_mesh_obj(path, mesh, table.frame, table.time);
    if (request_.format == "vdb") {
        return write_mesh_vdb(path, mesh, run_->spacing / request_.surface.resolution, table.frame, table.time);
    }
    return write_mesh_ply(path, mesh, table.frame, table.time);
}

Result<void> MeshMaker::record(const Job& job, const SurfaceMesh& mesh, double time) {
    Json entry = Json::object();
    entry.set("time", time);
    entry.set("points", static_cast<unsigned long>(mesh.points.size()));
    entry.set("triangles", static_cast<unsigned long>(mesh.triangles.size()));
    entry.set("volume", enclosed_volume(mesh));
    entry.set("area", surface_area(mesh));
    entry.set("made_from", job.description);
    const std::lock_guard lock(mutex_);
    index_.find("files")->set(job.file, std::move(entry));
    return write_file_atomically(inside("meshes.json"), to_text(index_));
}

}  // namespace treacle
