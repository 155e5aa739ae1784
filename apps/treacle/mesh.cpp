#include <cstdio>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "core/file.h"
#include "frame_range.h"
#include "frame_surface.h"
#include "surface_mesh/mesh_file.h"

namespace treacle {

namespace {

struct MeshOptions {
    std::string run;
    std::string frames;           ///< "A:B"
    std::string output;           ///< folder
    std::vector<std::string> columns;
    SurfaceSettings surface;
    std::string drops = "keep";
    int threads = 0;
    bool quiet = false;
};

Result<void> make_meshes(const MeshOptions& options) {
    auto folder = RunFolder::open(options.run);
    if (!folder) return tl::unexpected(folder.error());
    const auto run = describe_run(*folder, Log{});
    if (!run) return tl::unexpected(run.error());
    if (run->dimension != 3) {
        return fail(ExitCode::wrong_input, "is a run in 2D, which has no surface; treacle render draws it", options.run);
    }
    const auto files = folder->frames("ply");
    if (files.empty()) return fail(ExitCode::wrong_input, "holds no frames", folder->path());
    const auto chosen = frames_in_range(files, options.frames, folder->path());
    if (!chosen) return tl::unexpected(chosen.error());
    const std::string output = options.output.empty() ? (std::filesystem::path(options.run) / "meshes").string() : options.output;
    if (auto done = make_folder(output); !done) return done;

    const Parallel parallel(options.threads);
    SurfaceSettings settings = options.surface;
    settings.spacing = run->spacing;
    settings.keep_drops = options.drops == "keep";
    for (const NumberedFile& file : *chosen) {
        const auto table = read_ply(file.path);
        if (!table) return tl::unexpected(table.error());
        const auto particles = surface_particles(*table, *run, options.columns);
        if (!particles) return tl::unexpected(particles.error());
        const auto mesh = reconstruct_surface(*particles, settings, parallel);
        if (!mesh) return tl::unexpected(mesh.error());
        const std::string path = (std::filesystem::path(output) / std::filesystem::path(file.path).filename()).string();
        if (auto done = write_mesh_ply(path, *mesh, table->frame, table->time); !done) return done;
        if (!options.quiet) std::printf("%s  %zu triangles\n", path.c_str(), mesh->triangles.size());
    }
    return {};
}

void declare(CLI::App& app, MeshOptions& o) {
    app.add_option("run", o.run, "run folder")->required();
    app.add_option("--frames", o.frames, "frames to mesh, as in 1:60; default all")->type_name("FIRST:LAST");
    app.add_option("-o,--output", o.output, "folder to write; default RUN/meshes");
    app.add_option("--columns", o.columns, "further columns of the particles to carry onto the vertices")->delimiter(',');
    app.add_option("--resolution", o.surface.resolution, "grid points per particle spacing")
        ->check(CLI::Range(1.0, 8.0))->capture_default_str();
    app.add_option("--smoothing", o.surface.smoothing, "rounds of smoothing")->check(CLI::Range(0, 1000))->capture_default_str();
    app.add_option("--drops", o.drops, "keep, or drop pieces smaller than 8 particles")
        ->check(CLI::IsMember({"keep", "drop"}))->capture_default_str();
    app.add_option("--threads", o.threads, "number of threads; default all cores. The meshes are the same.")
        ->check(CLI::Range(1, 1024));
    app.add_flag("--quiet", o.quiet, "print nothing");
}

}  // namespace

Action add_mesh(CLI::App& app) {
    auto options = std::make_shared<MeshOptions>();
    declare(app, *options);
    return [options]() -> int {
        auto done = make_meshes(*options);
        return done ? 0 : report(done.error());
    };
}

}  // namespace treacle
