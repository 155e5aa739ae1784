#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "render/camera.h"
#include "render/picture.h"
#include "render/substance.h"

/// The content of a picture, as plain data.

namespace treacle {

using Vec3f = Vec3<float>;

/// A particle: a ball in 3D, a disc in 2D.
struct Ball {
    Vec3f center;
    float radius;
    Color color;
    std::uint32_t substance = 0;  ///< number in RenderScene::substances
    Vec3f motion{};               ///< m, from the opening of the shutter to its closing; center is halfway
};

/// Triangles; both sides are seen. A mesh of a clear substance is closed and its triangles turn counterclockwise seen
/// from outside.
struct RenderMesh {
    std::vector<Vec3f> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    Color color{0.6f, 0.6f, 0.6f};
    bool glass = false;           ///< a thin pane: seen through; casts no shadow
    bool smooth = false;          ///< shaded smoothly all over; else edges sharper than about 40 degrees stay sharp
    std::uint32_t substance = 1;  ///< number in RenderScene::substances
    std::vector<Color> colors;    ///< per vertex; empty: `color` all over
    std::vector<Vec3f> motion;    ///< per vertex, like that of a ball; empty: at rest
};

/// A round bar from one point to another, as a drawing aid: it casts no shadow.
struct Wire {
    Vec3f from, to;
    float radius;
    Color color;
};

/// An infinite plane, seen from the side that its normal points to. With growing distance from `center` it fades
/// into the sky.
struct Ground {
    Vec3f center;
    Vec3f normal{0, 1, 0};  ///< unit
    Color color{0.8f, 0.8f, 0.8f};
    float grid_pitch = 0;         ///< m between the lines of a grid through the origin; 0 = no grid
    float fade_distance = 1e30f;  ///< m
};

struct Light {
    Vec3f direction{0, 1, 0};  ///< unit, toward the light
    float softness = 0.08f;    ///< radius of the light seen from a distance of 1
    Color strength{1.0f, 1.0f, 1.0f};
};

/// Goes from the horizon to the zenith along `up`.
struct Sky {
    Vec3f up{0, 1, 0};
    Color horizon{0.84f, 0.88f, 0.92f};
    Color zenith{0.36f, 0.52f, 0.74f};
    float strength = 0.55f;  ///< of its light on surfaces; as a background it always has the colors above
};

enum class Style {
    traced,  ///< light, shadows, reflections
    flat,    ///< plain colors; discs and lines with a rim, for 2D
};

/// The default substances of balls and meshes: glossy (number 0) and matt (number 1).
inline std::vector<Substance> usual_substances() {
    return {opaque_substance(Look::plain, 1), opaque_substance(Look::clay, 1)};
}

struct RenderScene {
    int width = 640;
    int height = 400;
    int samples = 12;  ///< paths per pixel; more are smoother
    int bounces = 3;   ///< off matt surfaces; then the rest of the light is guessed
    Style style = Style::traced;
    bool film_curve = false;  ///< bright light fades to white as on film; otherwise it is cut off at 1
    bool denoise = false;     ///< smooth the noise that the samples leave, between edges
    float contact_gap = 0;    ///< m: a clear mesh this close to something opaque touches it
    Camera camera;
    Light light;
    Sky sky;
    std::vector<Substance> substances = usual_substances();
    std::vector<Ball> balls;
    std::vector<RenderMesh> meshes;
    std::vector<Wire> wires;
    std::vector<Ground> grounds;
};

/// The edges of a mesh at which its surface ends or turns sharply, as bars.
std::vector<Wire> edge_wires(const RenderMesh& mesh, float radius, Color color);

}  // namespace treacle
