#include "render/render.h"

#include <algorithm>
#include <cmath>

#include "render/ray_scene.h"
#include "render/sampling.h"

namespace treacle {

namespace {

using namespace tracing;

Color product(Color a, Color b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
Color mix(Color a, Color b, float share) { return a + share * (b - a); }

float smooth_step(float low, float high, float value) {
    const float t = std::clamp((value - low) / (high - low), 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}

/// Follows rays through a scene and tells the light that comes back.
class Shader {
public:
    Shader(const RenderScene& scene, int threads) : scene_(scene), rays_(scene, threads) {
        for (const Ground& ground : scene.grounds) ground_axes_.push_back(tangents(ground.normal));
    }

    Color pixel(int x, int y) const;

private:
    struct Ray {
        Vec3f origin, direction;
    };

    Ray camera_ray(float x, float y) const;
    Color sky(Vec3f direction) const;
    Color surface_color(const Hit& hit, Vec3f point) const;
    Color light_at(const Hit& hit, Vec3f point, Vec3f direction, const PixelSampler& sampler, int sample) const;
    Color light_along(const Ray& ray, const PixelSampler& sampler, int sample) const;
    Color flat_color(const Ray& ray) const;

    const RenderScene& scene_;
    RayScene rays_;
    std::vector<Tangents> ground_axes_;
};

/// x and y in pixels from the upper left corner.
Shader::Ray Shader::camera_ray(float x, float y) const {
    const Camera& camera = scene_.camera;
    const double pixel = 2 * camera.half_height / scene_.height;
    const double right = (x - 0.5 * scene_.width) * pixel, up = (0.5 * scene_.height - y) * pixel;
    const Vec3d offset = right * camera.right + up * camera.up;
    if (camera.orthographic) return {cast<float>(camera.eye + offset), cast<float>(camera.forward)};
    const Vec3d direction = camera.forward + offset;
    return {cast<float>(camera.eye), cast<float>(direction / length(direction))};
}

Color Shader::sky(Vec3f direction) const {
    const float height = dot(direction, scene_.sky.up);
    if (height >= 0) return mix(scene_.sky.horizon, scene_.sky.zenith, smooth_step(0, 1, std::sqrt(height)));
    return mix(scene_.sky.horizon, 0.8f * scene_.sky.horizon, smooth_step(0, 0.6f, -height));
}

Color Shader::surface_color(const Hit& hit, Vec3f point) const {
    if (!hit.ground || hit.ground->grid_pitch <= 0) return hit.color;
    const Tangents& axes = ground_axes_[static_cast<std::size_t>(hit.ground - scene_.grounds.data())];
    const auto near_line = [&](Vec3f axis) {
        const float place = dot(point, axis) / hit.ground->grid_pitch;
        return std::abs(place - std::round(place)) < 0.009f;
    };
    return near_line(axes.u) || near_line(axes.v) ? 0.76f * hit.color : hit.color;
}

Color Shader::light_at(const Hit& hit, Vec3f point, Vec3f direction, const PixelSampler& sampler, int sample) const {
    const Light& light = scene_.light;
    const float offset = 2e-4f * hit.distance;
    const Color own = surface_color(hit, point);
    const float gloss = hit.surface == Hit::Surface::ball ? scene_.gloss : 0.0f;
    Color result{};

    const Pair spot = disc_point(sampler.point(PixelSampler::light, sample));
    const Tangents around = tangents(light.direction);
    const Vec3f toward = unit(light.direction + light.softness * (spot.x * around.u + spot.y * around.v));
    const float facing = dot(hit.normal, toward);
    if (facing > 0 && !rays_.blocked(point, toward, offset)) {
        result += facing * product(own, light.strength);
        const float shine = std::max(0.0f, dot(hit.normal, unit(toward - direction)));
        result += gloss * 0.45f * facing * std::pow(shine, 60.0f) * light.strength;
    }

    // One ray for the light of the sky. Where it meets something, that thing's color stands for the light that is
    // reflected from it: dark corners take on the hue of what is around them instead of turning gray.
    const Vec3f out = hemisphere_direction(hit.normal, sampler.point(PixelSampler::sky, sample));
    const std::optional<Hit> met = rays_.nearest(point, out, offset);
    const Color incoming = met ? (met->ground ? 0.7f : 0.34f) * met->color : scene_.sky.strength * sky(out);
    result += product(own, incoming);

    if (gloss > 0) {
        const float grazing = 1 - std::abs(dot(hit.normal, direction));
        const float fresnel = 0.03f + 0.5f * std::pow(grazing, 5.0f);
        const Vec3f mirrored = direction - 2 * dot(direction, hit.normal) * hit.normal;
        if (!met) result += gloss * fresnel * scene_.sky.strength * sky(mirrored);
    }
    return result;
}

Color Shader::light_along(const Ray& ray, const PixelSampler& sampler, int sample) const {
    const std::optional<Hit> hit = rays_.nearest(ray.origin, ray.direction, 0);
    Color color = sky(ray.direction);
    const RayScene::Veil veil = rays_.veil(ray.origin, ray.direction, hit ? hit->distance : 1e30f);
    if (veil.wire) {
        color = (0.7f + 0.5f * dot(veil.wire->normal, scene_.light.direction)) * veil.wire->color;
    } else if (hit) {
        const Vec3f point = ray.origin + hit->distance * ray.direction;
        const Ground* ground = hit->ground;
        const float fade = ground ? smooth_step(0.25f, 1, length(point - ground->center) / ground->fade_distance) : 0;
        if (fade < 1) color = mix(light_at(*hit, point, ray.direction, sampler, sample), color, fade);
    }
    return mix(color, {1, 1, 1}, veil.glass);
}

Color Shader::flat_color(const Ray& ray) const {
    const std::optional<Hit> hit = rays_.nearest(ray.origin, ray.direction, 0);
    const RayScene::Veil veil = rays_.veil(ray.origin, ray.direction, hit ? hit->distance : 1e30f);
    if (veil.wire) return veil.wire->color;
    if (!hit) return {1, 1, 1};
    if (hit->surface == Hit::Surface::ball && hit->off_center > 0.8f) return 0.55f * hit->color;
    return surface_color(*hit, ray.origin + hit->distance * ray.direction);
}

Color Shader::pixel(int x, int y) const {
    const PixelSampler sampler(x, y);
    Color sum{};
    for (int n = 0; n < scene_.samples; ++n) {
        const Pair place = sampler.point(PixelSampler::place, n);
        const Ray ray = camera_ray(static_cast<float>(x) + place.x, static_cast<float>(y) + place.y);
        Color light = scene_.look == Look::flat ? flat_color(ray) : light_along(ray, sampler, n);
        // Highlights are cut off per sample, or the edge of a bright spot would show as a staircase.
        for (int c = 0; c < 3; ++c) light[c] = std::min(light[c], 1.0f);
        sum += light;
    }
    return sum / static_cast<float>(scene_.samples);
}

}  // namespace

Picture render(const RenderScene& scene, const Parallel& parallel) {
    Picture picture(scene.width, scene.height);
    const Shader shader(scene, parallel.threads());
    const auto width = static_cast<std::size_t>(scene.width);
    parallel.for_each(width * static_cast<std::size_t>(scene.height), [&](std::size_t n) {
        const int x = static_cast<int>(n % width), y = static_cast<int>(n / width);
        const Color color = shader.pixel(x, y);
        std::uint8_t* pixel = picture.pixel(x, y);
        for (int c = 0; c < 3; ++c) pixel[c] = byte_from_linear(color[c]);
    });
    return picture;
}

}  // namespace treacle
