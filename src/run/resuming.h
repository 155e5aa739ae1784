#pragma once

#include <string>

#include "checkpoint/checkpoint.h"
#include "core/log.h"
#include "core/result.h"
#include "io/run_folder.h"
#include "run/manifest.h"
#include "scene/scene.h"

/// Rules by which a run may go on.

namespace treacle {

/// The newest checkpoint that can be read. The log says why others are skipped.
Result<Checkpoint> newest_checkpoint(const RunFolder& folder, const Log& log);

/// The one before it; if there is none, the newest.
Result<Checkpoint> checkpoint_before_newest(const RunFolder& folder, const Log& log);

/// An error unless the scene is that of the checkpoint. Only its duration, the look of pictures and keys of methods
/// that do not run may differ, and mesh files must still have the hashes that the manifest gives.
Result<void> check_same_scene(const Scene& scene, const MeshHashes& meshes, const Checkpoint& checkpoint,
                              const Json& manifest, const std::string& folder);

}  // namespace treacle
