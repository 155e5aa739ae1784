#pragma once

#include <string>
#include <vector>

#include "frame_picture.h"
#include "render/render_scene.h"

namespace treacle {

/// Meters from the origin, in every direction. Embree takes coordinates up to 1.8e18, and its rays must begin well
/// outside of what they hit.
inline constexpr double farthest_drawable = 1e15;

/// False for what is not a number.
inline bool is_drawable(Vec3d p) {
    const auto near = [](double x) { return x >= -farthest_drawable && x <= farthest_drawable; };
    return near(p.x) && near(p.y) && near(p.z);
}

std::vector<Vec3d> particle_positions(const PlyTable& table);

/// At rest where it was drawn if the run does not say.
Pose pose_of(const FrameData& frame, const std::string& solid);

Plane world_plane(const Plane& plane, const Pose& pose);

/// Whether things could lie on it.
bool is_floor(const Plane& plane, Vec3d up);

/// Distance of the lines of the grid: 1, 2 or 5 times a power of ten, so that the fluid covers a few.
double grid_pitch(const Shot& shot);

/// "5 cm"
std::string length_text(double meters);

/// Everything in the frame. Fails if the fluid has no surface that was asked for.
Result<RenderScene> picture_scene(const RunDescription& run, const FrameData& frame, const Shot& shot,
                                  const PictureRequest& request, const Parallel& parallel);

}  // namespace treacle
