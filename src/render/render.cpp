#include "render/render.h"

#include <algorithm>
#include <cmath>

#include "render/path_tracer.h"

namespace treacle {

namespace {

using namespace tracing;

/// x and y in pixels from the upper left corner.
Ray camera_ray(const RenderScene& scene, double x, double y) {
    const Camera& camera = scene.camera;
    const double pixel = 2 * camera.half_height / scene.height;
    const double right = (x - 0.5 * scene.width) * pixel, up = (0.5 * scene.height - y) * pixel;
    const Vec3d offset = right * camera.right + up * camera.up;
    if (camera.orthographic) return {cast<float>(camera.eye + offset), cast<float>(camera.forward)};
    const Vec3d direction = camera.forward + offset;
    return {cast<float>(camera.eye), cast<float>(direction / length(direction))};
}

Film::Pixel expose(const RenderScene& scene, const PathTracer& tracer, int x, int y) {
    Film::Pixel sum;
    float squares = 0;
    for (int n = 0; n < scene.samples; ++n) {
        Dice dice(x, y, n, scene.samples);
        const Pair place = dice.pair();
        Ray ray = camera_ray(scene, x + place.x, y + place.y);
        ray.time = dice.number();
        const Seen seen = scene.style == Style::flat ? Seen{tracer.flat_color(ray)} : tracer.look(ray, dice);
        sum.light += seen.light;
        sum.albedo += seen.albedo;
        sum.normal += seen.normal;
        sum.place += seen.place;
        squares += brightness(seen.light) * brightness(seen.light);
    }
    const float share = 1 / static_cast<float>(scene.samples);
    sum.light *= share;
    sum.albedo *= share;
    sum.normal *= share;
    sum.place *= share;
    const float mean = brightness(sum.light);
    sum.variance = std::max(0.0f, squares * share - mean * mean) * share;
    return sum;
}

}  // namespace

tracing::Film expose_film(const RenderScene& scene, const Parallel& parallel) {
    Film film(scene.width, scene.height);
    const RayScene rays(scene, parallel.threads());
    const PathTracer tracer(scene, rays);
    const auto width = static_cast<std::size_t>(scene.width);
    parallel.for_each(film.pixels.size(), [&](std::size_t n) {
        film.pixels[n] = expose(scene, tracer, static_cast<int>(n % width), static_cast<int>(n / width));
    });
    return film;
}

Picture render(const RenderScene& scene, const Parallel& parallel) {
    Film film = expose_film(scene, parallel);
    if (scene.denoise && scene.style == Style::traced) {
        const double pixel = 2 * scene.camera.half_height / scene.height;
        smooth_noise(film, cast<float>(scene.camera.eye), static_cast<float>(pixel), parallel);
    }
    Picture picture(scene.width, scene.height);
    for (std::size_t n = 0; n < film.pixels.size(); ++n) {
        const Color& light = film.pixels[n].light;
        const Color color = scene.film_curve ? film_curve(light) : light;
        for (int c = 0; c < 3; ++c) picture.rgb[3 * n + static_cast<std::size_t>(c)] = byte_from_linear(color[c]);
    }
    return picture;
}

}  // namespace treacle
