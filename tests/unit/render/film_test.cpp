#include "render/film.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace treacle {
namespace {

using namespace tracing;

/// A wall at z = 0 seen from the front, one pixel per meter, with noise of known size. Its right half is darker, or
/// turned, or has another color.
enum class Half { shadow, corner, color };

Film noisy_wall(Half half, float noise) {
    Film film(64, 64);
    std::mt19937 random(3);
    std::normal_distribution<float> error(0, noise);
    for (std::size_t n = 0; n < film.pixels.size(); ++n) {
        Film::Pixel& pixel = film.pixels[n];
        const bool right = n % 64 >= 32;
        pixel.albedo = half == Half::color && right ? Color{0.8f, 0.2f, 0.2f} : Color{0.8f, 0.8f, 0.8f};
        pixel.normal = half == Half::corner && right ? Vec3f{-0.7071f, 0, 0.7071f} : Vec3f{0, 0, 1};
        pixel.place = {static_cast<float>(n % 64), static_cast<float>(n / 64),
                       half == Half::corner && right ? static_cast<float>(n % 64) - 32 : 0};
        const float light = half != Half::color && right ? 0.3f : 0.8f;
        for (int c = 0; c < 3; ++c) pixel.light[c] = pixel.albedo[c] * std::max(0.0f, light + error(random));
        const float weight = brightness(pixel.albedo) * noise;
        pixel.variance = weight * weight;
    }
    return film;
}

double error_of(const Film& film, Half half, int from, int to) {
    double sum = 0;
    for (int y = 8; y < 56; ++y) {
        for (int x = from; x < to; ++x) {
            const Film::Pixel& pixel = film.pixels[static_cast<std::size_t>(64 * y + x)];
            const double light = half != Half::color && x >= 32 ? 0.3 : 0.8;
            const double off = pixel.light.y / pixel.albedo.y - light;
            sum += off * off;
        }
    }
    return std::sqrt(sum / (48.0 * (to - from)));
}

TEST(Film, noise_is_smoothed_and_edges_stay) {
    for (const Half half : {Half::shadow, Half::corner, Half::color}) {
        Film film = noisy_wall(half, 0.05f);
        const double before = error_of(film, half, 0, 64);
        smooth_noise(film, {32, 32, 100}, 0.01f, Parallel(2));
        EXPECT_LT(error_of(film, half, 0, 64), before / 3) << static_cast<int>(half);
        EXPECT_LT(error_of(film, half, 31, 33), 0.06) << "right at the edge " << static_cast<int>(half);
    }
}

TEST(Film, what_has_no_noise_is_left_alone) {
    Film film = noisy_wall(Half::shadow, 0.05f);
    for (Film::Pixel& pixel : film.pixels) pixel.variance = 0;  // then the differences are real
    const Film before = film;
    smooth_noise(film, {32, 32, 100}, 0.01f, Parallel(1));
    double change = 0;
    for (std::size_t n = 0; n < film.pixels.size(); ++n)
        change = std::max<double>(change, std::abs(film.pixels[n].light.y - before.pixels[n].light.y));
    EXPECT_LT(change, 0.02);
}

TEST(Film, the_curve_rises_from_black_to_white) {
    float last = -1;
    for (float light = 0; light < 20; light += 0.05f) {
        const Color color = film_curve({light, light, light});
        EXPECT_GE(color.x, last);
        EXPECT_LE(color.x, 1);
        last = color.x;
    }
    EXPECT_EQ(film_curve({0, 0, 0}), Color{});
    EXPECT_GT(last, 0.99);
    EXPECT_LT(film_curve({1, 1, 1}).x, 0.9) << "a white wall leaves room for highlights";
}

}  // namespace
}  // namespace treacle
