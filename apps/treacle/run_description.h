#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/log.h"
#include "core/result.h"
#include "io/export_run.h"
#include "io/run_folder.h"
#include "geometry/shape.h"
#include "render/render_scene.h"

/// Facts about a run, besides its particles, that pictures show.

namespace treacle {

struct PicturedMaterial {
    std::string name;
    Color color;
    Look look = Look::plain;
    std::optional<double> depth{};  ///< m of clear material that give it its color
};

struct PicturedSolid {
    std::string name;
    std::optional<Plane> plane;  ///< for a half space; such a solid has no mesh
    RenderMesh mesh;             ///< as drawn, in the frame of its pose
    bool container = false;
    bool moves = false;
    std::optional<Color> color{};
    bool glossy = false;
};

/// The scene's settings of the camera.
struct PicturedView {
    std::optional<double> azimuth{}, elevation{};  ///< degrees
    std::optional<Vec3d> target{};                 ///< m
    std::optional<double> distance{};              ///< m
    double field_of_view = 28;                     ///< degrees
};

struct RunDescription {
    std::string name;
    std::string method;
    int dimension = 3;
    double spacing = 0;  ///< m between particles
    double fps = 30;
    Vec3d up{0, 1, 0};  ///< against gravity, unit
    PicturedView view{};
    std::vector<PicturedMaterial> materials;
    std::vector<PicturedSolid> solids;
};

/// Reads the manifest and the shapes of the solids. It requires as little as possible, so that runs of other versions
/// can be drawn too; a solid that cannot be read is left out with a warning.
Result<RunDescription> describe_run(const RunFolder& folder, const Log& log);

}  // namespace treacle
