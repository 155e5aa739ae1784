#pragma once

#include <limits>
#include <vector>

#include "scene/scene.h"

namespace treacle {

/// The fluid that an emitter pushes out of its mouth: an endless prism of layers, one spacing apart.
struct EmittedLayers {
    std::vector<Vec3d> points;  ///< of one layer, in the plane of the mouth, m
    double rotation = 0;        ///< degrees from layer to layer
    double stagger = 0;         ///< m, shift of layers to and fro, so that they interlock
    double spacing = 0;         ///< m, from layer to layer
    double longest = std::numeric_limits<double>::infinity();  ///< m that may leave the mouth
    double particle_mass = 0;                                  ///< kg (in 2D kg per meter of depth)

    /// A point of a layer whose distance past the mouth is `depth`, in the frame of the mouth.
    Vec3d point(std::size_t layer, std::size_t sample, double depth, int dimension) const;
};

/// Diameter of the mouth in particles. Mouths wider than the maximum are refused: sampling them would not end.
double mouth_width(const Emitter& emitter, const Scene& scene);
inline constexpr double max_mouth_width = 1000;

EmittedLayers emitted_layers(const Emitter& emitter, const Scene& scene);

/// Pose of the mouth when its motion or body has this pose: z of its own frame (2D: y) points along the flow.
Pose mouth_pose(const Emitter& emitter, const Pose& moved);

bool emits_at(const Emitter& emitter, double time);

/// Particles that leave the mouth by the end of the run; for keyframed speeds an upper bound. The width of the
/// mouth must be allowed.
double predicted_emission(const Scene& scene, std::size_t emitter);

}  // namespace treacle
