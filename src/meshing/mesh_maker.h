#pragma once

#include <array>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "io/ply.h"
#include "io/run_record.h"
#include "surface_mesh/surface_mesh.h"

namespace treacle {

struct MeshRequest {
    std::string run;
    std::string frames;                      ///< "A:B"
    std::string output;                      ///< folder; empty for RUN/meshes
    std::string format = "ply";              ///< ply, obj or vdb
    std::string method = "smooth";           ///< or density_threshold
    std::array<int, 3> grid{128, 128, 128};  ///< of density_threshold
    std::vector<std::string> columns;
    SurfaceSettings surface;
    bool by_material = false;
    int threads = 0;
    double memory = 0;  ///< bytes; 0 for half of the free memory
};

/// What a mesh maker tells the one who waits for it.
struct MeshEvents {
    std::function<void(std::size_t meshes)> planned = [](std::size_t) {};
    std::function<void(const std::string& file)> made = [](const std::string&) {};  ///< from any thread
};

struct MeshReport {
    std::string folder;
    std::size_t meshes = 0;   ///< that are in the folder now
    std::size_t skipped = 0;  ///< that were there already
};

/// Makes the meshes of a run, as many frames at once as memory allows. A mesh that was made from the same frame in the
/// same way, according to `meshes.json` in the folder, is not made again. A frame that cannot be read is reported at
/// the end and does not stop others.
class MeshMaker {
public:
    explicit MeshMaker(MeshRequest request, MeshEvents events = {})
        : request_(std::move(request)), events_(std::move(events)) {}

    Result<MeshReport> execute();

private:
    /// A mesh file to write.
    struct Job {
        NumberedFile source;
        std::optional<int> material;
        std::string file;  ///< relative to the folder
        Json description;  ///< everything on which the file's content depends
    };

    Result<void> open();
    Result<void> plan();
    Result<void> make_all();
    Result<void> make(const Job& job, const Parallel& parallel);
    Result<SurfaceMesh> surface_of(const SurfaceParticles& particles, const Parallel& parallel) const;
    Result<void> write(const std::string& path, const SurfaceMesh& mesh, const PlyTable& table) const;
    Result<void> record(const Job& job, const SurfaceMesh& mesh, double time);
    Json description_of(const NumberedFile& source, std::optional<int> material) const;
    bool is_done(const std::string& file, const Json& description) const;
    int frames_at_once(int threads) const;
    std::string inside(const std::string& file) const;

    MeshRequest request_;
    MeshEvents events_;
    std::optional<RunRecord> run_;
    std::string output_;
    std::vector<NumberedFile> frames_;
    std::vector<Job> jobs_;
    std::size_t skipped_ = 0;
    std::mutex mutex_;             ///< of index_
    Json index_ = Json::object();  ///< meshes.json: files by name
};

}  // namespace treacle
