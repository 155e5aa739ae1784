#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/parallel.h"
#include "core/result.h"
#include "math/vec.h"

namespace treacle {

using Vec3f = Vec3<float>;

/// A quantity that particles have and vertices inherit.
struct SurfaceColumn {
    enum class Inherit {
        mean,     ///< weighted mean of the particles around
        nearest,  ///< of the particle with the most weight, for numbers that are names
    };
    std::string name;
    std::string unit;
    std::vector<float> values;
    Inherit inherit = Inherit::mean;
    bool byte = false;  ///< from 0 to 255; files hold it in one byte
};

/// The particle data of a frame on which the surface depends.
struct SurfaceParticles {
    std::vector<Vec3f> positions;        ///< m
    std::vector<SurfaceColumn> columns;  ///< each as long as `positions`
    std::vector<float> sizes{};          ///< own spacing over that of the settings, at most 1; empty: all 1
};

/// A closed surface of triangles. Every edge belongs to two triangles, which pass it in opposite directions.
struct SurfaceMesh {
    std::vector<Vec3f> points;                            ///< m
    std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counterclockwise seen from outside
    std::vector<Vec3f> normals;                           ///< per point, unit, outward
    std::vector<SurfaceColumn> columns;                   ///< per point

    const SurfaceColumn* find(std::string_view name) const;
};

/// Settings of the surface. Only the spacing must be given.
struct SurfaceSettings {
    double spacing = 0;      ///< m between particles at rest
    double resolution = 2;   ///< grid points per spacing
    int smoothing = 20;      ///< rounds of smoothing
    bool keep_drops = true;  ///< false drops pieces smaller than `drop_size`
    double drop_size = 8;    ///< volume in particles below which a piece is a drop
};

/// The surface around the particles of a frame; empty if there are none. Where they lie evenly it passes half a spacing
/// outside the outermost centers, as walls do. Smaller particles are closer together; those smaller than a step of the
/// grid are drawn as large as a step, so that a higher resolution shows thinner threads. The bits do not depend on the
/// number of CPU threads. A position that is NaN, or too far away to share a grid with the others, is an error.
Result<SurfaceMesh> reconstruct_surface(const SurfaceParticles& particles, const SurfaceSettings& settings,
                                        const Parallel& parallel);

/// m³ inside a closed surface.
double enclosed_volume(const SurfaceMesh& mesh);

/// m²
double surface_area(const SurfaceMesh& mesh);

}  // namespace treacle
