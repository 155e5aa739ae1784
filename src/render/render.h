#pragma once

#include "core/parallel.h"
#include "render/picture.h"
#include "render/render_scene.h"

namespace treacle {

/// Draws a scene by tracing rays. Every pixel takes its samples from noise that depends on its place only, so the
/// picture is the same for any number of threads. Between machines the last bits may differ, because Embree picks its
/// code by CPU. Throws std::bad_alloc when the memory does not suffice.
Picture render(const RenderScene& scene, const Parallel& parallel);

}  // namespace treacle
