#pragma once

#include <cstddef>
#include <vector>

#include "core/parallel.h"
#include "render/render_scene.h"

namespace treacle::tracing {

/// A picture as linear light, before conversion to the numbers of a file. Rows from top to bottom.
struct Film {
    /// Means over the samples of a pixel.
    struct Pixel {
        Color light{};
        float variance = 0;  ///< of the mean of the brightness
        Color albedo{};
        Vec3f normal{};
        Vec3f place{};
    };

    int width = 0, height = 0;
    std::vector<Pixel> pixels;

    Film(int columns, int rows)
        : width(columns), height(rows), pixels(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {}
};

inline float brightness(Color c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; }

/// Smooths the noise of the samples and keeps edges: every pixel becomes a mean of pixels around it that lie on the
/// same surface, look the same way, and differ by no more than their noise. The means are taken in passes with holes of
/// growing size (Dammertz et al. 2010), guided by the variance (Schied et al. 2017), on light divided by the color of
/// the surface.
/// `pixel_angle`: width of a pixel at a distance of 1 m.
void smooth_noise(Film& film, Vec3f eye, float pixel_angle, const Parallel& parallel);

/// The response of film: shadows keep their contrast, and bright light fades to white instead of being cut off (a fit
/// by K. Narkowicz to the curve of the Academy Color Encoding System).
Color film_curve(Color light);

}  // namespace treacle::tracing
