#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <embree3/rtcore.h>

#include "render/render_scene.h"

namespace treacle::tracing {

struct Ray {
    Vec3f origin;
    Vec3f direction;    ///< unit
    float time = 0.5f;  ///< 0: the shutter opens, 1: it closes

    Vec3f at(float distance) const { return origin + distance * direction; }
};

/// The surface that a ray hits.
struct Hit {
    enum class Surface { ball, mesh, wire, ground };

    float distance;
    Vec3f normal;  ///< unit, on the side that the ray comes from
    Color color;
    Surface surface;
    const Substance* substance = nullptr;
    bool from_outside = true;  ///< for clear meshes
    float off_center = 0;      ///< for balls: 0 where the ray points at the center, 1 at the rim
    const Ground* ground = nullptr;
};

/// The scene in a form for tracing rays: Embree's trees, and planes besides.
class RayScene {
public:
    /// Keeps a reference to the scene. With more than one thread, the limit of Parallel holds here too.
    RayScene(const RenderScene& scene, int threads);

    /// The first surface farther away than `start`, except glass panes and wires.
    std::optional<Hit> nearest(const Ray& ray, float start) const;

    /// Whether anything opaque is between these distances; the ground counts if `by_ground`.
    bool blocked(const Ray& ray, float start, float end, bool by_ground) const;

    /// The first boundary of a clear mesh.
    std::optional<Hit> nearest_clear(const Ray& ray, float start) const;
    bool any_clear() const { return any_clear_; }

    /// Glass and wires in front of the surface at distance `end`. They are seen, but do not affect the light.
    struct Veil {
        float glass = 0;  ///< share of the background that the glass hides
        std::optional<Hit> wire;
    };
    Veil veil(const Ray& ray, float end) const;

private:
    void add_balls();
    void add_mesh(RTCScene target, std::size_t number);
    void add_wires();
    void check() const;
    Hit surface_hit(const RTCRayHit& found, Vec3f direction) const;

    struct Release {
        void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
        void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
    };

    const RenderScene& scene_;
    Substance ground_;
    bool any_clear_ = false;
    bool any_veil_ = false;
    std::unique_ptr<RTCDeviceTy, Release> device_;
    std::unique_ptr<RTCSceneTy, Release> opaque_;
    std::unique_ptr<RTCSceneTy, Release> clear_;
    std::unique_ptr<RTCSceneTy, Release> veil_;     ///< glass and wires
    std::vector<std::vector<Vec3f>> mesh_normals_;  ///< per mesh: three per triangle, or one per vertex if smooth
};

}  // namespace treacle::tracing
