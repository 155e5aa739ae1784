#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/ply.h"
#include "io/run_record.h"
#include "surface_mesh/surface_mesh.h"

namespace treacle {

/// Relative sizes of particles: their spacing over that of the run; empty if the frame has no column "size".
std::vector<float> particle_sizes(const PlyTable& table);

/// The particles of a frame file for a surface, with velocity (vx vy vz), the color of their material (red green blue,
/// bytes), its number (material) and further columns by the names of the file ("stress" takes stress_xx and all its
/// other components too). With `material` only particles of that one. A missing column is wrong input.
Result<SurfaceParticles> surface_particles(const PlyTable& table, const std::vector<RunRecord::Material>& known,
                                           const std::vector<std::string>& columns, std::optional<int> material = {});

}  // namespace treacle
