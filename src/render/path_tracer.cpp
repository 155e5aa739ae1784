#include "render/path_tracer.h"

#include <algorithm>
#include <cmath>

#include "render/optics.h"

namespace treacle::tracing {

namespace {

constexpr float pi = 3.14159265f;
constexpr float far_away = 1e30f;
constexpr int most_events = 48;  // of one path, mostly in clear bodies
constexpr float brightest = 6;   // the film curve turns this into white

Color mix(Color a, Color b, float share) { return a + share * (b - a); }

float smooth_step(float low, float high, float value) {
    const float t = std::clamp((value - low) / (high - low), 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}

float largest(Color c) { return std::max({c.x, c.y, c.z}); }

/// The share of the sun's light that a surface catches. With `wrap` light reaches around the edge of the lit side, as
/// in translucent materials; the mean over all directions stays the same.
float caught(float facing, float wrap) { return std::max(0.0f, facing + wrap) / ((1 + wrap) * (1 + wrap)); }

}  // namespace

PathTracer::PathTracer(const RenderScene& scene, const RayScene& rays)
    : scene_(scene), rays_(rays), eye_(cast<float>(scene.camera.eye)), around_sun_(tangents(scene.light.direction)),
      ambient_(0.5f * scene.sky.strength * mix(scene.sky.horizon, scene.sky.zenith, 0.5f)) {
    for (const Ground& ground : scene.grounds) ground_axes_.push_back(tangents(ground.normal));
}

/// Distance of a new ray's start from the end of the last one, so that it does not hit the same place again.
float PathTracer::offset_at(Vec3f point) const { return 1e-4f * length(point - eye_); }

Color PathTracer::sky(Vec3f direction) const {
    const float height = dot(direction, scene_.sky.up);
    if (height >= 0) return mix(scene_.sky.horizon, scene_.sky.zenith, smooth_step(0, 1, std::sqrt(height)));
    return mix(scene_.sky.horizon, 0.8f * scene_.sky.horizon, smooth_step(0, 0.6f, -height));
}

/// Light along a ray that hits nothing more.
Color PathTracer::background(const Path& path) const {
    if (path.sight == Sight::matt) return scene_.sky.strength * sky(path.ray.direction);
    if (path.sight == Sight::direct) return sky(path.ray.direction);
    const Light& sun = scene_.light;
    const float cosine = dot(path.ray.direction, sun.direction);
    const bool on_disc = cosine > 1 / std::sqrt(1 + sun.softness * sun.softness);
    return sky(path.ray.direction) + (on_disc ? 1 / (sun.softness * sun.softness) : 0.0f) * sun.strength;
}

Color PathTracer::surface_color(const Hit& hit, Vec3f point) const {
    if (!hit.ground || hit.ground->grid_pitch <= 0) return hit.color;
    const Tangents& axes = ground_axes_[static_cast<std::size_t>(hit.ground - scene_.grounds.data())];
    const auto near_line = [&](Vec3f axis) {
        const float place = dot(point, axis) / hit.ground->grid_pitch;
        return std::abs(place - std::round(place)) < 0.009f;
    };
    return near_line(axes.u) || near_line(axes.v) ? 0.76f * hit.color : hit.color;
}

/// With growing distance the ground becomes sky.
float PathTracer::ground_fade(const Hit& hit, Vec3f point) const {
    if (!hit.ground) return 0;
    return smooth_step(0.25f, 1, length(point - hit.ground->center) / hit.ground->fade_distance);
}

Vec3f PathTracer::toward_sun(Dice& dice) const {
    const Pair spot = disc_point(dice.pair());
    return unit(scene_.light.direction + scene_.light.softness * (spot.x * around_sun_.u + spot.y * around_sun_.v));
}

/// Sunlight that comes along a straight line, through clear bodies but not through opaque ones.
Color PathTracer::sunlight_passing(const Ray& ray, float start, const Substance* medium) const {
    if (rays_.blocked(ray, start, far_away, false)) return {};
    Color passed{1, 1, 1};
    constexpr int most_boundaries = 16;
    float inside_from = 0;
    for (int n = 0; n < most_boundaries; ++n) {
        const std::optional<Hit> hit = rays_.nearest_clear(ray, start);
        if (!hit) return product(passed, scene_.light.strength);
        if (medium && !hit->from_outside) {
            const float way = hit->distance - inside_from;
            passed = std::exp(-medium->scattering * way) * product(passed, passed_through(*medium, way));
            medium = nullptr;
        } else if (hit->from_outside) {
            medium = hit->substance;
            inside_from = hit->distance;
        }
        passed *= 1 - fresnel(-dot(ray.direction, hit->normal), 1 / hit->substance->refraction);
        start = hit->distance + offset_at(ray.at(hit->distance));
    }
    return {};
}

/// Sunlight that an opaque surface sends back along the path.
Color PathTracer::sun_at(const Path& path, const Hit& hit, Vec3f point, Color albedo, Dice& dice) const {
    const Substance& s = *hit.substance;
    const Vec3f toward = toward_sun(dice);
    const float facing = dot(hit.normal, toward), shallow = dice.number();
    if (facing <= -s.wrap) return {};
    const float start = offset_at(point) + s.soft_depth * (facing > 0 ? shallow : 1);
    const Color arriving = sunlight_passing({point, toward, path.ray.time}, start, path.medium);
    if (largest(arriving) <= 0) return {};
    const float coat = coat_share(s.mirrored, -dot(path.ray.direction, hit.normal));
    Color result = (1 - coat) * caught(facing, s.wrap) * product(albedo, arriving);
    const RoughMirror mirror(hit.normal, -path.ray.direction, s.roughness);
    if (coat > 0) result += coat * pi * mirror.density(toward) * arriving;
    return result;
}

/// Sunlight that a point inside a medium scatters, equally in all directions.
Color PathTracer::sun_scattered(const Path& path, Vec3f point, Dice& dice) const {
    return 0.25f * sunlight_passing({point, toward_sun(dice), path.ray.time}, 0, path.medium);
}

/// A clear body that lies on something has a small gap below it, because the surface is drawn around the outermost
/// particles. Light that leaves the body there passes as if there were no gap, which would act as a mirror.
bool PathTracer::touches(Vec3f point, const Ray& ray, Vec3f normal) const {
    if (scene_.contact_gap <= 0) return false;
    const float steep = std::max(0.25f, -dot(ray.direction, normal));
    return rays_.blocked({point, ray.direction, ray.time}, 0, scene_.contact_gap / steep, true);
}

/// Continues at the boundary of a clear body: reflected or refracted, by chance.
void PathTracer::bend(Path& path, const Hit& hit, Vec3f point, Dice& dice) const {
    path.ray.origin = point;
    path.start = offset_at(point);
    const bool enters = hit.from_outside;
    // Entering from inside: the ray has crossed the gap below a body. Leaving from outside: the mesh has a hole.
    if (enters == (path.medium != nullptr)) return;
    if (!enters && touches(point, path.ray, hit.normal)) return;
    if (path.sight == Sight::direct) path.sight = Sight::mirror;
    const float ratio = enters ? 1 / hit.substance->refraction : hit.substance->refraction;
    const float back = fresnel(-dot(path.ray.direction, hit.normal), ratio);
    const auto through = dice.number() < back ? std::nullopt : refracted(path.ray.direction, hit.normal, ratio);
    path.ray.direction = through ? *through : mirrored(path.ray.direction, hit.normal);
    if (through) path.medium = enters ? hit.substance : nullptr;
}

/// Whether the ray is scattered before it has crossed its medium; then it continues from there.
bool PathTracer::scatter(Path& path, float way, Color& weight, Color& light, Dice& dice) const {
    const Substance& medium = *path.medium;
    const float free = medium.scattering > 0 ? -std::log(1 - dice.number()) / medium.scattering : far_away;
    const bool scattered = free < way;
    weight = product(weight, passed_through(medium, scattered ? free : way));
    if (!scattered) return false;
    const Vec3f point = path.ray.at(free);
    light += product(weight, sun_scattered(path, point, dice));
    path.ray = {point, sphere_direction(dice.pair()), path.ray.time};
    path.start = 0;
    path.sight = Sight::matt;
    return true;
}

/// Continues at an opaque surface: reflected by its coat or, with its color, in any direction.
void PathTracer::bounce(Path& path, const Hit& hit, Vec3f point, Color albedo, Color& weight, int& bounces,
                        Dice& dice) const {
    const Substance& s = *hit.substance;
    const float coat = coat_share(s.mirrored, -dot(path.ray.direction, hit.normal));
    path.sight = Sight::matt;
    path.start = offset_at(point);
    if (coat > 0 && dice.number() < coat) {
        const RoughMirror mirror(hit.normal, -path.ray.direction, s.roughness);
        path.ray = {point, mirror.sample(dice.pair()), path.ray.time};
        return;
    }
    weight = product(weight, albedo);
    ++bounces;
    path.ray = {point, hemisphere_direction(hit.normal, dice.pair()), path.ray.time};
    if (s.soft_depth > 0) path.start += s.soft_depth * dice.number();
}

/// The light along a path whose ray meets `hit`.
Color PathTracer::follow(Path path, std::optional<Hit> hit, Dice& dice) const {
    Color light{}, weight{1, 1, 1};
    int bounces = 0;
    for (int event = 0; event < most_events; ++event) {
        const float way = hit ? hit->distance : far_away;
        if (!path.medium || !scatter(path, way, weight, light, dice)) {
            if (!hit) return light + product(weight, background(path));
            const Vec3f point = path.ray.at(way);
            if (hit->substance->clear) {
                bend(path, *hit, point, dice);
            } else {
                const float fade = ground_fade(*hit, point);
                light += fade * product(weight, background(path));
                weight *= 1 - fade;
                const Color albedo = surface_color(*hit, point);
                light += product(weight, sun_at(path, *hit, point, albedo, dice));
                bounce(path, *hit, point, albedo, weight, bounces, dice);
                if (bounces > scene_.bounces) return light + product(weight, ambient_);
            }
        }
        if (event >= 3) {
            // Paths that carry little end by chance; the survivors get the weight of the others.
            const float survival = std::min(1.0f, largest(weight));
            if (dice.number() >= survival) return light;
            weight *= 1 / survival;
        }
        hit = rays_.nearest(path.ray, path.start);
    }
    return light;
}

/// At the first clear surface both ways are followed: a random choice would make its reflections noisy.
Color PathTracer::split(const Path& path, const Hit& hit, Dice& dice) const {
    if (!hit.from_outside) return follow(path, hit, dice);
    const Vec3f point = path.ray.at(hit.distance);
    const float ratio = 1 / hit.substance->refraction;
    const float back = fresnel(-dot(path.ray.direction, hit.normal), ratio);
    const Vec3f back_direction = mirrored(path.ray.direction, hit.normal);
    Path outside{{point, back_direction, path.ray.time}, nullptr, Sight::mirror, offset_at(point)};
    const Color in_mirror = follow(outside, dice);
    const auto through = refracted(path.ray.direction, hit.normal, ratio);
    if (!through) return in_mirror;
    Path inside{{point, *through, path.ray.time}, hit.substance, Sight::mirror, offset_at(point)};
    return back * in_mirror + (1 - back) * follow(inside, dice);
}

Seen PathTracer::look(const Ray& ray, Dice& dice) const {
    Seen seen;
    const std::optional<Hit> hit = rays_.nearest(ray, 0);
    const RayScene::Veil veil = rays_.veil(ray, hit ? hit->distance : far_away);
    if (veil.wire) {
        seen.light = seen.albedo = (0.7f + 0.5f * dot(veil.wire->normal, scene_.light.direction)) * veil.wire->color;
        seen.place = ray.at(veil.wire->distance);
    } else if (hit) {
        const bool clear = hit->substance->clear;
        seen.normal = hit->normal;
        seen.place = ray.at(hit->distance);
        if (!clear) seen.albedo = mix(surface_color(*hit, seen.place), {1, 1, 1}, ground_fade(*hit, seen.place));
        seen.light = clear ? split({ray}, *hit, dice) : follow({ray}, hit, dice);
    } else {
        seen.light = sky(ray.direction);
    }
    seen.light = mix(seen.light, {1, 1, 1}, veil.glass);
    for (int c = 0; c < 3; ++c) seen.light[c] = std::min(seen.light[c], scene_.film_curve ? brightest : 1.0f);
    return seen;
}

Color PathTracer::flat_color(const Ray& ray) const {
    const std::optional<Hit> hit = rays_.nearest(ray, 0);
    const RayScene::Veil veil = rays_.veil(ray, hit ? hit->distance : far_away);
    if (veil.wire) return veil.wire->color;
    if (!hit) return {1, 1, 1};
    if (hit->surface == Hit::Surface::ball && hit->off_center > 0.8f) return 0.55f * hit->color;
    return surface_color(*hit, ray.at(hit->distance));
}

}  // namespace treacle::tracing
