#pragma once

#include <vector>

#include "core/parallel.h"
#include "core/result.h"
#include "render/render_scene.h"

namespace treacle {

/// Particles that share a surface.
struct SurfacedFluid {
    std::vector<Vec3f> positions;  ///< m
    std::vector<Color> colors;     ///< one per particle; vertices get means of them
    std::vector<Vec3f> motions;    ///< the same, or empty
    std::vector<float> sizes;      ///< the same, if particles differ in size
};

/// The surface of a fluid for a picture.
Result<RenderMesh> fluid_surface(const SurfacedFluid& fluid, double spacing, const Parallel& parallel);

}  // namespace treacle
