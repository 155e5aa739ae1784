#include "render/film.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace treacle::tracing {

namespace {

/// About e^-x.
float falloff(float x) { return 1 / (1 + x * (1 + x * (0.5f + x * 0.1666667f))); }

Color divided(Color light, Color albedo) {
    for (int c = 0; c < 3; ++c) light[c] /= std::max(albedo[c], 0.02f);
    return light;
}

Color multiplied(Color light, Color albedo) {
    for (int c = 0; c < 3; ++c) light[c] *= std::max(albedo[c], 0.02f);
    return light;
}

/// One pass; neighbors are `step` pixels apart.
class Pass {
public:
    Pass(const Film& film, int step, Vec3f eye, float pixel_angle)
        : film_(film), step_(step), eye_(eye), pixel_angle_(pixel_angle) {}

    /// A mean of the 5 × 5 pixels around one.
    Film::Pixel operator()(int x, int y) const {
        constexpr std::array<float, 3> kernel{0.375f, 0.25f, 0.0625f};
        const Film::Pixel& center = at(x, y);
        Film::Pixel result = center;
        if (center.normal == Vec3f{}) return result;  // the sky has no noise
        const float per_noise = 1 / (4 * std::sqrt(noise_around(x, y)) + 1e-4f);
        const float per_width = 1 / (pixel_angle_ * length(center.place - eye_) * static_cast<float>(step_));
        Color sum{};
        float variance = 0, weights = 0;
        for (int dy = -2; dy <= 2; ++dy) {
            for (int dx = -2; dx <= 2; ++dx) {
                const int u = x + dx * step_, v = y + dy * step_;
                if (u < 0 || v < 0 || u >= film_.width || v >= film_.height) continue;
                const Film::Pixel& other = at(u, v);
                const Vec3f turn = other.normal - center.normal;
                const Vec3f hue = other.albedo - center.albedo;
                const float off_plane = std::abs(dot(other.place - center.place, center.normal));
                const float apart = 24 * dot(turn, turn) + 60 * dot(hue, hue) + off_plane * per_width +
                                    std::abs(brightness(other.light) - brightness(center.light)) * per_noise;
                const float weight = kernel[static_cast<std::size_t>(std::abs(dx))] *
                                     kernel[static_cast<std::size_t>(std::abs(dy))] * falloff(apart);
                sum += weight * other.light;
                variance += weight * weight * other.variance;
                weights += weight;
            }
        }
        result.light = sum / weights;
        result.variance = variance / (weights * weights);
        return result;
    }

private:
    const Film::Pixel& at(int x, int y) const {
        const auto row = static_cast<std::size_t>(y) * static_cast<std::size_t>(film_.width);
        return film_.pixels[row + static_cast<std::size_t>(x)];
    }

    /// The variance of one pixel is itself uncertain after a few samples; that of nine is less so.
    float noise_around(int x, int y) const {
        float sum = 0, weights = 0;
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
                if (x + dx < 0 || y + dy < 0 || x + dx >= film_.width || y + dy >= film_.height) continue;
                const float weight = dx == 0 && dy == 0 ? 2.0f : 1.0f;
                sum += weight * at(x + dx, y + dy).variance;
                weights += weight;
            }
        }
        return sum / weights;
    }

    const Film& film_;
    int step_;
    Vec3f eye_;
    float pixel_angle_;
};

}  // namespace

void smooth_noise(Film& film, Vec3f eye, float pixel_angle, const Parallel& parallel) {
    for (Film::Pixel& pixel : film.pixels) {
        const float before = brightness(pixel.light);
        pixel.light = divided(pixel.light, pixel.albedo);
        const float scale = before > 0 ? brightness(pixel.light) / before : 1;
        pixel.variance *= scale * scale;
    }
    const auto width = static_cast<std::size_t>(film.width);
    for (const int step : {1, 2, 4, 8}) {
        const Film before = film;
        const Pass pass(before, step, eye, pixel_angle);
        parallel.for_each(film.pixels.size(), [&](std::size_t n) {
            film.pixels[n] = pass(static_cast<int>(n % width), static_cast<int>(n / width));
        });
    }
    for (Film::Pixel& pixel : film.pixels) pixel.light = multiplied(pixel.light, pixel.albedo);
}

Color film_curve(Color light) {
    constexpr float exposure = 0.75f;
    for (int c = 0; c < 3; ++c) {
        const float x = exposure * light[c];
        light[c] = std::clamp(x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f), 0.0f, 1.0f);
    }
    return light;
}

}  // namespace treacle::tracing
