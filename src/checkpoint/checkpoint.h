#pragma once

#include <string>

#include "core/result.h"
#include "state/state.h"

namespace treacle {

/// A saved state together with its scene.
struct Checkpoint {
    std::string scene;    ///< the scene as JSON text with every default filled in
    std::string version;  ///< of the program that wrote it
    State state;
};

/// Writes HDF5 under a temporary name, flushes it to disk and renames it: a file with the final name is whole.
Result<void> save_checkpoint(const std::string& path, const State& state, const std::string& scene,
                             const std::string& version);

/// Reads and verifies (the stored hash must match the state that was read). A truncated, foreign or damaged file
/// gives an error that says why.
Result<Checkpoint> load_checkpoint(const std::string& path);

}  // namespace treacle
