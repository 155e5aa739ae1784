#include <charconv>
#include <cstdio>
#include <memory>

#include "options.h"
#include "core/text.h"
#include "progress.h"
#include "meshing/mesh_maker.h"

namespace treacle {

namespace {

struct MeshOptions {
    MeshRequest request;
    std::string drops = "keep";
    std::string grid;  ///< "NxNxN"
    double gigabytes = 0;
    bool quiet = false;
};

/// "128x128x96", or nothing.
std::optional<std::array<int, 3>> grid_from(const std::string& text) {
    std::array<int, 3> grid{};
    const char *at = text.data(), *end = at + text.size();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (axis > 0 && (at == end || *at++ != 'x')) return std::nullopt;
        const auto [next, error] = std::from_chars(at, end, grid[axis]);
        if (error != std::errc{} || grid[axis] < 8 || grid[axis] > 2048) return std::nullopt;
        at = next;
    }
    return at == end ? std::optional(grid) : std::nullopt;
}

Result<void> check_options(MeshOptions& options) {
    std::vector<Problem> problems;
    const auto wrong = [&](const std::string& message) { problems.push_back({message, {}, {}, 0}); };
    MeshRequest& request = options.request;
    request.surface.keep_drops = options.drops == "keep";
    request.memory = 1e9 * options.gigabytes;
    const bool dense = request.method == "density_threshold";
    if (!options.grid.empty()) {
        const auto grid = grid_from(options.grid);
        if (!dense) wrong("--grid: is for --method density_threshold; --resolution makes the other method finer");
        if (!grid) wrong("--grid " + options.grid + ": write three numbers from 8 to 2048, for example 128x128x128");
        if (grid) request.grid = *grid;
    }
    if (dense && !request.surface.keep_drops) wrong("--drops: density_threshold keeps all");
    if (request.format != "ply" && !request.columns.empty()) wrong("--columns: only ply files hold them");
    if (problems.empty()) return {};
    return fail(std::move(problems));
}

void declare(CLI::App& app, MeshOptions& o) {
    MeshRequest& r = o.request;
    app.add_option("run", r.run, "run folder")->required();
    app.add_option("--frames", r.frames, "frames to mesh, as in 1:60; default all")->type_name("FIRST:LAST");
    app.add_option("-o,--output", r.output, "folder to write; default RUN/meshes");
    app.add_option("--format", r.format, "ply, obj, or vdb (a level set)")
        ->check(CLI::IsMember({"ply", "obj", "vdb"}))
        ->capture_default_str();
    app.add_option("--columns", r.columns,
                   "further columns of the particles to carry onto the vertices, as in "
                   "density,temperature")
        ->delimiter(',');
    app.add_flag("--by-material", r.by_material, "a mesh for each material, in a folder of its name");
    app.add_option("--drops", o.drops, "keep, or drop pieces smaller than 8 particles")
        ->check(CLI::IsMember({"keep", "drop"}))
        ->capture_default_str();
    app.add_option("--resolution", r.surface.resolution, "grid points per particle spacing; more are finer")
        ->check(CLI::Range(1.0, 8.0))
        ->capture_default_str();
    app.add_option("--smoothing", r.surface.smoothing, "rounds of smoothing; 0 shows every particle")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    app.add_option("--method", r.method, "smooth, or density_threshold: as in Takamatsu and Kanai 2011, for comparison")
        ->check(CLI::IsMember({"smooth", "density_threshold"}))
        ->capture_default_str();
    app.add_option("--grid", o.grid, "points of the grid of density_threshold; default 128x128x128")
        ->type_name("NxNxN");
    app.add_option("--memory", o.gigabytes,
                   "GB that frames meshed at the same time may take; default half of "
                   "what is free")
        ->check(CLI::Range(0.01, 1e6))
        ->type_name("GB");
    declare_threads(app, r.threads, "The meshes are the same.");
    declare_quiet(app, o.quiet);
}

int make_meshes(const MeshOptions& options) {
    std::optional<CountProgress> progress;
    MeshEvents events;
    events.planned = [&](std::size_t meshes) { progress.emplace(meshes, "meshes", options.quiet); };
    events.made = [&](const std::string& file) { progress->done(file); };
    const auto done = MeshMaker(options.request, events).execute();
    progress.reset();
    if (!done) return report(done.error());
    if (options.quiet) return 0;
    const std::string before = ", " + std::to_string(done->skipped) + " of them were there already";
    std::printf("%zu %s in %s%s\n", done->meshes, done->meshes == 1 ? "mesh" : "meshes", done->folder.c_str(),
                done->skipped == 0 ? "" : before.c_str());
    return 0;
}

}  // namespace

Action add_mesh(CLI::App& app) {
    auto options = std::make_shared<MeshOptions>();
    declare(app, *options);
    return [options]() -> int {
        if (auto right = check_options(*options); !right) return report(right.error());
        return make_meshes(*options);
    };
}

}  // namespace treacle
