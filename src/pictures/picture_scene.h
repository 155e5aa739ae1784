#pragma once

#include <string>
#include <vector>

#include "pictures/frame_picture.h"
#include "render/render_scene.h"

namespace treacle {

/// Meters from the origin, in every direction. Embree takes coordinates up to 1.8e18, and rays must start well outside
/// of the objects.
inline constexpr double farthest_drawable = 1e15;

/// False for NaN.
inline bool is_drawable(Vec3d p) {
    const auto near = [](double x) { return x >= -farthest_drawable && x <= farthest_drawable; };
    return near(p.x) && near(p.y) && near(p.z);
}

std::vector<Vec3d> particle_positions(const PlyTable& table);

/// The pose as drawn if the run gives none.
Pose pose_of(const FrameData& frame, const std::string& solid);

Plane world_plane(const Plane& plane, const Pose& pose);

/// Whether objects could lie on the plane.
bool is_floor(const Plane& plane, Vec3d up);

/// Distance of the lines of the grid: 1, 2 or 5 times a power of ten, so that the fluid covers a few.
double grid_pitch(const Shot& shot);

/// "5 cm"
std::string length_text(double meters);

/// Everything in the frame. Fails if a surface is wanted and the fluid has none.
Result<RenderScene> picture_scene(const RunDescription& run, const FrameData& frame, const Shot& shot,
                                  const PictureRequest& request, const Parallel& parallel);

}  // namespace treacle
