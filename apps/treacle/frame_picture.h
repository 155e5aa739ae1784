#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "io/ply.h"
#include "particle_colors.h"
#include "render/picture.h"
#include "run_description.h"
#include "state/state.h"

/// From a frame of a run to its picture.

namespace treacle {

struct PictureRequest {
    int width = 960;
    int height = 600;
    int samples = 12;
    std::string view = "automatic";
    ColorRequest color;
};

/// One frame as pictures need it.
struct FrameData {
    int number = 0;
    PlyTable table;
    Poses poses;
};

FrameData frame_data(const Frame& frame);

/// What stays the same from frame to frame of a clip.
struct Shot {
    Camera camera;
    Coloring coloring;
    Vec3d center;          ///< of the fluid
    double size = 1;       ///< m, from corner to corner of the fluid's bounds
};

/// Places the camera so that it sees the fluid in all of the frames given (at least one), and fits the colors to
/// them. In 3D gravity points down on the screen; in 2D x points right and y up.
Result<Shot> plan_shot(const RunDescription& run, std::span<const FrameData> frames, const PictureRequest& request);

Picture draw_frame(const RunDescription& run, const FrameData& frame, const Shot& shot, const PictureRequest& request,
                   const Parallel& parallel);

/// Draws a frame of a run that is under way into its folder.
Result<void> write_preview(const RunFolder& folder, const Frame& frame, int threads);

}  // namespace treacle
