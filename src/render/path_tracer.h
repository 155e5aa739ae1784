#pragma once

#include "render/ray_scene.h"
#include "render/sampling.h"

namespace treacle::tracing {

/// Light along a camera ray, with data that help to distinguish noise from edges.
struct Seen {
    Color light{};
    Color albedo{1, 1, 1};  ///< color of the first surface
    Vec3f normal{};         ///< there; zero for the sky
    Vec3f place{};          ///< m, there
};

/// Follows light backwards from the camera. At matt surfaces the sun is sampled directly and one ray continues in a
/// random direction; clear ones reflect or refract the ray and weaken it inside.
///
/// Departures from the physics, for pictures that are clean after a few dozen samples:
/// - rays to the sun go straight through clear bodies, weakened but not bent: shadows of honey are amber, without
///   caustics;
/// - after `bounces` matt surfaces the rest of the light is guessed from the sky;
/// - light above `brightest` is cut off in every sample; otherwise the rims of highlights would be staircases.
class PathTracer {
public:
    /// Keeps references to both.
    PathTracer(const RenderScene& scene, const RayScene& rays);

    Seen look(const Ray& ray, Dice& dice) const;

    /// Plain colors without light, for 2D.
    Color flat_color(const Ray& ray) const;

private:
    /// How a path sees the sky, which depends on the last surface.
    enum class Sight {
        direct,  ///< from the camera: the background without the sun
        mirror,  ///< mirrors and clear bodies only: with the sun
        matt,    ///< as a source of light; the sun was sampled already
    };

    struct Path {
        Ray ray;
        const Substance* medium = nullptr;  ///< in which the ray is; null: air
        Sight sight = Sight::direct;
        float start = 0;
    };

    Color follow(Path path, std::optional<Hit> hit, Dice& dice) const;
    Color follow(const Path& path, Dice& dice) const { return follow(path, rays_.nearest(path.ray, path.start), dice); }
    Color sun_at(const Path& path, const Hit& hit, Vec3f point, Color albedo, Dice& dice) const;
    Color sun_scattered(const Path& path, Vec3f point, Dice& dice) const;
    Color sunlight_passing(const Ray& ray, float start, const Substance* medium) const;
    Vec3f toward_sun(Dice& dice) const;
    Color sky(Vec3f direction) const;
    Color background(const Path& path) const;
    Color surface_color(const Hit& hit, Vec3f point) const;
    bool touches(Vec3f point, const Ray& ray, Vec3f normal) const;
    void bend(Path& path, const Hit& hit, Vec3f point, Dice& dice) const;
    bool scatter(Path& path, float way, Color& weight, Color& light, Dice& dice) const;
    void bounce(Path& path, const Hit& hit, Vec3f point, Color albedo, Color& weight, int& bounces, Dice& dice) const;
    Color split(const Path& path, const Hit& hit, Dice& dice) const;
    float offset_at(Vec3f point) const;
    float ground_fade(const Hit& hit, Vec3f point) const;

    const RenderScene& scene_;
    const RayScene& rays_;
    Vec3f eye_;
    Tangents around_sun_;
    Color ambient_;
    std::vector<Tangents> ground_axes_;
};

}  // namespace treacle::tracing
