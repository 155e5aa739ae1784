#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <embree3/rtcore.h>

#include "render/render_scene.h"

namespace treacle::tracing {

/// What a ray meets.
struct Hit {
    enum class Surface { ball, mesh, wire, ground };

    float distance;
    Vec3f normal;         ///< unit, on the side that the ray comes from
    Color color;
    Surface surface;
    float off_center = 0; ///< for balls: 0 where the ray points at the center, 1 at the rim
    const Ground* ground = nullptr;
};

/// The scene in the form in which rays find their way: Embree's trees, and planes besides.
class RayScene {
public:
    /// Keeps a reference to the scene. With more than one thread the limit that Parallel sets holds here too.
    RayScene(const RenderScene& scene, int threads);

    /// The first opaque surface at a distance of more than `start`; `direction` is a unit vector.
    std::optional<Hit> nearest(Vec3f origin, Vec3f direction, float start) const;

    /// Whether anything but the ground is in the way.
    bool blocked(Vec3f origin, Vec3f direction, float start) const;

    /// What is seen before the opaque surface at distance `end`, but has no part in the light: glass and wires.
    struct Veil {
        float glass = 0;             ///< share of what is behind that the glass hides
        std::optional<Hit> wire;
    };
    Veil veil(Vec3f origin, Vec3f direction, float end) const;

private:
    void add_balls();
    void add_mesh(RTCScene target, const RenderMesh& mesh);
    void add_wires();
    void check() const;

    struct Release {
        void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
        void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
    };

    const RenderScene& scene_;
    std::unique_ptr<RTCDeviceTy, Release> device_;
    std::unique_ptr<RTCSceneTy, Release> opaque_;
    std::unique_ptr<RTCSceneTy, Release> veil_;       ///< glass and wires
    std::vector<std::vector<Vec3f>> mesh_normals_;    ///< per mesh: three a triangle
};

}  // namespace treacle::tracing
