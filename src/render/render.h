#pragma once

#include "core/parallel.h"
#include "render/film.h"
#include "render/picture.h"
#include "render/render_scene.h"

namespace treacle {

/// Draws a scene by tracing paths of light. The samples of a pixel come from noise that depends on its place only, so
/// the picture is the same for any number of threads. Between machines the last bits may differ, because Embree picks
/// its code by CPU. Throws std::bad_alloc if memory runs out.
Picture render(const RenderScene& scene, const Parallel& parallel);

/// The light that arrives, before smoothing and the film curve.
tracing::Film expose_film(const RenderScene& scene, const Parallel& parallel);

}  // namespace treacle
