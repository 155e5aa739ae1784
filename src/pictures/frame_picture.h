#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "io/ply.h"
#include "pictures/particle_colors.h"
#include "render/picture.h"
#include "pictures/run_description.h"
#include "state/state.h"

/// From a frame of a run to its picture.

namespace treacle {

/// The time that a picture takes, and how clean it is.
struct Quality {
    const char* name;
    int samples;
    int bounces;
};
inline constexpr std::array<Quality, 3> qualities{{{"preview", 6, 1}, {"normal", 32, 3}, {"fine", 160, 6}}};

struct PictureRequest {
    int width = 960;
    int height = 600;
    Quality quality = qualities[1];
    std::string view = "automatic";
    ColorRequest color;
    bool surface = false;  ///< draw the fluid's surface, in place of balls
    double shutter = 0;    ///< share of a frame's time during which the shutter is open: motion blur
    bool bare = false;     ///< without text and grid
};

/// Data of one frame for a picture.
struct FrameData {
    int number = 0;
    PlyTable table;
    Poses poses;
    Poses next_poses;  ///< of the next frame, if there is one
};

FrameData frame_data(const Frame& frame);

/// Settings that stay the same in all frames of a clip.
struct Shot {
    Camera camera;
    Coloring coloring;
    Vec3d center;     ///< of the fluid
    double size = 1;  ///< m, from corner to corner of the fluid's bounds
};

/// Places the camera so that it sees the fluid in all of the frames given (at least one), and fits the colors to
/// them. In 3D gravity points down on the screen; in 2D x points right and y up. The scene's own view is used if the
/// request leaves the view to the program.
Result<Shot> plan_shot(const RunDescription& run, std::span<const FrameData> frames, const PictureRequest& request);

/// Fails if the fluid has no surface, for example because a particle is infinitely far away.
Result<Picture> draw_frame(const RunDescription& run, const FrameData& frame, const Shot& shot,
                           const PictureRequest& request, const Parallel& parallel);

/// An error about `file` if particles or solids are where no picture can be drawn: at NaN, or so far away that the
/// squares of distances leave the range of floats.
Result<void> check_drawable(const FrameData& frame, const std::string& file);

/// Draws a frame of a run that is under way into its folder.
Result<void> write_preview(const RunFolder& folder, const Frame& frame, int threads);

}  // namespace treacle
