#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/json.h"
#include "core/result.h"
#include "io/run_folder.h"
#include "scene/scene.h"
#include "sim/simulation.h"

namespace treacle {

/// Hashes of mesh files by name, as scene/mesh_hashes.h gives them.
using MeshHashes = std::map<std::string, std::string>;

/// A frame that diverged and is computed again with shorter steps.
struct Repetition {
    int frame;           ///< that diverged
    int from_frame;      ///< of the checkpoint from which the run goes on
    double share_of_dt;  ///< factor on the limits of the time step
    std::string reason;
};

/// manifest.json of a run that is under way: its scene, its columns with units, its frames.
class Manifest {
public:
    Manifest(const Scene& scene, const MeshHashes& meshes, const Simulation& simulation);

    /// Takes over the list of repetitions from the manifest of the run that is resumed.
    void keep_repetitions(const Json& former);
    void add(const Repetition& repetition);

    /// Writes it with the frames that are in the folder.
    Result<void> write(const RunFolder& folder) const;

private:
    Json content_ = Json::object();
    std::vector<std::string> extensions_;  ///< of frames, one for each format
    double fps_;
};

}  // namespace treacle
